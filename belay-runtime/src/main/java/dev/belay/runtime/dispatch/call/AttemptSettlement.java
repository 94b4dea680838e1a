package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.body.BodyEnd;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.context.TurnControl;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the end of a body into its record: an outcome, another attempt, or a wait. */
final class AttemptSettlement {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final OneCall call;
    private final OneCall.Ready ready;
    private final int number;
    private final Duration used;

    /**
     * For one attempt.
     *
     * @param ready what it ran with
     * @param number which attempt
     * @param used how long all attempts have run
     */
    AttemptSettlement(OneCall call, OneCall.Ready ready, int number, Duration used) {
        this.call = call;
        this.ready = ready;
        this.number = number;
        this.used = used;
    }

    /**
     * Settles an attempt.
     *
     * @param end how the body ended
     * @param keyTaken whether it took its key
     * @param effectOpen whether something was started that must not be repeated and has not answered
     * @param opens opens a wait together with the record
     */
    AttemptRecord settle(BodyEnd end, boolean keyTaken, boolean effectOpen, Consumer<OpenWait> opens) {
        try {
            return record(end, keyTaken, effectOpen, opens);
        } catch (VirtualMachineError inHook) {
            return broken(name(), effectOpen, inHook);
        }
    }

    private AttemptRecord record(BodyEnd end, boolean keyTaken, boolean effectOpen,
            Consumer<OpenWait> opens) {
        return switch (end) {
            case BodyEnd.Answered(BodyRunner.Ended.With(ToolOutcome outcome, TurnControl control)) ->
                answered(keyTaken ? first(outcome, control) : outcome, control);
            case BodyEnd.Answered(BodyRunner.Ended.Parked(PendingCompletion completion)) ->
                parked(completion, keyTaken, opens);
            case BodyEnd.Expired(String why) ->
                ended(accepted(keyTaken).orElseGet(() -> unanswered(effectOpen, timeout(why))));
            case BodyEnd.Stopped(String reason) -> ended(accepted(keyTaken).orElseGet(() -> effectOpen
                    ? unanswered(true, cancelled(reason))
                    : new ToolOutcome.Cancelled(reason)));
            case BodyEnd.NotStarted(String reason) ->
                new AttemptRecord.Ended(new ToolOutcome.Cancelled(reason));
            case BodyEnd.Broken(VirtualMachineError error) ->
                new AttemptRecord.Ended(unanswered(effectOpen, failure(name(), effectOpen, error)),
                        Aftermath.FAILS);
            case BodyEnd.Waits waits -> unusable(ToolFailure.of(
                    ToolFailure.Kind.EXECUTION, "tool_threw",
                    "tool " + name()
                            + " is not resumable and threw Suspended, which only a host may throw"));
        };
    }

    /** What was accepted for the key that a body has taken. */
    private Optional<ToolOutcome> accepted(boolean keyTaken) {
        return keyTaken
                ? call.scope().settled(AttemptRecord.COMPLETION).flatMap(Completion::said)
                : Optional.empty();
    }

    /** The first answer for a body that took its key and answers itself. Its answer closes the wait, unless another attempt follows. */
    private ToolOutcome first(ToolOutcome own, TurnControl control) {
        boolean again = control == TurnControl.GO_ON
                && own instanceof ToolOutcome.Failure(ToolFailure failure)
                && mayRetry(failure);
        Optional<ToolOutcome> accepted = again
                ? accepted(true)
                : Completion.said(call.scope()
                        .settle(AttemptRecord.COMPLETION,
                                new Resolution.Cancelled("the tool answered itself")));
        return accepted.orElse(own);
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

    /** What the tool's author can find out about an effect that did not answer; empty if nothing. */
    static Optional<ToolOutcome> reconcile(ToolDefinition definition, RecordedCall recorded) {
        RecordedCall.Reconciler reconciler = definition.reconciler().orElse(null);
        if (reconciler == null) {
            return Optional.empty();
        }
        try {
            return Objects.requireNonNull(reconciler.reconcile(recorded), "a reconciler returned null")
                    .map(outcome -> outcome instanceof ToolOutcome.Success(var value)
                            ? OneCall.contained(definition, () -> value)
                            : outcome);
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("The reconciler of tool {} threw; its call stays in doubt", definition.name(), e);
            return Optional.empty();
        }
    }

    private AttemptRecord answered(ToolOutcome outcome, TurnControl control) {
        if (control != TurnControl.GO_ON) {
            return new AttemptRecord.Ended(AfterHooks.apply(call, ready, outcome),
                    new Aftermath(control, List.of()));
        }
        if (!(outcome instanceof ToolOutcome.Failure(ToolFailure failure))) {
            return ended(outcome);
        }
        if (mayRetry(failure)) {
            Duration delay = Backoff.draw(manifest().retry(), number, failure.retry().after(),
                    call.settings().bodies().random());
            return new AttemptRecord.Retry(failure, delay, call.settings().bodies().time().now().plus(delay),
                    used,
                    ready.preparation());
        }
        return ended(number == 1 ? outcome : new ToolOutcome.Failure(afterAttempts(failure)));
    }

    private boolean mayRetry(ToolFailure failure) {
        RetryPolicy policy = manifest().retry();
        boolean repeatable = manifest().effect() != ToolEffect.ONCE || manifest().resumable();
        return repeatable && failure.retry().allowed() && number < policy.attempts()
                && used.compareTo(call.settings().total(ready.definition())) < 0
                && !call.scope().cancellation().isRequested();
    }

    private ToolFailure afterAttempts(ToolFailure failure) {
        return new ToolFailure(failure.kind(), failure.code(),
                failure.message() + " (after " + number + " attempts)", failure.source(), failure.retry(),
                failure.mayHaveHappened());
    }

    private AttemptRecord parked(PendingCompletion completion, boolean keyTaken, Consumer<OpenWait> opens) {
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
        opens.accept(new OpenWait(AttemptRecord.COMPLETION, OpenWait.Kind.COMPLETION, completion.deadline(),
                completion.announcement()));
        return new AttemptRecord.Parked(completion, ready.preparation());
    }

    private ToolOutcome unanswered(boolean effectOpen, ToolFailure failure) {
        if (!effectOpen) {
            return new ToolOutcome.Failure(failure);
        }
        return reconcile(ready.definition(), ready.preparation().recordedCall(call.call()))
                .orElseGet(() -> new ToolOutcome.Failure(failure.thatMayHaveHappened()));
    }

    private AttemptRecord unusable(ToolFailure failure) {
        return ended(BodyRunner.refused(ready.definition(), failure));
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
