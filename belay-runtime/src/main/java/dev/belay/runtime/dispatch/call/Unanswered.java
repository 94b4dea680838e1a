package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.body.Questions;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.BodyChanges;
import dev.belay.runtime.dispatch.record.HeldAnswer;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.context.TurnControl;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.RetryAdvice;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that must not be repeated and ended without an answer of its body. The reconciler of its tool is asked; if that cannot
 * tell, a doubt is opened with the record of the attempt.
 */
final class Unanswered {

    private final OneCall call;
    private final EffectKey record;
    private final Preparation preparation;
    private final OneCall.@Nullable Ready ready;
    private final Effect.Running running;
    private final ToolFailure failure;
    private final HandedKey key;
    private boolean over;
    private boolean mayWait;
    private boolean holds;
    private TurnControl control = TurnControl.GO_ON;
    private @Nullable String owner;
    private boolean hooks = true;
    private Supplier<@Nullable AttemptRecord> again = () -> null;
    private BodyChanges left = BodyChanges.NOTHING;

    /**
     * An attempt.
     *
     * @param record the record whose late answer would settle the doubt
     * @param preparation what it ran with
     * @param ready the same with the tool of today; null if that does not fit any more
     * @param failure what the model is told if nothing is found out
     * @param running takes the doubt
     * @param key of the call
     */
    Unanswered(OneCall call, EffectKey record, Preparation preparation, OneCall.@Nullable Ready ready,
            ToolFailure failure, Effect.Running running, HandedKey key) {
        this.call = call;
        this.record = record;
        this.preparation = preparation;
        this.ready = ready;
        this.failure = failure;
        this.key = key;
        this.running = running;
    }

    /**
     * What is known of its body.
     *
     * @param by whose process ran it, or null
     * @param isOver whether it cannot run any more
     */
    Unanswered ranBy(@Nullable String by, boolean isOver) {
        owner = by;
        over = isOver;
        return this;
    }

    /** Hooks do not see it: they have failed. */
    Unanswered unseen() {
        hooks = false;
        return this;
    }

    /** What its body has left behind, if that is recorded. */
    Unanswered left(BodyChanges recorded) {
        left = recorded;
        return this;
    }

    /** The call may wait: for a reconciler that throws, and for a person if its tool wants that. */
    Unanswered mayWait() {
        mayWait = true;
        return this;
    }

    /** The call waits for a person whatever its tool says about doubts, because its tool has changed and wants a person to be asked. */
    Unanswered holds(boolean always) {
        holds = always;
        return this;
    }

    /** The turn ends with it. */
    Unanswered failsTurn() {
        control = TurnControl.FAIL;
        return this;
    }

    /** How it is run again if it did not happen; gives null if it cannot. */
    Unanswered again(Supplier<@Nullable AttemptRecord> once) {
        again = once;
        return this;
    }

    /**
     * Asks the key that was handed out, then the reconciler.
     *
     * @param asked how often that was asked before
     */
    AttemptRecord ask(int asked) {
        Optional<ToolOutcome> accepted = key.accepted();
        if (accepted.isPresent()) {
            ToolOutcome said = accepted.get();
            return ended(ready == null ? AfterHooks.apply(call, preparation, said) : said, null);
        }
        Reconciliation<ToolOutcome> found = Questions.ask("tool " + preparation.tool(), asked, mayWait,
                this::reconcile);
        return switch (found) {
            case null -> new AttemptRecord.Unsure(failure, asked + 1,
                    call.settings().bodies().time().now().plus(Questions.pause(asked)), over, owner,
                    preparation, left);
            case Reconciliation.Happened<ToolOutcome>(ToolOutcome outcome) -> ended(outcome, null);
            case Reconciliation.DidNotHappen<ToolOutcome>(String reason) -> notDone(reason);
            case Reconciliation.Unknown<ToolOutcome>(String known) -> doubt(known);
        };
    }

    private Reconciliation<ToolOutcome> reconcile() throws Exception {
        RecordedCall.Reconciler reconciler = ready == null
                ? null
                : ready.definition().reconciler().orElse(null);
        if (reconciler == null) {
            return Reconciliation.unknown();
        }
        Reconciliation<ToolOutcome> found = reconciler.reconcile(preparation.recordedCall(call.call()));
        return found instanceof Reconciliation.Happened<ToolOutcome>(ToolOutcome.Success(var value))
                && ready != null
                        ? Reconciliation.happened(OneCall.contained(ready.definition(), () -> value))
                        : found;
    }

    private AttemptRecord notDone(String reason) {
        AttemptRecord repeated = again.get();
        return repeated != null
                ? repeated
                : ended(new ToolOutcome.Failure(HeldAnswer.notDone(failure, reason)), null);
    }

    /** Opens a doubt. */
    AttemptRecord doubt(String known) {
        ToolFailure told = new ToolFailure(failure.kind(), failure.code(),
                failure.message() + (known.isEmpty() ? "" : "; " + known), failure.source(),
                RetryAdvice.NEVER, failure.mayHaveHappened()).thatMayHaveHappened();
        boolean hold = holds || (mayWait && ready != null
                && ready.definition().manifest().onDoubt() == OnDoubt.HOLD);
        WaitName wait = hold ? HeldAnswer.wait(record.value()) : null;
        String id = running.doubts(record, open(wait, told));
        if (wait != null) {
            running.opens(new OpenWait(wait, OpenWait.Kind.COMPLETION, null, null));
            return new AttemptRecord.Held(told, id, preparation, left);
        }
        return ended(new ToolOutcome.Failure(told), id);
    }

    private OpenDoubt open(@Nullable WaitName wait, ToolFailure told) {
        var recorded = preparation.recordedCall(call.call());
        ToolDefinition tool = ready == null ? null : ready.definition();
        JsonSchema output = tool == null ? null : tool.contract().output();
        return new OpenDoubt(
                new OpenDoubt.Call(call.dispatch().owner().lineage().session(), call.call().place().turn(),
                        recorded.callId().value(), recorded.tool(), call.call().name(), null,
                        recorded.arguments(),
                        preparation.fingerprint().value(), output == null ? null : output.kept(),
                        recorded.idempotencyKey().value()),
                call.guard(preparation), ready == null ? null : ready.knownResource(),
                AttemptRecord.COMPLETION, wait, over, owner,
                told.code(),
                told.message());
    }

    private AttemptRecord ended(ToolOutcome outcome, @Nullable String doubt) {
        return new AttemptRecord.Ended(
                ready == null || !hooks ? outcome : AfterHooks.apply(call, ready, outcome),
                new Aftermath(control, List.of(), doubt, List.of())).with(left);
    }
}
