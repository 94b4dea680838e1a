package dev.belay.runtime.dispatch.call;

import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;

/** Ends a call at an early stage. It never leaves the pipeline, and has no stack because it is not a fault. */
final class CallEnded extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient ToolOutcome outcome;

    CallEnded(ToolOutcome outcome) {
        super("the call has ended", null, false, false);
        this.outcome = outcome;
    }

    CallEnded(ToolFailure failure) {
        this(new ToolOutcome.Failure(failure));
    }

    ToolOutcome outcome() {
        return outcome;
    }
}
