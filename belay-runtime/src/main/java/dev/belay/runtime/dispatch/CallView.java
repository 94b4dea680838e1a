package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.context.CallId;
import org.jspecify.annotations.Nullable;

/**
 * A call as hooks, gate and projection see it.
 *
 * @param call which
 * @param tool what it calls
 * @param arguments with what, at this stage
 * @param payload what the provider froze, or null; null before it prepared the call
 */
public record CallView(CallReference call, ToolManifest tool, Json arguments, @Nullable Json payload) {

    /** Its id, as the model knows it. */
    public CallId id() {
        return call.id();
    }
}
