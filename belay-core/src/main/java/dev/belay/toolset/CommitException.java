package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.tool.context.CallId;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A commit that was refused, with every reason. The round is unchanged: if replies are wrong, correct them and commit again; if
 * the round is closed or stale, ask for another one.
 */
public final class CommitException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * One reason why a round cannot be committed.
     *
     * @param code {@code missing_reply}, {@code duplicate_reply}, {@code foreign_reply}, {@code stale_round} or
     *        {@code round_closed}
     * @param callId the call it is about, or null for the whole round
     * @param message what is wrong
     */
    public record Problem(String code, @Nullable CallId callId, String message) {}

    /** At least one problem. */
    public CommitException(List<Problem> problems) {
        super(problems.getFirst().code(),
                problems.stream()
                        .map(problem -> problem.code() + ": " + problem.message())
                        .collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** All reasons. */
    public List<Problem> problems() {
        return problems;
    }
}
