package dev.belay.runtime;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionId;
import java.io.IOException;
import java.io.Reader;

/** An agent that this runtime defines: a name for a model, instructions and tools. Thread-safe. */
public final class Agent {

    private final Assembly parts;
    private final TurnServices own;

    Agent(Assembly parts, TurnServices own) {
        this.parts = parts;
        this.own = own;
    }

    /** Its name. */
    public String name() {
        return own.agent();
    }

    /**
     * A session of this agent: an old one goes on, a new one begins with its first turn.
     *
     * @throws dev.belay.BelayException {@code agent_mismatch}, here or when an input is given, if there is a session of that name
     *         that is of another agent
     */
    public Session session(String id) {
        var name = new SessionId(id);
        own.inbox().requireNoOther(name, own.agent());
        return parts.session(name, own.agent(), Actor.PROGRAM);
    }

    /** Reads a session that {@link Session#export} has written, as one of this agent; otherwise like {@link Belay#importSession}. */
    public Session importSession(Reader lines, String as) throws IOException {
        parts.archive().importSession(lines, new SessionId(as), own.agent(), Actor.PROGRAM);
        return session(as);
    }

    /** Tool calls that your program asks for itself, by the tools of this agent: runtimes that define it run them. */
    public DurableCalls calls() {
        return parts.calls(name());
    }

    /** The tools that all its sessions share; sources may be added, replaced and withdrawn while turns run. */
    public ToolRegistry tools() {
        return own.tools().shared();
    }

    @Override
    public String toString() {
        return "agent " + name();
    }
}
