package dev.belay.runtime.process.engine;

import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.RetryPolicy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tools of another provider, one of them as {@code ONCE}, whatever effect it declares. Made for one entry. */
final class RunOnce implements ToolProvider {

    private final ToolProvider tools;
    private final List<ToolDefinition> definitions;

    /**
     * Wraps a provider.
     *
     * @param name the tool that is called; the others are listed so that a wrong name gets suggestions
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
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return tools.execute(call);
    }
}
