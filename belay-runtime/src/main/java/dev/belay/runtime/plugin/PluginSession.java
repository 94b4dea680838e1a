package dev.belay.runtime.plugin;

import dev.belay.json.Json;
import dev.belay.runtime.store.SessionId;
import java.util.Optional;

/**
 * The session that a plugin is built for.
 *
 * @param id which
 * @param agent that answers it
 * @param parent the session whose call made it, if it is a child
 * @param depth how many sessions stand above it
 * @param reason how it came about
 * @param options what the agent's stack says to the plugin; an empty object for nothing
 */
public record PluginSession(SessionId id, String agent, Optional<SessionId> parent, int depth,
        Reason reason, Json options) {

    /** How a session came about. */
    public enum Reason {
        /** A program opened it. */
        OPEN,
        /** A call or a hook of another session made it. */
        CHILD,
        /** It goes on from a turn of another session. */
        FORK
    }

    /** The same with other options. */
    public PluginSession with(Json other) {
        return other.equals(options) ? this : new PluginSession(id, agent, parent, depth, reason, other);
    }

    /** Whether no other session has made it. */
    public boolean isRootSession() {
        return parent.isEmpty();
    }
}
