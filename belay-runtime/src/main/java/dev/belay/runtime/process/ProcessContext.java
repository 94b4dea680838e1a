package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.ProcessId;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Instant;

/** What a body may ask of the process it runs in. Confined to one entry; after the body has ended everything throws. */
public interface ProcessContext {

    /** The process. */
    ProcessId id();

    /** Tells an event. A body that is entered again does not tell it twice. */
    void emit(String type, Json payload);

    /**
     * Waits for a signal, for ever. The first call for a name gets the first signal of that name, the second the second one; a
     * signal that came before is there at once. The process costs no thread meanwhile. Not with {@link Recovery#NEVER}.
     */
    Json awaitSignal(String name);

    /**
     * Waits for a signal until a deadline.
     *
     * @throws dev.belay.tool.ToolException {@code durable_effect_event_timeout} if it does not come
     */
    Json awaitSignal(String name, Instant deadline);

    /** Steps, which are answered from the record when the body is entered again. Not with {@link Recovery#NEVER}. */
    DurableEffects durable();

    /** Bytes that this process keeps, until seven days after its end. */
    Attachments attachments();

    /** The name of what this process intends, the same however often it is entered. */
    IdempotencyKey idempotencyKey();

    /** Whether somebody wants the process to end. The thread is interrupted too. */
    Cancellation cancellation();

    /** Grows each time the process is taken over. */
    Fence fence();
}
