package dev.belay.tool.context;

import java.util.Objects;

/**
 * Names one call within its conversation. It is what a provider sent, or {@code call_<round>_<index>} where it sent none; it is
 * echoed to the model and never part of an identity.
 *
 * @param value the id
 */
public record CallId(String value) {

    /** Refuses an empty id. */
    public CallId {
        if (Objects.requireNonNull(value, "value").isEmpty()) {
            throw new IllegalArgumentException("a call id must not be empty");
        }
    }

    /** The id of a call that came without one of its own. */
    public static CallId of(long round, int index) {
        return new CallId("call_" + round + "_" + index);
    }

    @Override
    public String toString() {
        return value;
    }
}
