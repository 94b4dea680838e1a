package dev.belay.runtime.effect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An absolute moment, or none. It is recorded, so that a restart does not start the time again.
 *
 * @param at the moment, or null for none
 */
public record Deadline(@Nullable Instant at) {

    /** For ever. */
    public static final Deadline NONE = new Deadline(null);

    /** Whether it has come. */
    public boolean passed(Instant now) {
        return at != null && !now.isBefore(at);
    }
}
