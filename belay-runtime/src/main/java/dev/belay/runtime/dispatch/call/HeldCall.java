package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.TurnControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A call that may have happened, until that is settled. Nothing is held while it waits; the settlement is the record.
 *
 * @param call which
 * @param number which attempt
 * @param held what is recorded of it
 */
record HeldCall(OneCall call, int number, AttemptRecord.Held held) {

    /** Waits; may throw {@link dev.belay.tool.context.Suspended}. */
    AttemptRecord await() {
        Resolution resolution = call.scope()
                .await(call.scope().completionKey(Unanswered.doubtWait(number)), Deadline.NONE);
        AttemptRecord settled = resolution instanceof Resolution.Ok(Json said)
                ? settled(said)
                : new AttemptRecord.Ended(new ToolOutcome.Failure(held.failure()),
                        new Aftermath(TurnControl.GO_ON, List.of(), held.doubt()));
        if (settled instanceof AttemptRecord.Ended ended
                && call.settings().told().first(call.events().call())) {
            call.events().finished(ended.outcome());
        }
        return settled;
    }

    /** Lets hooks look at what was said, as at every other outcome; not if the tool has changed. */
    private ToolOutcome seen(ToolOutcome outcome) {
        try {
            return AfterHooks.record(call, call.restore(held.call(), true), outcome);
        } catch (CallEnded changed) {
            return outcome;
        }
    }

    private AttemptRecord settled(Json said) {
        Json happened = said.get("happened").orElse(null);
        if (happened != null) {
            return new AttemptRecord.Ended(seen(OutcomeJson.outcome(happened)));
        }
        return RecordReader.field(said, "over").asBoolean()
                ? new AttemptRecord.Retry(held.failure(), Duration.ZERO, Instant.EPOCH, Duration.ZERO,
                        held.call(), List.of())
                : new AttemptRecord.Ended(new ToolOutcome.Failure(Unanswered.notDone(held.failure(),
                        RecordReader.text(said, "did_not_happen"))));
    }
}
