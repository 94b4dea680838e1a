package dev.belay.runtime.catalog.registry;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a registry as they are at each call. Thread-safe.
 *
 * @param now the tools of this moment
 */
public record LiveProvider(Supplier<ToolProvider> now) implements ToolProvider {

    @Override
    public List<ToolDefinition> definitions() {
        return now.get().definitions();
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return now.get().prepare(call);
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return now.get().execute(call);
    }
}
