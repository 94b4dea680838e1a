package dev.belay.tool.context;

import dev.belay.json.Json;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * Steps of a resumable body. A step that finished is answered from the record when the body is entered again; everything else
 * in the body must depend only on what steps returned. Step ids are unique within a call.
 */
public interface DurableEffects {

    /** The work of a step; it is given the recorded input. */
    @FunctionalInterface
    interface Step {

        /** Does the work. */
        Json run(Json input) throws Exception;
    }

    /** Finds out what became of a step that started and left no outcome; one that throws cannot tell. */
    @FunctionalInterface
    interface StepReconciler {

        /** Asks the service behind the step, with the recorded input. */
        Reconciliation<Json> reconcile(Json input) throws Exception;
    }

    /** Runs a step with the tool's effect class. */
    Json run(String stepId, Json input, Step body);

    /** Runs a step with an effect class of its own. */
    Json run(String stepId, Json input, ToolEffect effect, Step body);

    /**
     * Runs a step with an effect class of its own, and a way to find out what became of it.
     *
     * @param stepId non-empty, unique within the call
     * @param input recorded with the step; a step that is run again gets the recorded one
     * @param effect {@code ONCE} is never repeated: found started and unfinished, the reconciler is asked
     * @param reconciler asks the service behind the step. If it did not happen, the step runs now, provided that the process which
     *        started it is dead; unknown throws {@link InDoubtException}
     * @param body does the work
     */
    Json run(String stepId, Json input, ToolEffect effect, StepReconciler reconciler, Step body);

    /** The name of a step's intended effect, the same however often the step runs; hand it to the service it calls. */
    IdempotencyKey stepKey(String stepId);

    /** The key by which something outside answers a wait of this call. */
    CompletionKey externalEventKey(String name);

    /** Waits for the answer, for ever. */
    Json awaitEvent(CompletionKey key);

    /** Waits for the answer until a deadline. */
    Json awaitEvent(CompletionKey key, Instant deadline);

    /** Adds an event to the process that this call runs in. */
    void emitProcessEvent(String type, Json payload);

    /** Waits; the end of the wait is recorded, so that a restart does not begin it anew. */
    void sleep(String stepId, Duration duration);

    /** The time when this step first ran. */
    Instant now(String stepId);

    /** A number drawn when this step first ran. */
    long random(String stepId);

    /** A UUID drawn when this step first ran. */
    UUID uuid(String stepId);
}
