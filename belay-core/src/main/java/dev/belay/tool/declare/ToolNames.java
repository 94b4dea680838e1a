package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Duplicates are loud. */
public final class ToolNames {

    private ToolNames() {}

    /** Refuses two tools of one name or id, naming both. */
    public static void unique(Collection<ToolDefinition> definitions) {
        Map<String, ToolDefinition> byName = new HashMap<>();
        Map<ToolId, ToolDefinition> byId = new HashMap<>();
        for (ToolDefinition definition : definitions) {
            ToolDefinition sameName = byName.put(definition.name(), definition);
            if (sameName != null) {
                throw new BelayException("duplicate_tool_name", "tool name \"" + definition.name()
                        + "\" stands twice: " + sameName.id() + " and " + definition.id());
            }
            ToolDefinition sameId = byId.put(definition.id(), definition);
            if (sameId != null) {
                throw new BelayException("duplicate_tool_id",
                        "tool id " + definition.id() + " stands twice: \""
                                + sameId.name() + "\" and \"" + definition.name() + "\"");
            }
        }
    }
}
