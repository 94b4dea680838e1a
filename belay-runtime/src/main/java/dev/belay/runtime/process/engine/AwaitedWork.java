package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.CompletionKey;

/**
 * Runs work that is a wait in the scope of its process: a turn of a session, or external work. May throw
 * {@link dev.belay.tool.context.Suspended}. Thread-safe.
 */
public record AwaitedWork(SessionWork sessions) {

    /** The wait of external work for its outcome. */
    public static final WaitName OUTCOME = new WaitName("outcome");

    private static final WaitName TURN = new WaitName("turn");

    ProcessEnd external(EffectScope scope) {
        return end(scope.await(scope.completionKey(OUTCOME), Deadline.NONE));
    }

    ProcessEnd turn(EffectScope scope, Beginning beginning, ProcessWork.Turn turn) {
        String input = "process/" + beginning.id();
        CompletionKey key = scope.completionKey(TURN);
        boolean submitted = scope.peek(SubmitEffect.KEY).isPresent();
        String cancelled = scope.cancellation().reason().orElse(null);
        Resolution resolution;
        if (cancelled != null && !submitted) {
            resolution = new Resolution.Cancelled(cancelled);
        } else {
            try {
                scope.run(new SubmitEffect(turn, () -> {
                    if (beginning.by() != null) {
                        sessions.make(turn.session(), beginning.agent(), beginning.by());
                    }
                    sessions.submit(turn.session(), input, turn.text(), key.token());
                }));
            } catch (ToolException refused) {
                return new ProcessEnd.Failed(refused.failure());
            }
            resolution = scope.await(key, Deadline.NONE);
        }
        if (resolution instanceof Resolution.Cancelled(String reason)) {
            sessions.cancel(turn.session(), input, reason);
        }
        return resolution instanceof Resolution.Ok(Json result)
                ? sessions.end(turn.session(), input, result)
                : end(resolution);
    }

    private static ProcessEnd end(Resolution resolution) {
        return switch (resolution) {
            case Resolution.Ok(Json value) -> new ProcessEnd.Completed(value);
            case Resolution.Failed(ToolFailure failure) -> new ProcessEnd.Failed(failure);
            case Resolution.Cancelled(String reason) -> new ProcessEnd.Cancelled(reason);
            case Resolution.TimedOut timedOut -> throw new IllegalStateException("there is no deadline");
        };
    }
}
