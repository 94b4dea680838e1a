package dev.belay.runtime.process.engine;

import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.process.ProcessBody;
import java.util.Map;

/**
 * What runs processes beside tools.
 *
 * @param bodies by name
 * @param dispatcher runs bodies; apart from that of the tools, whose caps are not for them
 */
public record ProcessSettings(Map<String, ProcessBody> bodies, ToolDispatcher dispatcher) {

    /** Copies the map. */
    public ProcessSettings {
        bodies = Map.copyOf(bodies);
    }
}
