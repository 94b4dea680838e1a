package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
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
import dev.belay.tool.option.RetryAdvice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One step of a resumable body, as it is recorded. Runs on the body's thread. */
final class StepEffect implements Effect<Json> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final EffectKey key;
    private final String stepId;
    private final Json input;
    private final ToolEffect effect;
    private final DurableEffects.StepReconciler reconciler;
    private final DurableEffects.Step body;
    private final BodyCall call;
    private final Attempt attempt;

    StepEffect(EffectKey key, String stepId, Json input, ToolEffect effect,
            DurableEffects.StepReconciler reconciler, DurableEffects.Step body, BodyCall call,
            Attempt attempt) {
        this.key = key;
        this.stepId = stepId;
        this.input = input;
        this.effect = effect;
        this.reconciler = reconciler;
        this.body = body;
        this.call = call;
        this.attempt = attempt;
    }

    /** Whether a failure says that the step is in doubt. */
    boolean inDoubt(ToolException failed) {
        return failed.failure().mayHaveHappened() && failed.code().equals("in_doubt");
    }

    @Override
    public EffectKey key() {
        return key;
    }

    @Override
    public Json identity() {
        return Json.write(
                out -> out.beginObject().name("step").value(stepId).name("input").value(input).endObject());
    }

    @Override
    public String kind() {
        return "step";
    }

    @Override
    public Plan plan() {
        return Plan.of(effect, input);
    }

    @Override
    public Json run(Running running) {
        try {
            Json value = attempt.shield().outside(() -> body.run(running.input()));
            return answer(value);
        } catch (ToolException | JournalException described) { // a store that fails is no answer of the step
            throw described;
        } catch (Throwable e) {
            Fatal.rethrow(e);
            throw failure(e);
        }
    }

    private Json answer(@Nullable Json value) {
        if (value == null) {
            ToolFailure failure = ToolFailure.of(ToolFailure.Kind.EXECUTION, "tool_threw",
                    "step \"" + stepId + "\" returned null; return Json.NULL for nothing");
            throw new ToolException(effect == ToolEffect.ONCE ? failure.thatMayHaveHappened() : failure);
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
        Reconciliation<Json> found;
        try {
            found = attempt.shield().outside(() -> reconciler.reconcile(started.input()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JournalException.closed(); // the process stops; the next one asks
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("The reconciler of step {} of tool {} threw; the step stays in doubt", stepId,
                    call.definition().name(), e);
            found = Reconciliation.unknown();
        }
        return switch (found) {
            case Reconciliation.Happened<Json>(Json value) -> value;
            case Reconciliation.DidNotHappen<Json>(String reason) when started.startAgain(null) ->
                run(started);
            case Reconciliation.DidNotHappen<Json>(String reason) -> throw new ToolException(
                    ToolFailure.ofRuntime(ToolFailure.Kind.EXECUTION, "did_not_happen", "step \"" + stepId
                            + "\" was stopped and did not happen: " + reason));
            case Reconciliation.Unknown<Json>(String known) -> {
                started.doubts(key, open(started.input(), started.isOver(), known));
                throw new InDoubtException(stepId);
            }
        };
    }

    private OpenDoubt open(Json recorded, boolean over, String known) {
        ToolDefinition definition = call.definition();
        LOG.warn("Step {} of tool {} may have happened: call {} of turn {} of session {}", stepId,
                definition.name(), call.call().id(), call.call().place().turn(),
                call.owner().lineage().session());
        return new OpenDoubt(
                new OpenDoubt.Call(call.owner().lineage().session(), call.call().place().turn(),
                        call.call().id().value(), definition.id(), definition.name(), stepId, recorded,
                        definition.fingerprint().value(), null,
                        IdempotencyKey.of(call.call().place(), definition.id(), stepId).value()),
                call.guard().get(), null, null, null, over, false, "in_doubt",
                "step \"" + stepId + "\" started and left no outcome"
                        + (known.isEmpty() ? "" : "; " + known));
    }
}
