package dev.belay.runtime.dispatch.body;

import dev.belay.tool.ToolContext;

/** A context whose work ends with a call that is stopped, such as children of the call. */
public interface Stoppable extends ToolContext {

    /** The call was cancelled or took too long, and its body has ended or was given up. Told once; what is thrown is logged. */
    void stopped(String reason);
}
