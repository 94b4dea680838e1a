package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.loop.CallReply;

/** An outcome tied to its call. Only a call makes one. Immutable. */
public final class ToolReply {

    private final CallReply reply;

    ToolReply(CallReply reply) {
        this.reply = reply;
    }

    /** The call it answers. */
    public CallId callId() {
        return reply.callId();
    }

    /** The name of the tool that was called. */
    public String toolName() {
        return reply.toolName();
    }

    /** Whether the call waits to be completed from outside, so that its round will be parked. Only in a session. */
    public boolean isWaiting() {
        return reply.outcome() == null;
    }

    /** How the call ended; {@code call_waits} if it waits. */
    public ToolOutcome outcome() {
        ToolOutcome ended = reply.outcome();
        if (ended == null) {
            throw new BelayException("call_waits", "call " + callId() + " of " + toolName()
                    + " waits to be completed from outside and has no outcome; ask isWaiting() first");
        }
        return ended;
    }

    CallReply reply() {
        return reply;
    }

    @Override
    public String toString() {
        return callId() + " " + toolName() + ": " + (isWaiting() ? "waits" : outcome().text());
    }
}
