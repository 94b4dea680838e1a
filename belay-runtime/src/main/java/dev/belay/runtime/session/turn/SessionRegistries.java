package dev.belay.runtime.session.turn;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.store.SessionId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The live tools of each session: those of the runtime, and below them those that a program has added to one session. Thread-safe. */
public final class SessionRegistries {

    private final ToolRegistry shared;
    private final Map<SessionId, ToolRegistry> own = new ConcurrentHashMap<>();

    /**
     * The registries of a runtime.
     *
     * @param shared the tools that all sessions have
     */
    public SessionRegistries(ToolRegistry shared) {
        this.shared = shared;
    }

    /** The tools that all sessions have. */
    public ToolRegistry shared() {
        return shared;
    }

    /** The tools that a session sees. */
    public ToolRegistry of(SessionId session) {
        return own.getOrDefault(session, shared);
    }

    /** The registry of one session, below that of the runtime. It lives as long as the runtime. */
    public ToolRegistry own(SessionId session) {
        return own.computeIfAbsent(session, unused -> ToolRegistry.below(shared));
    }

    /** Drops the tools of a session that was deleted. */
    public void forget(SessionId session) {
        own.remove(session);
    }
}
