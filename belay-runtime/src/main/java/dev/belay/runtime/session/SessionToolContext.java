package dev.belay.runtime.session;

import dev.belay.tool.ToolContext;

/** What a body may ask of the session that its call is in. A tool that wants it is offered in sessions only. */
public interface SessionToolContext extends ToolContext {

    /** The session, its tools, and sessions below it. */
    SessionsCapability sessions();
}
