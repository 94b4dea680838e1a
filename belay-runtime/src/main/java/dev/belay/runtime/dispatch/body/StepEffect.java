package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One step of a resumable body, as it is recorded, or one more question about it if its reconciler threw. Runs on the body's thread.
 *
 * <p><b>Recovery.</b> A {@code ONCE} step that was found started asks its reconciler. Two of its records are failures that no body sees,
 * because {@link StepEffects} goes on from them: {@link RecordedDoubts#UNSURE} and {@link RecordedDoubts#HELD}.
 */
final class StepEffect implements Effect<Json> {

    /**
     * What a body asks for.
     *
     * @param key of its first record
     * @param id its name
     */
    record Work(EffectKey key, String id, Json input, ToolEffect effect,
            DurableEffects.StepReconciler reconciler, DurableEffects.Step body) {

        /** The same work as a new run, because the first one did not happen. */
        Work again() {
            return new Work(new EffectKey("again/" + key.value()), id, input, effect, reconciler, body);
        }

        /** The wait at which it stays while it is in doubt. */
        WaitName doubtWait() {
            return new WaitName("doubt/" + key.value());
        }
    }

    private final Work work;
    private final BodyCall call;
    private final Attempt attempt;
    private final int asked;
    private final boolean isOver;
    private @Nullable String opened;
    private boolean holds;
    private @Nullable ToolOutcome said;

    /** The first run of a step. */
    StepEffect(Work work, BodyCall call, Attempt attempt) {
        this(work, call, attempt, 0, true);
    }

    /**
     * A step, or a question about it.
     *
     * @param asked how often its reconciler was asked before
     * @param isOver whether the run that is asked about is over
     */
    private StepEffect(Work work, BodyCall call, Attempt attempt, int asked, boolean isOver) {
        this.work = work;
        this.call = call;
        this.attempt = attempt;
        this.asked = asked;
        this.isOver = isOver;
    }

    Work work() {
        return work;
    }

    /** The doubt that this run has opened; null if it has opened none. */
    @Nullable
    String opened() {
        return opened;
    }

    /** Whether it waits until its doubt is settled. */
    boolean holds() {
        return holds;
    }

    /** The id of the doubt about the step, whether there is one or not. */
    String doubtId() {
        return Doubt.id(call.scope().id().value(),
                call.call().child().value() + "/" + work.key().value());
    }

    /** The next question to a reconciler that threw. */
    StepEffect next(ToolFailure unsure) {
        return new StepEffect(work, call, attempt, asked + 1, unsure.retry().allowed());
    }

    /** The record of the moment at which the next question is due. */
    EffectKey due() {
        return new EffectKey("due/" + (asked + 2) + "/" + work.key().value());
    }

    /** How long after the question that failed. */
    Duration pause() {
        return Questions.pause(asked);
    }

    @Override
    public EffectKey key() {
        return asked == 0 ? work.key() : new EffectKey("asked/" + (asked + 1) + "/" + work.key().value());
    }

    @Override
    public Json identity() {
        return Json.write(out -> out.beginObject()
                .name("step")
                .value(work.id())
                .name("input")
                .value(work.input())
                .endObject());
    }

    @Override
    public String kind() {
        return "step";
    }

    @Override
    public Plan plan() {
        return Plan.of(work.effect(), work.input());
    }

    @Override
    public Json run(Running running) {
        return asked == 0
                ? perform(running.input())
                : ask(running, isOver, () -> isOver && !call.scope().cancellation().isRequested());
    }

    /** What its body has said, though no record could be written of it; throws that, if there is nothing. */
    Json said(FencedException unwritten) {
        return switch (said) {
            case ToolOutcome.Success(Json value) -> value;
            case ToolOutcome.Failure(ToolFailure failure) -> throw new ToolException(failure);
            case null, default -> throw unwritten;
        };
    }

    private Json perform(Json input) {
        try {
            Json value = answer(attempt.shield().outside(() -> work.body().run(input)));
            said = new ToolOutcome.Success(value);
            return value;
        } catch (ToolException described) {
            said = new ToolOutcome.Failure(described.failure());
            throw described;
        } catch (JournalException described) { // a store that fails is no answer of the step
            throw described;
        } catch (Throwable e) {
            Fatal.rethrow(e);
            throw failure(e);
        }
    }

    private Json answer(@Nullable Json value) {
        if (value == null) {
            ToolFailure failure = ToolFailure.of(ToolFailure.Kind.EXECUTION, "tool_threw",
                    "step \"" + work.id() + "\" returned null; return Json.NULL for nothing");
            throw new ToolException(
                    work.effect() == ToolEffect.ONCE ? failure.thatMayHaveHappened() : failure);
        }
        return value;
    }

    /** What the step threw is its failure, except if it was stopped: then it has none, and nothing is recorded. */
    private RuntimeException failure(Throwable thrown) {
        if (attempt.isClosing()) {
            return new StepStopped();
        }
        BodyRunner.Ended ended = BodyRunner.run(call.definition(), attempt.token(), () -> {
            throw thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
        });
        if (ended instanceof BodyRunner.Ended.With(ToolOutcome.Failure(ToolFailure failure), var control)) {
            return new ToolException(failure, thrown);
        }
        return new StepStopped();
    }

    /** Leaves a step without a record of how it ended. */
    static final class StepStopped extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StepStopped() {
            super("the step was stopped before it had an answer", null, false, false);
        }

        ToolException toFailure() {
            return new ToolException(new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled",
                    String.valueOf(getMessage()), ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
        }
    }

    @Override
    public Json encode(Json value) {
        return value;
    }

    @Override
    public Json decode(Json recorded) {
        return recorded;
    }

    @Override
    public Json doubt(Running started) {
        boolean over = isOver && started.isDead(started.owner());
        return ask(started, over, () -> over && started.startAgain(null));
    }

    private Json ask(Running started, boolean over, BooleanSupplier mayRun) {
        boolean mayWait = !call.scope().cancellation().isRequested();
        Reconciliation<Json> found = Questions.ask(
                "step " + work.id() + " of tool " + call.definition().name(),
                asked, mayWait,
                () -> attempt.shield().outside(() -> work.reconciler().reconcile(started.input())));
        return switch (found) {
            case null ->
                throw new ToolException(new ToolFailure(ToolFailure.Kind.UNAVAILABLE, RecordedDoubts.UNSURE,
                        "the reconciler of step \"" + work.id() + "\" threw", ToolFailure.Source.RUNTIME,
                        over ? RetryAdvice.ALLOWED : RetryAdvice.NEVER, true));
            case Reconciliation.Happened<Json>(Json value) -> value;
            case Reconciliation.DidNotHappen<Json>(String reason) when mayRun.getAsBoolean() ->
                perform(started.input());
            case Reconciliation.DidNotHappen<Json>(String reason) -> throw didNotHappen(reason);
            case Reconciliation.Unknown<Json>(String known) -> throw unknown(started, over, mayWait, known);
        };
    }

    /** The failure of a step that did not happen and is not run again. */
    ToolException didNotHappen(String reason) {
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.EXECUTION, "did_not_happen",
                "step \"" + work.id() + "\" was stopped and did not happen: " + reason));
    }

    private ToolException unknown(Running started, boolean over, boolean mayWait, String known) {
        ToolDefinition definition = call.definition();
        holds = mayWait && definition.manifest().onDoubt() == OnDoubt.HOLD;
        WaitName wait = holds ? work.doubtWait() : null;
        var about = new OpenDoubt(
                new OpenDoubt.Call(call.owner().lineage().session(), call.call().place().turn(),
                        call.call().id().value(), definition.id(), definition.name(), work.id(),
                        started.input(), definition.fingerprint().value(), null,
                        IdempotencyKey.of(call.call().place(), definition.id(), work.id()).value()),
                call.doubts().guard(), call.doubts().resource(), null, wait, over,
                asked == 0 ? started.owner() : null, "in_doubt",
                "step \"" + work.id() + "\" started and left no outcome"
                        + (known.isEmpty() ? "" : "; " + known));
        opened = started.doubts(work.key(), about);
        if (wait == null) {
            return new InDoubtException(work.id());
        }
        started.opens(new OpenWait(wait, OpenWait.Kind.COMPLETION, null, null));
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, RecordedDoubts.HELD,
                "step \"" + work.id() + "\" waits until it is known whether it happened")
                .thatMayHaveHappened());
    }
}
