package dev.belay.runtime.catalog;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;

/**
 * A tool and who runs it.
 *
 * @param definition the tool
 * @param source where it comes from
 * @param provider runs it
 */
record LiveTool(ToolDefinition definition, ToolSource source, ToolProvider provider) {

    ToolId id() {
        return definition.id();
    }

    String name() {
        return definition.name();
    }
}
