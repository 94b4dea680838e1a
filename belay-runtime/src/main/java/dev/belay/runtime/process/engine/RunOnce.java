package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.RetryPolicy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One tool of another provider as one that must not be repeated, whatever it says of itself. Made for one entry. */
final class RunOnce implements ToolProvider {

    private final ToolProvider tools;
    private final List<ToolDefinition> definitions;

    /**
     * The tools of a provider.
     *
     * @param name the one that is called; the others only stand there to be named
     */
    RunOnce(ToolProvider tools, String name) {
        this.tools = tools;
        definitions = tools.definitions()
                .stream()
                .map(tool -> tool.name().equals(name) ? once(tool) : tool)
                .toList();
    }

    private static ToolDefinition once(ToolDefinition tool) {
        return tool.retry(RetryPolicy.NONE).resumable(false).effect(ToolEffect.ONCE);
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    @Override
    public Optional<ToolContract> contract(ToolId id) {
        return tools.contract(id);
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return tools.prepare(call);
    }

    @Override
    public ToolResult<Json> execute(Dynamic call, ToolContext context) throws Exception {
        return tools.execute(call, context);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return tools.execute(call);
    }
}
