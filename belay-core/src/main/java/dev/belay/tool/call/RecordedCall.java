package dev.belay.tool.call;

import dev.belay.json.Json;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Reconciliation;
import org.jspecify.annotations.Nullable;

/**
 * A call as it was written down, for functions that are found again after a restart.
 *
 * @param tool the tool
 * @param callId the call
 * @param idempotencyKey the name of its effect
 * @param arguments final arguments
 * @param payload what the provider froze in {@code prepare}, or null
 */
public record RecordedCall(ToolId tool, CallId callId, IdempotencyKey idempotencyKey, Json arguments,
        @Nullable Json payload) {

    /**
     * Finds out what became of a call that started and left no outcome. One that throws is asked again, five times within a minute;
     * then the outcome is unknown.
     */
    @FunctionalInterface
    public interface Reconciler {

        /** Asks the service behind the tool. */
        Reconciliation<ToolOutcome> reconcile(RecordedCall call) throws Exception;
    }

    /** Stops work outside when a parked call is cancelled. */
    @FunctionalInterface
    public interface CancelCallback {

        /** Tells the service behind the tool. */
        void cancel(RecordedCall call) throws Exception;
    }

    /** Says what a call would do, for a person who has to approve it. */
    @FunctionalInterface
    public interface Preview {

        /** The text; from the arguments alone. */
        String of(Json arguments);
    }
}
