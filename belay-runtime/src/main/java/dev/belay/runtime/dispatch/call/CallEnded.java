package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.effect.Effect;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import org.jspecify.annotations.Nullable;

/** Ends a call at an early stage. It never leaves the pipeline, and has no stack because it is not a fault. */
final class CallEnded extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient ToolOutcome outcome;
    private final transient Effect.@Nullable Note note;
    private final transient @Nullable ToolDefinition asks;

    private CallEnded(ToolOutcome outcome, Effect.@Nullable Note note, @Nullable ToolDefinition asks) {
        super("the call has ended", null, false, false);
        this.outcome = outcome;
        this.note = note;
        this.asks = asks;
    }

    CallEnded(ToolOutcome outcome) {
        this(outcome, null, null);
    }

    CallEnded(ToolFailure failure) {
        this(new ToolOutcome.Failure(failure));
    }

    /** The same with a row of the audit log. */
    CallEnded noted(Effect.Note row) {
        return new CallEnded(outcome, row, asks);
    }

    /** The same; if a person can be asked whether the call goes on with the tool of today, it has not ended. */
    CallEnded unlessAPersonAgrees(ToolDefinition today) {
        return new CallEnded(outcome, note, today);
    }

    ToolOutcome outcome() {
        return outcome;
    }

    /** What is noted in the audit log with it, or null. */
    Effect.@Nullable Note note() {
        return note;
    }

    /** The tool of today, if a person is to be asked about it; else null. */
    @Nullable
    ToolDefinition asks() {
        return asks;
    }
}
