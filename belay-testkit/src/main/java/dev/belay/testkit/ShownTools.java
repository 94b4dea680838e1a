package dev.belay.testkit;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tools, all of which a model may call. Thread-safe if they are.
 *
 * @param tools some of which may be internal
 */
record ShownTools(ToolProvider tools) implements ToolProvider {

    @Override
    public List<ToolDefinition> definitions() {
        return tools.definitions()
                .stream()
                .map(tool -> tool.visibility(Visibility.MODEL))
                .toList();
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
