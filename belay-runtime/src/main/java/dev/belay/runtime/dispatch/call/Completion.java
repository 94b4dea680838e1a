package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.context.TurnControl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A parked call, until it is completed.
 *
 * <p><b>Durability.</b> The wait was opened together with the record that the call parked; its settlement is a record of its
 * own. The outcome is a function of both and of today's tools, and is made again on each entry. <b>Recovery.</b>
 * Nothing is held while it waits; a host enters the scope again when the wait is settled.
 */
final class Completion {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final OneCall call;
    private final AttemptRecord.Parked parked;

    Completion(OneCall call, AttemptRecord.Parked parked) {
        this.call = call;
        this.parked = parked;
    }

    /** Waits for the completion; may throw {@link dev.belay.tool.context.Suspended}. */
    ToolOutcome await() {
        OneCall.Ready ready;
        try {
            ready = AskedCall.agreed(call, parked.call());
        } catch (CallEnded changed) {
            return accepted(call, parked.call(), changed.outcome());
        }
        Resolution resolution = call.scope()
                .await(call.scope().completionKey(AttemptRecord.COMPLETION),
                        new Deadline(parked.completion().deadline()));
        if (resolution instanceof Resolution.Cancelled
                && parked.completion().onCancel() == PendingCompletion.OnCancel.CANCEL_EXTERNAL_WORK) {
            ready.definition().onCancel().ifPresent(callback -> call.scope().run(new StopOutside(callback)));
        }
        call.hooks().body(parked.left().changes());
        ToolOutcome outcome = AfterHooks.record(call, parked.call(), outcome(ready, resolution));
        boolean fails = resolution instanceof Resolution.TimedOut
                && parked.completion().onTimeout() == PendingCompletion.OnTimeout.FAIL_TURN;
        call.leaves(new Aftermath(fails ? TurnControl.FAIL : TurnControl.GO_ON,
                parked.left().of(outcome instanceof ToolOutcome.Success), null, parked.left().doubts()));
        return outcome;
    }

    /**
     * The outcome of a call that was begun and whose end is no record of its own: what was accepted, after hooks have looked at it, or else
     * an end, which closes the wait.
     */
    static ToolOutcome accepted(OneCall call, Preparation recorded, ToolOutcome end) {
        return AfterHooks.recorded(call).or(() -> {
            Resolution closing = end instanceof ToolOutcome.Failure(ToolFailure failure)
                    ? new Resolution.Failed(failure)
                    : new Resolution.Cancelled("the call has ended");
            return RecordedOutcome.said(call.scope().settle(AttemptRecord.COMPLETION, closing))
                    .map(said -> AfterHooks.record(call, recorded, said));
        }).orElse(end);
    }

    /** The failure of a call that was ended. */
    static ToolFailure failure(ToolOutcome outcome) {
        return outcome instanceof ToolOutcome.Failure(ToolFailure failure)
                ? failure
                : ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "in_doubt", outcome.text());
    }

    /** What a settlement means for the call. A value was checked when it was accepted. */
    static ToolOutcome outcome(OneCall.Ready ready, Resolution resolution) {
        return RecordedOutcome.said(resolution)
                .orElseGet(() -> resolution instanceof Resolution.Cancelled(String reason)
                        ? new ToolOutcome.Cancelled(reason)
                        : new ToolOutcome.Failure(timeout(ready)));
    }

    private static ToolFailure timeout(OneCall.Ready ready) {
        ToolFailure failure = ToolFailure.ofRuntime(ToolFailure.Kind.TIMEOUT, "tool_completion_timeout",
                "tool " + ready.definition().name() + " was not completed in time");
        return ready.definition().manifest().effect() == ToolEffect.READ
                ? failure
                : failure.thatMayHaveHappened();
    }

    /** Tells the service behind the tool that the call has stopped waiting; recorded, so that it is told once. */
    private final class StopOutside implements Effect.Flag {

        private final RecordedCall.CancelCallback callback;

        StopOutside(RecordedCall.CancelCallback callback) {
            this.callback = callback;
        }

        @Override
        public EffectKey key() {
            return new EffectKey("on-cancel");
        }

        @Override
        public Json identity() {
            return call.call().identity();
        }

        @Override
        public String kind() {
            return "on-cancel";
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.IDEMPOTENT, parked.call().toJson());
        }

        @Override
        public Boolean run(Running running) {
            try {
                callback.cancel(parked.call().recordedCall(call.call()));
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw JournalException.closed();
            } catch (Throwable e) {
                Fatal.rethrow(e);
                LOG.warn("The onCancel of tool {} threw; the work outside may go on", parked.call().tool(),
                        e);
                return false;
            }
        }

        @Override
        public Boolean doubt(Running started) {
            return false;
        }

        @Override
        public Boolean cancelledBeforeStart(String reason) {
            return false;
        }
    }
}
