package dev.belay.runtime.session.hosted;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.runtime.dispatch.call.DispatchSettings.DecodedTool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.loop.LoopHost.HostedCall;
import dev.belay.toolset.loop.ToolEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a program's own loop as a tool that a dispatcher runs.
 *
 * @param call which
 * @param inputs what was given along with the turn's input
 */
record HostedTool(HostedCall call, Json inputs) implements DecodedTool {

    @Override
    public List<ToolDefinition> definitions() {
        return List.of(call.definition());
    }

    @Override
    public Arguments.@Nullable Valid decoded() {
        return call.decoded();
    }

    /**
     * A provider of the tool freezes what the body runs with. Arguments that a hook has edited do not follow from the model's answer, so they
     * are recorded before the body runs.
     */
    @Override
    public PrepareCall.Prepared prepare(PrepareCall asked) throws Exception {
        PrepareCall.Prepared prepared = prepared(call.entry(), call.id(), asked.arguments(), inputs);
        return prepared.replaced() == null && call.decoded() == null
                ? new PrepareCall.Prepared(asked.arguments(), prepared.payload())
                : prepared;
    }

    /** Lets the provider of a tool prepare a call; it knows the tool by its own name. */
    static PrepareCall.Prepared prepared(ToolEntry<?> entry, CallId id, Json arguments, Json inputs)
            throws Exception {
        ToolProvider provider = entry.provider();
        return provider == null
                ? new PrepareCall.Prepared(null, null)
                : provider.prepare(
                        new PrepareCall(entry.own(), id, Arguments.require(entry.own(), arguments), inputs));
    }

    @Override
    public boolean hasInput(Json arguments) {
        return arguments.equals(input());
    }

    /** The input that the loop was given. */
    private Json input() {
        Json approved = call.approved();
        Arguments.Valid decoded = call.decoded();
        return approved != null
                ? approved
                : decoded != null ? decoded.json() : Json.of(call.arguments(), JsonLimits.ARGUMENTS);
    }

    /** The loop's body has its input in hand: it never runs if another one is recorded. */
    @Override
    public @Nullable Object execute(PreparedCall prepared) throws Exception {
        Json recorded = prepared.arguments();
        if (!hasInput(recorded)) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "wrong_input",
                    "call " + call.id() + " of " + call.definition().name() + " has the input "
                            + input().text() + " in its loop, but " + recorded.text() + " is recorded"));
        }
        return call.body().run(prepared.context());
    }
}
