package dev.belay.tool.context;

import dev.belay.json.Json;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

    /** Asks a service whether something is finished; it is asked again after pauses. */
    @FunctionalInterface
    interface Poll {

        /**
         * Asks once.
         *
         * @param input the recorded one
         * @param asked how often the service was asked before, by other processes too
         */
        Polled ask(Json input, int asked) throws InterruptedException;
    }

    /** What a {@link Poll} has found. */
    sealed interface Polled {

        /**
         * It is finished.
         *
         * @param value recorded as the value of the step
         */
        record Found(Json value) implements Polled {}

        /**
         * It is not finished.
         *
         * @param after when to ask again
         */
        record Later(Duration after) implements Polled {}
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

    /**
     * Asks a service until it has an answer. No thread is held between two questions; a question without an answer writes only the moment
     * of the next one, and the answer is recorded. After a restart the next question is asked at the recorded moment.
     *
     * @param stepId non-empty, unique within the call
     * @param input recorded with the answer
     * @param body asks; what it throws is thrown here and not recorded. It is asked once more after a cancel, and {@code tool_cancelled}
     *        is thrown if it has no answer then
     */
    Json poll(String stepId, Json input, Poll body) throws InterruptedException;

    /** The name of a step's intended effect, the same however often the step runs; hand it to the service it calls. */
    IdempotencyKey stepKey(String stepId);

    /** The key by which something outside answers a wait of this call. */
    CompletionKey externalEventKey(String name);

    /** The same for an answer that must fit a schema; another one is refused, and the wait stays open. */
    CompletionKey externalEventKey(String name, JsonSchema answer);

    /** Waits for the answer, for ever. */
    Json awaitEvent(CompletionKey key);

    /** Waits for the answer until a deadline. */
    Json awaitEvent(CompletionKey key, Instant deadline);

    /**
     * Waits for the answer, and says in lists of what waits what it is about.
     *
     * @param deadline not longer than this, or null for ever
     * @param announcement recorded when the call first waits
     */
    Json awaitEvent(CompletionKey key, @Nullable Instant deadline, String announcement);

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
