package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.body.BodyEnd;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.context.TurnControl;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** Turns the end of a body into its record: an outcome, another attempt, or a wait. */
final class AttemptSettlement {

    private final OneCall call;
    private final OneCall.Ready ready;
    private final int number;
    private final int tries;
    private final Duration used;
    private final boolean over;
    private final HandedKey key;

    /**
     * Which attempt.
     *
     * @param number in the order of the records
     * @param tries how many bodies have run, this one included
     */
    record Place(int number, int tries) {}

    /**
     * For one attempt.
     *
     * @param ready what it ran with
     * @param place which attempt
     * @param used how long all attempts have run
     * @param over whether the thread of the body has ended
     * @param key of the call
     */
    AttemptSettlement(OneCall call, OneCall.Ready ready, Place place, Duration used, boolean over,
            HandedKey key) {
        this.call = call;
        this.ready = ready;
        this.number = place.number();
        this.tries = place.tries();
        this.used = used;
        this.over = over;
        this.key = key;
    }

    /**
     * Settles an attempt.
     *
     * @param end how the body ended
     * @param keyTaken whether it took its key
     * @param effectOpen whether something was started that must not be repeated and has not answered
     * @param running takes the wait and the doubt that are opened together with the record
     */
    AttemptRecord settle(BodyEnd end, boolean keyTaken, boolean effectOpen, Effect.Running running) {
        try {
            return record(end, keyTaken, effectOpen, running);
        } catch (VirtualMachineError inHook) {
            return effectOpen && !(end instanceof BodyEnd.Answered)
                    ? unanswered(failure(name(), true, inHook), running).failsTurn().unseen().doubt("")
                    : broken(name(), effectOpen, inHook);
        }
    }

    private AttemptRecord record(BodyEnd end, boolean keyTaken, boolean effectOpen,
            Effect.Running running) {
        return switch (end) {
            case BodyEnd.Answered(BodyRunner.Ended.With(ToolOutcome.Failure(ToolFailure failure), TurnControl control)) when effectOpen
                    && control == TurnControl.GO_ON && failure.mayHaveHappened()
                    && failure.source() == ToolFailure.Source.TOOL ->
                // the body itself does not know, as when its connection broke after the request was sent
                unanswered(failure, running).mayWait().ask(0);
            case BodyEnd.Answered(BodyRunner.Ended.With(ToolOutcome outcome, TurnControl control)) ->
                answered(outcome, control);
            case BodyEnd.Answered(BodyRunner.Ended.Parked(PendingCompletion completion)) ->
                parked(completion, keyTaken, running);
            case BodyEnd.Expired(String why) -> effectOpen
                    ? unanswered(timeout(why), running).mayWait().ask(0)
                    : unlessAccepted(new ToolOutcome.Failure(timeout(why)));
            case BodyEnd.Stopped(String reason) -> effectOpen
                    ? unanswered(cancelled(reason), running).ask(0)
                    : unlessAccepted(new ToolOutcome.Cancelled(reason));
            case BodyEnd.NotStarted(String reason) -> new AttemptRecord.Ended(key.accepted()
                    .map(said -> AfterHooks.apply(call, ready, said))
                    .orElseGet(() -> new ToolOutcome.Cancelled(reason)));
            case BodyEnd.Broken(VirtualMachineError error) ->
                effectOpen
                        ? unanswered(failure(name(), true, error), running).failsTurn().ask(0)
                        : new AttemptRecord.Ended(new ToolOutcome.Failure(failure(name(), false, error)),
                                Aftermath.FAILS);
            // no record: the scope is entered again when the store works, and finds what was started in doubt
            case BodyEnd.StoreFailed(JournalException failure) -> throw failure;
            case BodyEnd.Waits waits -> unusable(ToolFailure.of(
                    ToolFailure.Kind.EXECUTION, "tool_threw",
                    "tool " + name()
                            + " is not resumable and threw Suspended, which only a host may throw"));
        };
    }

    /** The end of a call without an answer of its body; what was accepted for its key counts. */
    private AttemptRecord unlessAccepted(ToolOutcome outcome) {
        return ended(key.accepted().orElse(outcome));
    }

