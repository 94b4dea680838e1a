package dev.belay.tool.context;

import dev.belay.json.FramedHash;
import dev.belay.tool.ToolId;

/**
 * A name for one intended effect, the same on every attempt and after every restart. Hand it to the service that a body calls;
 * it decides there whether work was already done.
 *
 * @param value sixty-four lower-case hexadecimal digits
 */
public record IdempotencyKey(String value) {

    /** Refuses anything but a hash. */
    public IdempotencyKey {
        if (!value.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("not an idempotency key: " + value);
        }
    }

    /**
     * Where a call stands.
     *
     * @param incarnation of the session or transcript
     * @param turn number of the turn, 0 on a transcript
     * @param round number of the round within the turn
     * @param position index of the call within its message
     */
    public record Place(Incarnation incarnation, long turn, long round, int position) {}

    /** The key of a call. */
    public static IdempotencyKey of(Place place, ToolId tool) {
        return new IdempotencyKey(framed(place, tool).hex());
    }

    /** The key of a step within a resumable call. */
    public static IdempotencyKey of(Place place, ToolId tool, String stepId) {
        return new IdempotencyKey(framed(place, tool).add(stepId).hex());
    }

    private static FramedHash framed(Place place, ToolId tool) {
        return new FramedHash().add(place.incarnation().bytes())
                .add(place.turn())
                .add(place.round())
                .add(place.position())
                .add(tool.value());
    }

    @Override
    public String toString() {
        return value;
    }
}
