package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.option.RetryAdvice;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stage 3. What hooks decide is recorded with the first attempt. */
final class BeforeHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private BeforeHooks() {}

    /**
     * What they leave.
     *
     * @param arguments the arguments, perhaps edited
     * @param edited whether they are
     */
    record Hooked(Arguments arguments, boolean edited) {}

    /** Lets hooks look at arguments that are JSON and were not validated yet. */
    static Hooked apply(OneCall one, ToolDefinition definition, Arguments decoded) throws CallEnded {
        CallHooks hooks = one.settings().hooks();
        if (hooks.equals(CallHooks.NONE)) {
            return new Hooked(decoded, false);
        }
        String text = one.call().arguments();
        Json arguments = text.isBlank() ? Json.EMPTY_OBJECT : Json.of(text, JsonLimits.ARGUMENTS);
        CallHooks.Verdict verdict;
        try {
            verdict = Objects.requireNonNull(
                    hooks.before(new CallView(one.call().id(), definition.manifest(), arguments, null)),
                    "a hook returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("A hook threw before tool {}", definition.name(), e);
            throw new CallEnded(new ToolFailure(ToolFailure.Kind.INTERNAL, "before_hook_failed",
                    "a check before tool " + definition.name() + " failed; nothing was run",
                    ToolFailure.Source.PLUGIN, RetryAdvice.NEVER));
        }
        return switch (verdict) {
            case CallHooks.Verdict.End(ToolOutcome outcome) -> throw new CallEnded(outcome);
            case CallHooks.Verdict.Proceed(Json same) when same.equals(arguments) ->
                new Hooked(decoded, false);
            case CallHooks.Verdict.Proceed(Json edited) ->
                new Hooked(Arguments.of(definition, edited), true);
        };
    }
}
