package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.tool.ToolOutcome;
import java.util.Objects;

/**
 * A call that asks a person, until that is answered. Nothing is held while it waits; the answer is the record.
 *
 * @param call which
 * @param number which attempt
 * @param asked what is recorded of it
 */
record AskedCall(OneCall call, int number, AttemptRecord.Asked asked) {

    /**
     * What a person has decided.
     *
     * @param asked what was asked
     * @param said approval, with or without other arguments
     */
    record Decided(AttemptRecord.Asked asked, ApprovalAnswer said) {

        /** The call with the tool and the policy of today. */
        OneCall.Ready ready(OneCall one) throws CallEnded {
            var stages = new CallStages(one);
            return said instanceof ApprovalAnswer.Edit(var arguments)
                    ? stages.edited(asked.call(), arguments)
                    : stages.approved(asked.call());
        }
    }

    /** Waits for an answer; may throw {@link dev.belay.tool.context.Suspended}. */
    AskedAnswer await() {
        return AskedAnswer.of(call.scope()
                .await(call.scope().completionKey(AttemptRecord.Asked.wait(number)),
                        new Deadline(asked.expires())));
    }

    /** What a person has decided about a call that may run. */
    Decided decided(AskedAnswer answer) {
        return new Decided(asked, Objects.requireNonNull(answer.said()));
    }

    /** The end of a call that does not run. Hooks look at what a person has answered in its place. */
    AttemptRecord ended(ToolOutcome outcome) {
        ToolOutcome seen = outcome instanceof ToolOutcome.Success ? seen(outcome) : outcome;
        if (call.settings().told().first(call.events().call())) {
            call.events().finished(seen);
        }
        return new AttemptRecord.Ended(seen);
    }

    private ToolOutcome seen(ToolOutcome outcome) {
        try {
            return AfterHooks.record(call, call.restore(asked.call(), false), outcome);
        } catch (CallEnded changed) {
            return outcome;
        }
    }
}
