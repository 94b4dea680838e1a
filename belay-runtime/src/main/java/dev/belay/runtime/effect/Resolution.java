package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolFailure;
import java.util.Objects;

/** The value, error, timeout or cancellation that settles a wait. The first resolution wins. */
public sealed interface Resolution {

    /**
     * With a value.
     *
     * @param value that was awaited
     */
    record Ok(Json value) implements Resolution {

        /** Refuses null. */
        public Ok {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * With an error.
     *
     * @param failure from outside
     */
    record Failed(ToolFailure failure) implements Resolution {

        /** Refuses null. */
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /** By its deadline. */
    record TimedOut() implements Resolution {}

    /**
     * By cancellation.
     *
     * @param reason why
     */
    record Cancelled(String reason) implements Resolution {

        /** Refuses null. */
        public Cancelled {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Settles with a value. */
    static Resolution ok(Json value) {
        return new Ok(value);
    }

    /** Settles with an error that the model reads. */
    static Resolution failed(String message) {
        return new Failed(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "tool_failed", message));
    }
}
