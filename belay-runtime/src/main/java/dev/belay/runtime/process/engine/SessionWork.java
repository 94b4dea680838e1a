package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolContext;

/** What processes need of sessions. Implemented by whoever runs them. Thread-safe. */
public interface SessionWork {

    /**
     * Says something to a session; the same input again is said once.
     *
     * @param input the id of the input
     * @param text what is said
     * @param settles the key of a wait that is settled with the turn's result
     */
    void submit(SessionId session, String input, String text, String settles);

    /** Asks the turn that an input is in to end; does nothing if there is none. */
    void cancel(SessionId session, String input, String reason);

    /**
     * What the result of a turn means for its process. A turn tells its result just before it is committed; this waits until it
     * is, so that whoever sees the end of the process sees the turn in its session.
     */
    ProcessEnd end(SessionId session, String input, Json turnResult);

    /** The context of a call that runs in a process. */
    ToolContext around(ToolContext context, ProcessEventsCapability events);
}
