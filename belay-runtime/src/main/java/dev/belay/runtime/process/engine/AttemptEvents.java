package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.tool.ToolContext;
import dev.belay.tool.context.DurableEffects;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells the events of one attempt of a tool or body that runs in a process. Thread-safe. */
final class AttemptEvents implements ProcessEventsCapability {

    private final ToldEvents told;
    private final ToolContext call;
    private final AtomicInteger plain = new AtomicInteger();

    AttemptEvents(ToldEvents told, ToolContext call) {
        this.told = told;
        this.call = call;
    }

    @Override
    public void emit(String type, Json payload) {
        call.callId();
        DurableEffects steps = BodySteps.of(call);
        if (steps == null) {
            told.tellPlain(String.valueOf(plain.incrementAndGet()), type, payload);
        } else {
            steps.emitProcessEvent(type, payload);
        }
    }
}
