package dev.belay.tool;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.call.PreparedCall;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Simple tools by name. Thread-safe; what is registered stays. */
public final class SimpleToolRegistry implements ToolProvider {

    private static final Json ANY_OBJECT = Json.of("{\"type\":\"object\"}");

    private final Map<String, SimpleTool> tools = new LinkedHashMap<>();
    private final Map<String, ToolDefinition> definitions = new LinkedHashMap<>();

    /** Starts empty. */
    public SimpleToolRegistry() {}

    /** Adds a tool; a second one of the same name is refused with {@code duplicate_tool_name}. */
    public synchronized SimpleToolRegistry register(SimpleTool tool) {
        String name = tool.name();
        if (tools.containsKey(name)) {
            throw new BelayException("duplicate_tool_name", "tool already registered: " + name);
        }
        definitions.put(name, ToolDefinition.raw(name, tool.description(), ANY_OBJECT));
        tools.put(name, tool);
        return this;
    }

    /** The tool of that name. */
    public synchronized Optional<SimpleTool> get(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    /** All names, sorted. */
    public synchronized List<String> names() {
        return tools.keySet().stream().sorted().toList();
    }

    @Override
    public synchronized List<ToolDefinition> definitions() {
        return List.copyOf(definitions.values());
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws IOException {
        SimpleTool tool = get(call.name()).orElseThrow(
                () -> new BelayException("unknown_tool", "no simple tool is registered as " + call.name()));
        return tool.invoke(call.arguments());
    }
}
