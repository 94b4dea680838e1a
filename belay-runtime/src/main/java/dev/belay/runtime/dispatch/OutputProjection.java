package dev.belay.runtime.dispatch;

import dev.belay.tool.ToolOutcome;

/** Turns a recorded outcome into what the caller sees. A function of its arguments alone, because replay asks it again. */
@FunctionalInterface
public interface OutputProjection {

    /** Shows everything. */
    OutputProjection WHOLE = (call, outcome) -> outcome;

    /**
     * What the caller sees; a projection that throws is ignored.
     *
     * @param call which
     * @param outcome as it is recorded
     */
    ToolOutcome project(CallReference call, ToolOutcome outcome);
}
