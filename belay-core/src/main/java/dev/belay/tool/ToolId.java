package dev.belay.tool;

import dev.belay.BelayException;

/**
 * The authority's name of a tool; opaque. A model never says it: it calls by name, and every later stage uses the id.
 *
 * @param value the id
 */
public record ToolId(String value) {

    /** Refuses a blank id. */
    public ToolId {
        if (value.isBlank()) {
            throw new BelayException("illegal_tool_id", "a tool id must not be blank");
        }
    }

    /** The id of a tool that declares none: {@code tool:} and its name. */
    public static ToolId ofName(String name) {
        return new ToolId("tool:" + name);
    }

    @Override
    public String toString() {
        return value;
    }
}
