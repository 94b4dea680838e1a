package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.store.ProcessId;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a resumable body does with processes, as steps: answered when it is entered again. Numbered in the order in which the body
 * asks. Confined to one attempt.
 */
public final class BodySteps {

    private final DurableEffects steps;
    private int number;

    BodySteps(DurableEffects steps) {
        this.steps = steps;
    }

    /** The steps of a call, or null if its body is plain. */
    static @Nullable DurableEffects of(ToolContext call) {
        try {
            return call.durable();
        } catch (ToolException e) {
            if (e.failure().code().equals("durable_effects_unavailable")) {
                return null;
            }
            throw e;
        }
    }

    void start(String name, ProcessId id, Runnable start) {
        run("process/start/" + ++number, Json.string(name + " " + id), start);
    }

    public void signal(DurableProcess process, String name, Json payload, @Nullable String key) {
        String step = "process/signal/" + ++number;
        String once = key == null ? steps.stepKey(step).value() : key;
        run(step, Json.string(name), () -> process.send(name, payload, once));
    }

    /** Parks until a process has ended. */
    public ProcessEnd await(ProcessEngine engine, ProcessId id) {
        return ProcessEnd.of(steps.awaitEvent(watched(engine, id)));
    }

    /** The same until so much time has passed since it was first asked; empty then. */
    public Optional<ProcessEnd> await(ProcessEngine engine, ProcessId id, Duration most) {
        CompletionKey key = watched(engine, id);
        Instant due = steps.now("process/until/" + number).plus(most);
        try {
            return Optional.of(ProcessEnd.of(steps.awaitEvent(key, due)));
        } catch (ToolException e) {
            if (e.failure().code().equals("durable_effect_event_timeout")) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** A key that is settled when a process has ended. */
    private CompletionKey watched(ProcessEngine engine, ProcessId id) {
        int awaited = ++number;
        CompletionKey key = steps.externalEventKey("process/" + awaited + "/" + id);
        run("process/await/" + awaited, Json.string(id.value()), () -> engine.watch(id, key.token()));
        return key;
    }

    private void run(String step, Json input, Runnable work) {
        steps.run(step, input, ToolEffect.IDEMPOTENT, recorded -> {
            try {
                work.run();
            } catch (BelayException fault) {
                throw ProcessEntry.refused(fault);
            }
            return Json.NULL;
        });
    }
}
