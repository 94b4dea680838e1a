package dev.belay.toolset;

import dev.belay.tool.context.CallId;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a round cannot be committed.
 *
 * @param code {@code missing_reply}, {@code duplicate_reply}, {@code foreign_reply}, {@code stale_round} or
 *        {@code round_closed}
 * @param callId the call it is about, or null for the whole round
 * @param message what is wrong
 */
public record CommitProblem(String code, @Nullable CallId callId, String message) {

    static CommitProblem stale() {
        return new CommitProblem("stale_round", null,
                "the transcript has changed since this round was asked for; discard the round and ask again");
    }
}
