package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.HeldAnswer;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.context.TurnControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A call that may have happened, until that is settled. Nothing is held while it waits; the settlement is the record.
 *
 * @param call which
 * @param ended the record that says that it may have happened
 * @param held what is recorded of it
 */
record HeldCall(OneCall call, EffectKey ended, AttemptRecord.Held held) {

    /** Waits; may throw {@link dev.belay.tool.context.Suspended}. */
    AttemptRecord await() {
        Optional<HeldAnswer> said = HeldAnswer.of(call.scope()
                .await(call.scope().completionKey(HeldAnswer.wait(ended.value())), Deadline.NONE));
        AttemptRecord settled = said.map(this::settled)
                .orElseGet(() -> new AttemptRecord.Ended(new ToolOutcome.Failure(held.failure()),
                        new Aftermath(TurnControl.GO_ON, List.of(), held.doubt(), List.of())))
                .with(held.left());
        if (settled instanceof AttemptRecord.Ended ended
                && call.settings().told().first(call.events().call())) {
            call.events().finished(ended.outcome());
        }
        return settled;
    }

    private AttemptRecord settled(HeldAnswer said) {
        if (said.runsAgain()) {
            return new AttemptRecord.Retry(held.failure(), Duration.ZERO, Instant.EPOCH, Duration.ZERO,
                    held.call());
        }
        ToolOutcome outcome = said.outcome(held.failure());
        return new AttemptRecord.Ended(said.truth() instanceof Reconciliation.Happened
                ? AfterHooks.record(call, held.call(), outcome)
                : outcome);
    }
}
