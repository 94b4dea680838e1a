package dev.belay.runtime.dispatch.call;

import dev.belay.BelayException;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.output.OutputProjector.CallerView;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.engine.BatchViews;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolOutcome;
import java.util.Optional;

/**
 * One call, from what the model said to how it ended, in nine stages: admit, decode, before-hooks, validate, prepare, gate
 * ({@link CallStages}), attempt, after-hooks, project.
 *
 * <p><b>Concurrency.</b> Confined to the thread of the call's scope. <b>Durability.</b> Stages 1 to 6 run inside the first
 * attempt's effect ({@link AttemptEffect}), so that their decisions are recorded with it and made once. <b>Recovery.</b> The
 * pipeline is entered again from the top; recorded effects are answered, and an answer leads to the same next effect.
 */
final class CallPipeline {

    private final OneCall one;

    CallPipeline(OneCall one) {
        this.one = one;
    }

    /** Takes the call through its stages; each may end it. */
    ToolOutcome run() {
        AttemptRecord attempted = attempt();
        one.hooks().leaveBefore();
        ToolOutcome outcome = complete(attempted);
        one.hooks().leaveAfter();
        return project(outcome);
    }

    /** 1 to 7: the stages before the body, then the body, as often as it takes. */
    private AttemptRecord attempt() {
        AttemptRecord.Retry failed = null;
        AskedCall.Decided decided = null;
        int asked = 0;
        boolean begun = false;
        for (int number = 1;; number++) {
            var effect = new AttemptEffect(one, number, new AttemptEffect.Before(asked, failed, decided));
            AttemptRecord attempted = AskAgain.settled(one, effect.key(), recorded(effect));
            if (attempted instanceof AttemptRecord.Asked asks) {
                one.dispatch().owner().asked(one.events().call());
                var waiting = new AskedCall(one, number, asks);
                AskedAnswer answer = waiting.await();
                begun |= failed != null || asks.request() != null;
                Optional<ToolOutcome> over = answer.outcome();
                if (over.isPresent()) {
                    return waiting.ended(over.get(), begun);
                }
                decided = waiting.decided(answer, begun);
                asked++;
                continue;
            }
            decided = null;
            switch (attempted) {
                case AttemptRecord.Entered entered -> {
                    return new ResumableBody(one, entered, effect.held(), !effect.performed()).run();
                }
                case AttemptRecord.Retry retry -> {
                    one.pause(retry);
                    failed = retry;
                }
                case AttemptRecord over -> {
                    return over;
                }
            }
        }
    }

    /** An attempt in doubt is recorded as a failure of the effect itself. */
    private AttemptRecord recorded(AttemptEffect effect) {
        try {
            AttemptRecord attempted = one.scope().run(effect);
            one.settings().told().forgetStart(one.events().call());
            return attempted;
        } catch (ToolException doubt) {
            var outcome = new ToolOutcome.Failure(doubt.failure());
            if (effect.performed()) {
                one.events().finished(outcome);
            }
            return new AttemptRecord.Ended(outcome);
        } catch (BelayException unwritten) {
            EffectScope.Held held = effect.held();
            if (held != null) {
                held.release().run();
            }
            throw unwritten;
        }
    }

    /** 8: waits for a parked call. After-hooks of a body that returned have run within its attempt, those of a completion run here. */
    private ToolOutcome complete(AttemptRecord attempted) {
        return switch (attempted) {
            case AttemptRecord.Ended(ToolOutcome outcome, Aftermath aftermath) -> {
                one.leaves(aftermath);
                yield outcome;
            }
            case AttemptRecord.Parked parked -> {
                ToolOutcome outcome = new Completion(one, parked).await();
                if (one.settings().told().first(one.events().call())) {
                    one.events().finished(outcome);
                }
                yield outcome;
            }
            case AttemptRecord.Retry retry -> throw new IllegalStateException("attempts go on: " + retry);
            case AttemptRecord.Entered entered ->
                throw new IllegalStateException("a body goes on: " + entered);
            case AttemptRecord.Unsure unsure -> throw new IllegalStateException("it is asked: " + unsure);
            case AttemptRecord.Held held -> throw new IllegalStateException("it waits: " + held);
            case AttemptRecord.Asked asked -> throw new IllegalStateException("it asks: " + asked);
        };
    }

    /** 9: makes what the caller sees of the outcome. */
    private ToolOutcome project(ToolOutcome outcome) {
        CallerView view = one.settings().callerView();
        if (view.equals(CallerView.WHOLE)) {
            return outcome;
        }
        String tool = one.call().name();
        return BatchViews.forCaller(view, ToolOutput.of(tool, outcome,
                one.tools().find(tool).map(found -> found.manifest().budget()).orElse(null)),
                BatchViews.Watch.NONE);
    }
}
