package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

        private Json arguments() {
            return said instanceof ApprovalAnswer.Edit(Json edited) ? edited : asked.call().arguments();
        }

        /** The call with the tool and the policy of today. */
        OneCall.Ready ready(OneCall one) throws CallEnded {
            var stages = new GateStage(one, new CallStages(one));
            if (one.tools().provider() instanceof DispatchSettings.DecodedTool tool
                    && !tool.hasInput(arguments())) {
                throw new DispatchSettings.OtherInput();
            }
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

    /**
     * A call that is about to ask.
     *
     * @param call which
     * @param number which attempt
     * @param ready what would run
     * @param request what is asked
     */
    record Asking(OneCall call, int number, OneCall.Ready ready, ApprovalRequest request) {

        /**
         * What is recorded of it.
         *
         * @param stored the request, if it does not stand with the input of the attempt
         */
        AttemptRecord.Asked record(@Nullable Json stored) {
            return new AttemptRecord.Asked(ready.preparation(), request.digest(),
                    call.settings().bodies().time().now().plus(call.settings().gate().expiry()), stored);
        }

        /** What is recorded before a person is asked: the call, and the request. */
        Json input() {
            return Json.write(out -> {
                out.beginObject();
                ready.preparation().toJson().fields().forEach((name, value) -> out.name(name).value(value));
                out.name(AttemptRecord.REQUEST).value(request.toJson()).endObject();
            });
        }

        /** A row of the audit log. */
        Effect.Note note() {
            return new Effect.Note("ask",
                    "approval/" + call.scope().completionKey(AttemptRecord.Asked.wait(number)).id(),
                    Json.write(out -> {
                        out.beginObject().name("tool").value(request.call().tool());
                        if (request.by().rule() != null) {
                            out.name("rule").value(request.by().rule());
                        }
                        out.name("where")
                                .value(call.where())
                                .name("digest")
                                .value(request.digest())
                                .endObject();
                    }));
        }
    }

    /** The call after a person has answered or an attempt has failed; it asks if its tool has changed and wants that. */
    static OneCall.Ready ready(OneCall call, AttemptEffect.Before before) throws CallEnded {
        Decided decided = before.decided();
        Preparation recorded = decided != null
                ? decided.asked().call()
                : Objects.requireNonNull(before.failed()).call();
        try {
            return decided != null ? decided.ready(call) : call.restore(recorded, true);
        } catch (CallEnded ended) {
            ToolDefinition today = ended.asks();
            if (today == null) {
                throw ended;
            }
            return new GateStage(call, new CallStages(call)).changed(recorded, today);
        }
    }

    /** What a person is asked about a call that was begun and whose tool has changed; null if that is not to be asked. */
    static @Nullable Asking changed(OneCall call, int number, CallEnded ended, Preparation recorded) {
        ToolDefinition today = ended.asks();
        if (today == null) {
            return null;
        }
        try {
            OneCall.Ready asking = new GateStage(call, new CallStages(call)).changed(recorded, today);
            return new Asking(call, number, asking, Objects.requireNonNull(asking.asks()));
        } catch (CallEnded refused) {
            return null;
        }
    }
}
