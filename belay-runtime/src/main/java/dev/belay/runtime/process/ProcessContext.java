package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.ProcessId;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Instant;

/** The process that a body runs in. Confined to one entry: after the body has ended, every method throws. */
public interface ProcessContext {

    /** The id of the process. */
    ProcessId id();

    /** Tells an event, once also if the body is entered again. */
    void emit(String type, Json payload);

    /**
     * Waits for a signal, without a deadline. The n-th call for a name returns the n-th signal of that name, at once if it was
     * sent before. The process holds no thread while it waits. Not with {@link Recovery#NEVER}.
     */
    Json awaitSignal(String name);

    /**
     * Waits for a signal until a deadline.
     *
     * @throws dev.belay.tool.ToolException {@code durable_effect_event_timeout} if none was sent by then
     */
    Json awaitSignal(String name, Instant deadline);

    /** The steps of the body; a recorded step is answered and not run again. Not with {@link Recovery#NEVER}. */
    DurableEffects durable();

    /** The attachments of this process, kept until seven days after its end. */
    Attachments attachments();

    /** Identifies the side effect of this process; the same in every entry. */
    IdempotencyKey idempotencyKey();

    /** Whether the process was asked to end. The thread of the body is interrupted too. */
    Cancellation cancellation();

    /** Grows each time the process is taken over. */
    Fence fence();
}
