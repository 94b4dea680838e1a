package dev.belay.toolset;

import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.CallId;
import dev.belay.tool.ToolOutcome;

/** An outcome tied to its call. Only a call makes one. Immutable. */
public final class ToolReply {

    private final RoundState round;
    private final int index;
    private final ToolOutcome outcome;

    ToolReply(RoundState round, int index, ToolOutcome outcome) {
        this.round = round;
        this.index = index;
        this.outcome = outcome;
    }

    /** The call it answers. */
    public CallId callId() {
        return round.callId(index);
    }

    /** The name of the tool that was called. */
    public String toolName() {
        return round.part(index).name();
    }

    /** How the call ended. */
    public ToolOutcome outcome() {
        return outcome;
    }

    RoundState round() {
        return round;
    }

    int index() {
        return index;
    }

    ReplyPart part() {
        return new ReplyPart(callId().value(), toolName(), outcome.status(), outcome.text());
    }

    @Override
    public String toString() {
        return callId() + " " + toolName() + ": " + outcome.text();
    }
}
