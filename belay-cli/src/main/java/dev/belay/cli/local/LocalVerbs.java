package dev.belay.cli.local;

import java.util.List;

/** The commands about a workspace. */
public final class LocalVerbs {

    private LocalVerbs() {}

    /** All of them, in the order of the help. */
    public static List<Class<?>> all() {
        return List.of(ToolVerbs.class, PolicyVerbs.class, McpVerbs.class, WorkspaceVerbs.Init.class,
                WorkspaceVerbs.Give.class, ConfigVerb.class, Doctor.class);
    }
}
