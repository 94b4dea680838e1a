package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a resumable body on processes, each a recorded step: a body that is entered again gets the recorded answer. Steps
 * are numbered in the order in which the body asks. Confined to one attempt.
 */
public final class BodySteps {

    private final DurableEffects steps;
    private final ProcessEnds ends;
    private int number;

    BodySteps(DurableEffects steps, ProcessEnds ends) {
        this.steps = steps;
        this.ends = ends;
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

    /**
     * Sends a signal once.
     *
     * @param key the signal's own key; null for the key of the step
     * @param send sends it under the key that is given
     */
    public void signal(String name, @Nullable String key, Consumer<String> send) {
        String step = "process/signal/" + ++number;
        String once = key == null ? steps.stepKey(step).value() : key;
        run(step, Json.string(name), () -> send.accept(once));
    }

    /** Parks until a process has ended. */
    public ProcessEnd await(ProcessId id) {
        return ProcessEnd.of(steps.awaitEvent(watched(id)));
    }

    /** Parks until a process has ended, at most so long after the first entry asked; empty if it goes on. */
    public Optional<ProcessEnd> await(ProcessId id, Duration most) {
        CompletionKey key = watched(id);
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
    private CompletionKey watched(ProcessId id) {
        int awaited = ++number;
        CompletionKey key = steps.externalEventKey("process/" + awaited + "/" + id);
        run("process/await/" + awaited, Json.string(id.value()), () -> ends.watch(id, key.token()));
        return key;
    }

    private void run(String step, Json input, Runnable work) {
        steps.run(step, input, ToolEffect.IDEMPOTENT, recorded -> {
            try {
                work.run();
            } catch (BelayException fault) {
                throw ProcessFaults.refused(fault);
            }
            return Json.NULL;
        });
    }
}
