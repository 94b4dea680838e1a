package dev.belay.runtime.session.hosted;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.toolset.loop.LoopHost.HostedCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a program's own loop as a tool that a dispatcher runs.
 *
 * @param call which
 */
record HostedTool(HostedCall call) implements ToolProvider {

    @Override
    public List<ToolDefinition> definitions() {
        return List.of(call.definition());
    }

    /** What a hook has decided does not follow from the model's answer, and is recorded before the body runs. */
    @Override
    public PrepareCall.Prepared prepare(PrepareCall asked) {
        return call.edited() ? asked.replace(asked.arguments()) : asked.unchanged();
    }

    @Override
    public @Nullable Object execute(PreparedCall prepared) throws Exception {
        return call.body().run(prepared.context());
    }
}
