package dev.belay.runtime.catalog.registry;

import dev.belay.BelayException;

/**
 * Two tools of one name or id, of which one is left out.
 *
 * @param newcomer the tool that is left out
 * @param incumbent the tool that was let in
 * @param reserved whether the incumbent is a tool of a plugin, whose name is kept free here
 */
record Collision(LiveTool newcomer, LiveTool incumbent, boolean reserved) {

    BelayException refused() {
        String code = isOfNames() ? "duplicate_tool_name" : "duplicate_tool_id";
        return new BelayException(reserved ? "plugin_conflict" : code,
                what() + "; give one of them another name, as in @Tool(name = …): only an overlay replaces a tool of another source");
    }

    Warning leftOut() {
        return new Warning(what() + "; the latter is left out", null);
    }

    private boolean isOfNames() {
        return newcomer.name().equals(incumbent.name());
    }

    private String what() {
        return isOfNames()
                ? "tool name \"" + newcomer.name() + "\" stands twice: " + incumbent.id() + " of "
                        + incumbent.source() + " and " + newcomer.id() + " of " + newcomer.source()
                : "tool id " + newcomer.id() + " stands twice: \"" + incumbent.name() + "\" of "
                        + incumbent.source() + " and \"" + newcomer.name() + "\" of " + newcomer.source();
    }
}
