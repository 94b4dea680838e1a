package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.Objects;
import java.util.Optional;
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
     * @param waits where
     * @param answer approval, with or without other arguments
     * @param begun whether the body may have run before that
     */
    record Decided(AttemptRecord.Asked asked, WaitName waits, AskedAnswer answer, boolean begun) {

        private @Nullable ApprovalAnswer said() {
            return answer.said();
        }

        /** The approval, without which the body must not begin. */
        Effect.Follows follows() {
            return new Effect.Follows(waits, answer.settled());
        }

        private Json arguments() {
            return said() instanceof ApprovalAnswer.Edit(Json edited) ? edited : asked.call().arguments();
        }

        /** The call with the tool and the policy of today. */
        OneCall.Ready ready(OneCall one) throws CallEnded {
            var stages = new GateStage(one, new CallStages(one));
            if (one.tools().provider() instanceof DispatchSettings.DecodedTool tool
                    && !tool.hasInput(arguments())) {
                throw new DispatchSettings.OtherInput();
            }
            return said() instanceof ApprovalAnswer.Edit(var arguments)
                    ? stages.edited(asked, arguments, answer.at())
                    : stages.approved(asked, begun, answer.at());
        }
    }

    /** Waits for an answer; may throw {@link dev.belay.tool.context.Suspended}. */
    AskedAnswer await() {
        return AskedAnswer.of(
                call.scope().await(call.scope().completionKey(waits()), new Deadline(asked.expires())));
    }

    private WaitName waits() {
        return AttemptRecord.Asked.wait(Integer.toString(number));
    }

    /** What a person has decided about a call that may run. */
    Decided decided(AskedAnswer answer, boolean begun) {
        return new Decided(asked, waits(), answer, begun);
    }

    /**
     * The end of a call that does not run. Hooks look at what a person has answered in its place.
     *
     * @param begun whether its body may have handed out the key before that: what was accepted for it counts
     */
    AttemptRecord ended(ToolOutcome outcome, boolean begun) {
        ToolOutcome over = begun ? Completion.accepted(call, asked.call(), outcome) : outcome;
        ToolOutcome seen = over instanceof ToolOutcome.Success
                ? AfterHooks.record(call, asked.call(), over)
                : over;
        if (call.settings().told().first(call.events().call())) {
            call.events().finished(seen);
        }
        return new AttemptRecord.Ended(seen);
    }

    /**
     * A call that is about to ask.
     *
     * @param call which
     * @param number which attempt
     * @param ready what would run
     * @param asks what is asked
     */
    record Asking(OneCall call, String number, OneCall.Ready ready, OneCall.Asks asks) {

        /** The wait for the answer. */
        WaitName waits() {
            return AttemptRecord.Asked.wait(number);
        }

        /**
         * What is recorded of it.
         *
         * @param stored the request, if it does not stand with the input of the attempt
         */
        AttemptRecord.Asked record(@Nullable Json stored) {
            return new AttemptRecord.Asked(ready.preparation(), asks.request().digest(),
                    call.settings().bodies().time().now().plus(call.settings().gate().expiry()),
                    asks.request().by().rules(), asks.differed(), stored);
        }

        /** What is recorded before a person is asked: the call, and the request. */
        Json input() {
            return Json.write(out -> {
                out.beginObject();
                ready.preparation().toJson().fields().forEach((name, value) -> out.name(name).value(value));
                out.name(AttemptRecord.REQUEST).value(asks.request().toJson()).endObject();
            });
        }

        /** A row of the audit log. */
        Effect.Note note() {
            ApprovalRequest request = asks.request();
            return new Effect.Note("ask",
                    "approval/" + call.scope().completionKey(waits()).id(),
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

    /** What a person is asked about a call that was begun and whose tool has changed; ends it if that is not to be asked. */
    static Asking changed(OneCall call, int number, CallEnded ended, Preparation recorded) throws CallEnded {
        ToolDefinition today = ended.asks();
        if (today == null) {
            throw ended;
        }
        OneCall.Ready asking = new GateStage(call, new CallStages(call)).changed(recorded, today);
        return new Asking(call, Integer.toString(number), asking, Objects.requireNonNull(asking.asks()));
    }

    /** A recorded call with the tool of today, after a person has agreed to that if the tool wants it; may throw {@code Suspended}. */
    static OneCall.Ready agreed(OneCall call, Preparation recorded) throws CallEnded {
        try {
            return call.restore(recorded, true);
        } catch (CallEnded changed) {
            ToolDefinition today = changed.asks();
            if (today == null || call.accepted().isPresent()
                    || call.scope().cancellation().isRequested()) {
                throw changed;
            }
            OneCall.Ready asks;
            try {
                asks = new GateStage(call, new CallStages(call)).changed(recorded, today);
            } catch (CallEnded refused) {
                if (refused.note() != null) {
                    call.scope().run(new NotedEnd(call, refused.note()));
                }
                throw refused;
            }
            new Changed(call, asks).answered();
            return new OneCall.Ready(today, asks.arguments(), recorded, false);
        }
    }

    /**
     * Asks a person whether a call that is parked or between steps goes on with the tool of today. There is one question for each form of the tool;
     * it takes no place in the order of effects, because the steps of the call were recorded without it. Confined to the call's thread.
     */
    private static final class Changed implements Effect<AttemptRecord> {

        private final OneCall call;
        private final Asking asking;
        private boolean performed;

        Changed(OneCall call, OneCall.Ready changed) {
            this.call = call;
            String name = "changed-" + changed.definition().fingerprint().value().substring(0, 16);
            asking = new Asking(call, name, changed, Objects.requireNonNull(changed.asks()));
        }

        void answered() throws CallEnded {
            var asked = (AttemptRecord.Asked) call.scope().run(this);
            if (performed) {
                call.recorded(asked, asking.waits());
            }
            Optional<ToolOutcome> over = AskedAnswer.of(call.scope()
                    .await(call.scope().completionKey(asking.waits()), new Deadline(asked.expires())))
                    .outcome();
            if (over.isPresent()) {
                throw new CallEnded(over.get());
            }
        }

        @Override
        public EffectKey key() {
            return new EffectKey("attempt/" + asking.number());
        }

        @Override
        public Json identity() {
            return call.call().identity();
        }

        @Override
        public String kind() {
            return "changed";
        }

        @Override
        public boolean isOrdered() {
            return false;
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, asking.input());
        }

        @Override
        public AttemptRecord run(Running running) {
            performed = true;
            AttemptRecord.Asked asked = asking.record(null);
            running.notes(asking.note());
            running.opens(new OpenWait(asking.waits(), OpenWait.Kind.COMPLETION, asked.expires(), null));
            return asked;
        }

        @Override
        public Json encode(AttemptRecord value) {
            return value.toJson();
        }

        @Override
        public AttemptRecord decode(Json recorded) {
            return AttemptRecord.of(recorded);
        }

        /** Never asked: it may be repeated. */
        @Override
        public AttemptRecord doubt(Running started) {
            return run(started);
        }
    }
}
