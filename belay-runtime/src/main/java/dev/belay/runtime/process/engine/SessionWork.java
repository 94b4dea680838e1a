package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolContext;

/** Operations on sessions that processes need. The room of sessions implements it. Thread-safe. */
public interface SessionWork {

    /**
     * Submits an input to a session; the same id again is the same input.
     *
     * @param input the id of the input
     * @param text its text
     * @param settles the key of a wait that is settled with the turn's result
     */
    void submit(SessionId session, String input, String text, String settles);

    /** Makes a session below the one whose call started a process, unless it is there. */
    void make(SessionId session, String agent, StartedBy by);

    /** Whether a session has calls that may have happened. */
    boolean isInDoubt(SessionId session);

    /** Whether the turn is committed whose call started a process. */
    boolean isCommitted(StartedBy by);

    /** Whether a tool may be called in a process: it was not taken from the session whose call started the process. */
    boolean allows(StartedBy by, String tool);

    /** Asks the turn of an input to end; does nothing if there is none. */
    void cancel(SessionId session, String input, String reason);

    /**
     * The end of a process whose turn has this result. A turn settles its wait just before it is committed; this method waits for
     * the commit, so that a reader who sees the end of the process also sees the turn in its session.
     */
    ProcessEnd end(SessionId session, String input, Json turnResult);

    /** Wraps the context of a call that runs in a process. */
    ToolContext around(ToolContext context, ProcessEventsCapability events);
}
