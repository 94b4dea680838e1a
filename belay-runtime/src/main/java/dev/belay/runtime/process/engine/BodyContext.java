package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.ProcessContext;
import dev.belay.runtime.store.ProcessId;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The context of the call that runs a body, as the body sees it. Confined to one entry. */
final class BodyContext implements ProcessContext {

    private final ProcessId id;
    private final boolean once;
    private final ToolContext call;
    private final AttemptEvents events;
    /** How often each signal was waited for in this entry. */
    private final Map<String, Integer> signals = new HashMap<>();

    /**
     * Wraps the context of a call.
     *
     * @param once whether the body must not be entered again, and so cannot wait
     */
    BodyContext(ProcessId id, boolean once, ToolContext call, ToldEvents told) {
        this.id = id;
        this.once = once;
        this.call = call;
        events = new AttemptEvents(told, call);
    }

    @Override
    public ProcessId id() {
        return id;
    }

    @Override
    public void emit(String type, Json payload) {
        events.emit(type, payload);
    }

    @Override
    public Json awaitSignal(String name) {
        return Signals.payload(durable().awaitEvent(nextSignal(name)));
    }

    @Override
    public Json awaitSignal(String name, Instant deadline) {
        return Signals.payload(durable().awaitEvent(nextSignal(name), deadline));
    }

    private CompletionKey nextSignal(String name) {
        int number = signals.merge(Signals.checked(name), 1, Integer::sum);
        return durable().externalEventKey(Signals.event(number, name));
    }

    @Override
    public DurableEffects durable() {
        if (once) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                    "durable_effects_unavailable",
                    "process " + id + " is started with recovery NEVER: its body"
                            + " is entered once, so it has no steps and cannot wait for signals"));
        }
        return call.durable();
    }

    @Override
    public Attachments attachments() {
        return call.attachments();
    }

    @Override
    public IdempotencyKey idempotencyKey() {
        return call.idempotencyKey();
    }

    @Override
    public Cancellation cancellation() {
        return call.cancellation();
    }

    @Override
    public Fence fence() {
        return call.fence();
    }
}
