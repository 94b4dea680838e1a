package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.context.CallId;
import org.jspecify.annotations.Nullable;

/**
 * A call as hooks, gate and projection see it.
 *
 * @param id the call
 * @param tool what it calls
 * @param arguments with what, at this stage
 * @param payload what the provider froze, or null; null before it prepared the call
 */
public record CallView(CallId id, ToolManifest tool, Json arguments, @Nullable Json payload) {}
