package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.dispatch.record.RecordedHooks;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stage 8. Decisions of hooks are recorded: with the attempt of a body that returned, by themselves for a completed call. */
final class AfterHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool.hook");

    private AfterHooks() {}

    /** Lets hooks look at an outcome that is about to be recorded. */
    static ToolOutcome apply(OneCall call, OneCall.Ready ready, ToolOutcome outcome) {
        return look(call, ready.definition(), call.view(ready), outcome);
    }

    /** The same for a call whose tool may have changed; if the tool is gone, what hooks would look at is withheld. */
    static ToolOutcome apply(OneCall call, Preparation recorded, ToolOutcome outcome) {
        return call.tools()
                .find(recorded.tool())
                .map(today -> look(call, today, new CallView(call.events().call(), today.manifest(),
                        recorded.arguments(), recorded.payload()), outcome))
                .orElseGet(() -> unseen(call, outcome));
    }

    /** An answer from outside at which no hook can look. */
    static ToolOutcome unseen(OneCall call, ToolOutcome outcome) {
        return call.dispatch().hooks().looksAfter(call.call().name())
                ? CallHooks.withheld(true)
                : outcome;
    }

    private static ToolOutcome look(OneCall call, ToolDefinition definition, CallView view,
            ToolOutcome outcome) {
        CallHooks hooks = call.dispatch().hooks();
        if (!hooks.looksAfter(definition.name())) {
            return outcome;
        }
        try {
            return Objects.requireNonNull(hooks.after(view, outcome, call.hooks().after(definition)),
                    "a hook returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("A hook threw after tool {}", definition.name(), e);
            return CallHooks.failedAfter(definition);
        }
    }

    /** Lets hooks look at an outcome that came from outside, and records what they make of it. What is recorded counts, whatever hooks there are. */
    static ToolOutcome record(OneCall call, Preparation recorded, ToolOutcome outcome) {
        return recorded(call).orElseGet(() -> call.dispatch().hooks().looksAfter(call.call().name())
                ? call.scope().run(new Looked(call, recorded, outcome))
                : outcome);
    }

    /** What hooks have made of an outcome that came from outside; empty if none has looked. */
    static Optional<ToolOutcome> recorded(OneCall call) {
        return call.scope()
                .peek(RecordedHooks.LOOKED)
                .map(looked -> OutcomeJson.outcome(call.hooks().read(looked)));
    }

    private record Looked(OneCall call, Preparation prepared, ToolOutcome outcome)
            implements
                Effect<ToolOutcome> {

        @Override
        public EffectKey key() {
            return RecordedHooks.LOOKED;
        }

        @Override
        public Json identity() {
            return OutcomeJson.of(outcome);
        }

        @Override
        public String kind() {
            return "hooks";
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
        }

        @Override
        public ToolOutcome run(Running running) {
            return apply(call, prepared, outcome);
        }

        @Override
        public void recorded(ToolOutcome value) {
            call.hooks().told();
        }

        @Override
        public Json encode(ToolOutcome value) {
            return call.hooks().recorded(OutcomeJson.of(value));
        }

        @Override
        public ToolOutcome decode(Json recorded) {
            return OutcomeJson.outcome(call.hooks().read(recorded));
        }

        @Override
        public ToolOutcome doubt(Running started) {
            return apply(call, prepared, outcome);
        }
    }
}
