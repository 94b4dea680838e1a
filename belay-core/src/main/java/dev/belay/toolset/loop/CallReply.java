package dev.belay.toolset.loop;

import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The outcome of one call of a round. Immutable. */
public final class CallReply {

    private final RoundState round;
    private final int index;
    private final Supplier<@Nullable ToolOutcome> outcome;

    /**
     * A reply whose outcome is made when it is asked for.
     *
     * @param index the place of the call in its message
     * @param outcome gives null while the call waits to be completed from outside
     */
    CallReply(RoundState round, int index, Supplier<@Nullable ToolOutcome> outcome) {
        this.round = round;
        this.index = index;
        this.outcome = outcome;
    }

    /** A reply with a known outcome; without one the call waits to be completed from outside. */
    public static CallReply of(RoundState round, int index, @Nullable ToolOutcome outcome) {
        return new CallReply(round, index, () -> outcome);
    }

    RoundState round() {
        return round;
    }

    int index() {
        return index;
    }

    /** The call. */
    public CallId callId() {
        return round.callId(index);
    }

    /** The name that the model said. */
    public String toolName() {
        return round.part(index).name();
    }

    /** The outcome, or null while the call waits. */
    public @Nullable ToolOutcome outcome() {
        return outcome.get();
    }

    ReplyPart part() {
        ToolOutcome ended = Objects.requireNonNull(outcome(), "a waiting call has no text");
        return new ReplyPart(callId().value(), toolName(), ended.status(), ended.text());
    }
}
