package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.process.ProcessBody;
import java.util.Map;
import java.util.TreeSet;

/**
 * The bodies of processes and what runs them.
 *
 * @param bodies by name
 * @param dispatcher runs bodies; apart from the dispatcher of the tools, whose caps do not count for bodies
 */
public record ProcessSettings(Map<String, ProcessBody> bodies, ToolDispatcher dispatcher) {

    /** Copies the map. */
    public ProcessSettings {
        bodies = Map.copyOf(bodies);
    }

    /** A body by its name; {@code unknown_process_body} if there is none. */
    ProcessBody body(String name) {
        ProcessBody body = bodies.get(name);
        if (body == null) {
            throw new BelayException("unknown_process_body", "this runtime has no process body \"" + name
                    + "\"; it has " + new TreeSet<>(bodies.keySet())
                    + ". Give it to the builder by process(…)");
        }
        return body;
    }
}
