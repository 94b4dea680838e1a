package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Attempt;
import dev.belay.runtime.dispatch.body.AttemptBody;
import dev.belay.runtime.dispatch.body.BodyCall;
import dev.belay.runtime.dispatch.body.BodyEnd;
import dev.belay.runtime.dispatch.body.RuntimeToolContext;
import dev.belay.runtime.dispatch.body.StepEffects;
import dev.belay.runtime.dispatch.body.StepMemory;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.BodyChanges;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolException;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.Suspended;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of a resumable body in one entry of its scope.
 *
 * <p><b>Concurrency.</b> The body runs on its own thread and has the scope while it runs; the call's thread waits, and takes the
 * scope back when the body has ended, suspended, or may not go on. <b>Durability.</b> See {@link StepEffects}. <b>Recovery.</b> A
 * body that was suspended is discarded, whatever it returns. Its resource is taken anew at each entry and let go when its
 * thread has ended.
 */
final class BodyEntry {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final OneCall call;
    private final OneCall.Ready ready;
    private final int number;
    private final Duration before;
    private final BodyCall body;
    private final Attempt attempt;
    private final StepEffects steps;
    private final HandedKey handed;
    private boolean keyTaken;
    private BodyChanges behind = BodyChanges.NOTHING;
    private boolean left;

    /**
     * An attempt.
     *
     * @param number from 1
     * @param before how long earlier attempts have run
     * @param memory of steps that they have recorded
     * @param handed the key of the call
     */
    BodyEntry(OneCall call, OneCall.Ready ready, int number, Duration before, StepMemory memory,
            HandedKey handed) {
        this.call = call;
        this.ready = ready;
        this.number = number;
        this.before = before;
        this.handed = handed;
        this.body = call.body(ready);
        this.attempt = new Attempt(body, before);
        this.steps = new StepEffects(body, number, attempt, memory);
    }

    static EffectKey outcomeKey(int number) {
        return new EffectKey("outcome/" + number);
    }

    /**
     * Enters the body; throws {@link Suspended} if it waits.
     *
     * @param taken its resource, if that is taken already
     */
    BodyEnd enter(EffectScope.@Nullable Held taken) {
        EffectScope.Held held;
        try {
            held = taken == null ? hold() : taken;
        } catch (ToolException cancelled) {
            return new BodyEnd.NotStarted(call.scope().cancellation().reason().orElse("cancelled"));
        }
        try {
            BodyEnd end = run(held == null ? call.scope().fence() : held.fence(), () -> {
                left = true;
                return () -> release(held);
            });
            return after(end);
        } finally {
            if (!left) {
                release(held);
            }
        }
    }

    private BodyEnd run(Fence fence, Supplier<Runnable> keep) {
        var context = new RuntimeToolContext(body, attempt,
                new RuntimeToolContext.Powers(issued -> false, fence, steps));
        var prepared = new PreparedCall(ready.definition(), ready.arguments(), ready.preparation().payload(),
                context.given());
        var late = call.scope().lateSink(outcomeKey(number));
        boolean answered = false;
        try {
            BodyEnd end = attempt.run(new AttemptBody(() -> call.tools().provider().execute(prepared),
                    call.scope()::handOver, keep, late, true));
            answered = end instanceof BodyEnd.Answered;
            return end;
        } finally {
            call.scope().takeBack();
            steps.end();
            context.end(answered);
            keyTaken = context.keyTaken();
            handed.handedOut(keyTaken);
            behind = context.left();
            call.hooks().body(behind.changes());
        }
    }

    private BodyEnd after(BodyEnd end) {
        if (!steps.suspended()) {
            return end;
        }
        if (!(end instanceof BodyEnd.Waits)) {
            LOG.warn("suspension_swallowed: tool {} caught Suspended; what it did after that is discarded. "
                    + "Let it pass: catch Exception rather than Throwable", ready.definition().name());
        }
        throw Suspended.INSTANCE;
    }

    /**
     * What is recorded of the end.
     *
     * @param spent by attempts before this one that are not entered again
     */
    AttemptRecord settle(BodyEnd end, List<Json> spent, Effect.Running running) {
        AttemptRecord ended = new AttemptSettlement(call, ready, new AttemptSettlement.Place(number, number),
                before.plus(attempt.deadlines().used()),
                attempt.isOver(), handed)
                .settle(end, keyTaken, steps.effectOpen(), running);
        BodyChanges changes = behind.doubting(steps.doubts()).after(spent);
        boolean open = ended instanceof AttemptRecord.Held || ended instanceof AttemptRecord.Unsure;
        return ended.with(open ? changes.remembering(steps.memory().toJson()) : changes);
    }

    private EffectScope.@Nullable Held hold() {
        try {
            String resource = ready.resource();
            return resource == null
                    ? null
                    : call.scope().hold(new EffectKey("resource/" + number), resource);
        } catch (CallEnded missing) {
            throw new IllegalStateException("a resumable call passed its gate without its resource key",
                    missing);
        }
    }

    private static void release(EffectScope.@Nullable Held held) {
        if (held != null) {
            held.release().run();
        }
    }
}
