package dev.belay.runtime.catalog.registry;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All live tools of a registry as one provider, which hands each call to the provider of the tool. Immutable. */
final class RoutedTools implements ToolProvider {

    private final List<ToolDefinition> definitions;
    private final Map<ToolId, LiveTool> tools;

    RoutedTools(List<ToolDefinition> definitions, Map<ToolId, LiveTool> tools) {
        this.definitions = List.copyOf(definitions);
        this.tools = tools;
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return provider(call.definition()).prepare(call);
    }

    @Override
    public ToolResult<Json> execute(Dynamic call, ToolContext context) throws Exception {
        return provider(call.tool()).execute(call, context);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return provider(call.definition()).execute(call);
    }

    private ToolProvider provider(ToolDefinition definition) {
        LiveTool tool = tools.get(definition.id());
        if (tool == null) {
            throw new BelayException("unknown_tool", "no source has the tool " + definition.id());
        }
        return tool.provider();
    }
}