    /**
     * The end of a call in which the virtual machine failed. It ends the turn too.
     *
     * @param effectOpen whether something was started that must not be repeated and has not answered
     */
    static AttemptRecord broken(String tool, boolean effectOpen, VirtualMachineError error) {
        return new AttemptRecord.Ended(new ToolOutcome.Failure(failure(tool, effectOpen, error)),
                Aftermath.FAILS);
    }

    private static ToolFailure failure(String tool, boolean effectOpen, VirtualMachineError error) {
        String what = "the virtual machine failed in tool " + tool + ": " + error.getClass().getSimpleName();
        return effectOpen
                ? ToolFailure.inDoubt(what)
                : ToolFailure.of(ToolFailure.Kind.EXECUTION, "tool_threw", what);
    }

    /** A body that answers itself; another attempt may follow, unless an answer was accepted. */
    private AttemptRecord answered(ToolOutcome own, TurnControl control) {
        ToolOutcome outcome = key.accepted().orElse(own);
        if (control != TurnControl.GO_ON) {
            return new AttemptRecord.Ended(AfterHooks.apply(call, ready, outcome),
                    new Aftermath(control, List.of()));
        }
        if (key.isTaken() || !(outcome instanceof ToolOutcome.Failure(ToolFailure failure))) {
            return ended(outcome);
        }
        if (mayRetry(failure)) {
            Duration delay = Backoff.draw(manifest().retry(), tries, failure.retry().after(),
                    call.settings().bodies().random());
            return new AttemptRecord.Retry(failure, delay, call.settings().bodies().time().now().plus(delay),
                    used,
                    ready.preparation());
        }
        return ended(tries == 1 ? outcome : new ToolOutcome.Failure(afterAttempts(failure)));
    }

    private boolean mayRetry(ToolFailure failure) {
        RetryPolicy policy = manifest().retry();
        boolean repeatable = manifest().effect() != ToolEffect.ONCE || manifest().resumable();
        return repeatable && failure.retry().allowed() && tries < policy.attempts()
                && used.compareTo(call.settings().total(ready.definition())) < 0
                && !call.scope().cancellation().isRequested();
    }

    private ToolFailure afterAttempts(ToolFailure failure) {
        return new ToolFailure(failure.kind(), failure.code(),
                failure.message() + " (after " + tries + " attempts)", failure.source(), failure.retry(),
                failure.mayHaveHappened());
    }

    private AttemptRecord parked(PendingCompletion completion, boolean keyTaken, Effect.Running running) {
        if (!keyTaken) {
            return unusable(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL,
                    "pending_tool_missing_completion_key", "tool " + name()
                            + " wants to be completed later but has not taken its completion key, without which that is"
                            + " impossible: call context.completionKey() before you return pending"));
        }
        if (!manifest().mayDefer()) {
            return unusable(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL,
                    "tool_deferral_not_declared", "tool " + name()
                            + " wants to be completed later but declares mayDefer = false"));
        }
        running.opens(new OpenWait(AttemptRecord.COMPLETION, OpenWait.Kind.COMPLETION, completion.deadline(),
                completion.announcement()));
        return new AttemptRecord.Parked(completion, ready.preparation());
    }

    private Unanswered unanswered(ToolFailure failure, Effect.Running running) {
        EffectKey ended = manifest().resumable()
                ? BodyEntry.outcomeKey(number)
                : AttemptEffect.key(number);
        return new Unanswered(call, ended, ready.preparation(), ready, failure, running, key)
                .ranBy(running.owner(), over);
    }

    private AttemptRecord unusable(ToolFailure failure) {
        return unlessAccepted(BodyRunner.refused(ready.definition(), failure));
    }

    private ToolFailure timeout(String why) {
        return ToolFailure.ofRuntime(ToolFailure.Kind.TIMEOUT, "tool_timeout", "tool " + name() + " " + why);
    }

    private ToolFailure cancelled(String reason) {
        return new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled",
                "tool " + name() + " was cancelled while it ran: " + reason,
                ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER);
    }

    private AttemptRecord ended(ToolOutcome outcome) {
        return new AttemptRecord.Ended(AfterHooks.apply(call, ready, outcome));
    }

    private ToolManifest manifest() {
        return ready.definition().manifest();
    }

    private String name() {
        return ready.definition().name();
    }
}
