package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An outcome tied to its call. Only a call makes one. Immutable. */
public final class ToolReply {

    private final RoundState round;
    private final int index;
    private final Supplier<@Nullable ToolOutcome> outcome;

    /** A reply; without an outcome the call waits to be completed from outside. */
    ToolReply(RoundState round, int index, @Nullable ToolOutcome outcome) {
        this(round, index, (Supplier<@Nullable ToolOutcome>) () -> outcome);
    }

    private ToolReply(RoundState round, int index, Supplier<@Nullable ToolOutcome> outcome) {
        this.round = round;
        this.index = index;
        this.outcome = outcome;
    }

    /** A reply whose outcome is made when somebody asks for it. */
    static ToolReply lazy(RoundState round, int index, Supplier<@Nullable ToolOutcome> outcome) {
        return new ToolReply(round, index, outcome);
    }

    /** The call it answers. */
    public CallId callId() {
        return round.callId(index);
    }

    /** The name of the tool that was called. */
    public String toolName() {
        return round.part(index).name();
    }

    /** Whether the call waits to be completed from outside, so that its round will be parked. Only in a session. */
    public boolean isWaiting() {
        return outcome.get() == null;
    }

    /** How the call ended; {@code call_waits} if it waits. */
    public ToolOutcome outcome() {
        ToolOutcome ended = outcome.get();
        if (ended == null) {
            throw new BelayException("call_waits", "call " + callId() + " of " + toolName()
                    + " waits to be completed from outside and has no outcome; ask isWaiting() first");
        }
        return ended;
    }

    RoundState round() {
        return round;
    }

    int index() {
        return index;
    }

    ReplyPart part() {
        ToolOutcome ended = outcome();
        return new ReplyPart(callId().value(), toolName(), ended.status(), ended.text());
    }

    @Override
    public String toString() {
        return callId() + " " + toolName() + ": " + (isWaiting() ? "waits" : outcome().text());
    }
}
