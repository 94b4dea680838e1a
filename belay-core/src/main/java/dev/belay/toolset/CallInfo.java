package dev.belay.toolset;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.context.CallId;

/**
 * What is known about a call apart from its typed input.
 *
 * @param id the id that the model knows
 * @param tool the tool, with the name that the model said
 * @param arguments exactly the text that the model sent; hooks do not change it
 */
public record CallInfo(CallId id, ToolDefinition tool, String arguments) {

    /** The name that the model said. */
    public String name() {
        return tool.name();
    }
}
