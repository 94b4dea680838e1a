package dev.belay.runtime.plugin;

import dev.belay.json.Json;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.context.CallId;

/** A call as the hooks of plugins see it. */
public interface HookedCall extends HookContext {

    /** Its id, as the model knows it. */
    CallId callId();

    /** The tool. */
    ToolManifest tool();

    /** The arguments: before validation in a hook before, the final ones in a hook after. */
    Json arguments();
}
