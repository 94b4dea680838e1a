package dev.belay.toolset;

import dev.belay.json.Json;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.loop.CallReply;
import dev.belay.toolset.loop.RoundState;

/**
 * A call that cannot be run: its tool is unknown or was not offered, or its arguments do not fit. It is answered automatically
 * with what was wrong, unless you give a reply of your own.
 */
public final class CallIssue {

    private final RoundState round;
    private final int index;
    private final ToolFailure failure;

    CallIssue(RoundState round, int index, ToolFailure failure) {
        this.round = round;
        this.index = index;
        this.failure = failure;
    }

    /** The id that the model knows. */
    public CallId id() {
        return round.callId(index);
    }

    /** The name that the model said. */
    public String name() {
        return round.part(index).name();
    }

    /** Exactly the text that the model sent. */
    public String arguments() {
        return round.part(index).arguments();
    }

    /** What is wrong, with a code. */
    public ToolFailure failure() {
        return failure;
    }

    /** The automatic answer. */
    public ToolReply reply() {
        return reply(new ToolOutcome.Failure(failure));
    }

    /** Answers with a text of your own. */
    public ToolReply complete(String text) {
        return reply(new ToolOutcome.Success(Json.string(text)));
    }

    /** Answers with a failure of your own. */
    public ToolReply fail(String message) {
        return reply(new ToolOutcome.Failure(ToolFailure.of(message)));
    }

    /** Answers that it is not allowed. */
    public ToolReply reject(String reason) {
        return reply(new ToolOutcome.Rejected(reason));
    }

    private ToolReply reply(ToolOutcome outcome) {
        return new ToolReply(CallReply.of(round, index, outcome));
    }

    @Override
    public String toString() {
        return id() + " " + name() + ": " + failure.code();
    }
}
