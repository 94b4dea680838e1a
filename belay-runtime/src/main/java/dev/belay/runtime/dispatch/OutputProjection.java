package dev.belay.runtime.dispatch;

import dev.belay.tool.ToolOutcome;

/** Makes of a recorded outcome what the caller sees. A function of its arguments alone, because it is asked again on replay. */
@FunctionalInterface
public interface OutputProjection {

    /** Shows everything. */
    OutputProjection WHOLE = (call, outcome) -> outcome;

    /**
     * What the caller sees; one that throws is ignored.
     *
     * @param call which
     * @param outcome as it is recorded
     */
    ToolOutcome project(CallReference call, ToolOutcome outcome);
}
