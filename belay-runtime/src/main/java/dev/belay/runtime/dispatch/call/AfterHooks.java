package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stage 8. Decisions of hooks are recorded: with the attempt of a body that returned, by themselves for a completed call. */
final class AfterHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool.hook");

    private AfterHooks() {}

    /** Lets hooks look at an outcome that is about to be recorded. */
    static ToolOutcome apply(OneCall call, OneCall.Ready ready, ToolOutcome outcome) {
        CallHooks hooks = call.dispatch().hooks();
        if (hooks.equals(CallHooks.NONE)) {
            return outcome;
        }
        try {
            return Objects.requireNonNull(
                    hooks.after(call.view(ready), outcome, call.hooks().after(ready.definition())),
                    "a hook returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("A hook threw after tool {}", ready.definition().name(), e);
            return CallHooks.failedAfter(ready.definition());
        }
    }

    /** Lets hooks look at an outcome that came from outside, and records what they make of it. */
    static ToolOutcome record(OneCall call, OneCall.Ready ready, ToolOutcome outcome) {
        if (call.dispatch().hooks().equals(CallHooks.NONE)) {
            return outcome;
        }
        return call.scope().run(new Looked(call, ready, outcome));
    }

    private record Looked(OneCall call, OneCall.Ready ready, ToolOutcome outcome)
            implements
                Effect<ToolOutcome> {

        @Override
        public EffectKey key() {
            return new EffectKey("after-hooks");
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
            return apply(call, ready, outcome);
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
            return apply(call, ready, outcome);
        }
    }
}
