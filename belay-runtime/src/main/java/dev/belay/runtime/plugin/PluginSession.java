package dev.belay.runtime.plugin;

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
 */
public record PluginSession(SessionId id, String agent, Optional<SessionId> parent, int depth,
        Reason reason) {

    /** How a session came about. */
    public enum Reason {
        /** A program opened it. */
        OPEN,
        /** A call or a hook of another session made it. */
        CHILD,
        /** It goes on from a turn of another session. */
        FORK
    }

    /** Whether no other session has made it. */
    public boolean isRootSession() {
        return parent.isEmpty();
    }
}
