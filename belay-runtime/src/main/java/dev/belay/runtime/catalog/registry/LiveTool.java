package dev.belay.runtime.catalog.registry;

import dev.belay.runtime.catalog.ToolSource;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;

/**
 * A tool and the provider that runs it.
 *
 * @param definition the tool
 * @param source of the tool
 * @param provider runs the tool
 */
public record LiveTool(ToolDefinition definition, ToolSource source, ToolProvider provider) {

    public ToolId id() {
        return definition.id();
    }

    public String name() {
        return definition.name();
    }
}
