package dev.belay.runtime.dispatch.body;

import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a body should end before it has answered. */
sealed interface Stop {

    /** Failures that are nothing but the echo of an interruption, or of a call that went on without its body. */
    Set<String> ECHOES = Set.of("tool_threw", "tool_cancelled", "durable_effect_event_cancelled",
            "call_ended");

    /** It took too long. */
    record Expired(String reason) implements Stop {}

    /** The call was cancelled. */
    record Cancelled(String reason) implements Stop {}

    /** The host closes. */
    record Closing(String reason) implements Stop {}

    String reason();

    /** Whether a stopped body has answered by itself. */
    static boolean isOwn(BodyEnd end) {
        return switch (end) {
            case BodyEnd.Answered(BodyRunner.Ended.With(ToolOutcome.Cancelled cancelled, var control)) ->
                false;
            case BodyEnd.Answered(BodyRunner.Ended.With(ToolOutcome outcome, var control)) ->
                outcome.code().filter(ECHOES::contains).isEmpty();
            case BodyEnd.Answered parked -> true;
            case BodyEnd.Broken broken -> true;
            default -> false;
        };
    }

    /** A stopped body often answers with an echo of the stop, such as an interrupt; only an answer of its own stands. */
    static BodyEnd meaning(@Nullable Stop why, BodyEnd end) {
        boolean own = isOwn(end);
        return switch (why) {
            case null -> end;
            case Stop.Expired(String reason) -> own ? end : new BodyEnd.Expired(reason);
            case Stop.Cancelled(String reason) -> own ? end : new BodyEnd.Stopped(reason);
            case Stop.Closing closing -> end;
        };
    }
}
