package dev.belay.runtime.session;

import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.tool.ToolContext;
import dev.belay.tool.context.StateAccess;

/**
 * What a body may ask of the session or the process that its call is in. A tool that wants it is offered in sessions only. Each
 * capability that the place does not have throws {@code capability_unavailable} when it is asked for.
 */
public interface SessionToolContext extends ToolContext {

    /** The session, its tools, and sessions below it. */
    SessionsCapability sessions();

    /** The states of the session's plugins. Changes count if this call succeeds. */
    StateAccess state();

    /** Processes that the session was granted, and new ones. */
    ProcessesCapability processes();

    /** Events of the process that this call runs in. */
    ProcessEventsCapability processEvents();
}
