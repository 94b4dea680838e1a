package dev.belay.toolset;

import dev.belay.BelayException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A round that was refused, with every reason. It is as it was: where replies are wrong, mend them and commit again; a closed or
 * stale round is asked for again.
 */
public final class CommitException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final transient List<CommitProblem> problems;

    CommitException(List<CommitProblem> problems) {
        super(problems.getFirst().code(),
                problems.stream()
                        .map(problem -> problem.code() + ": " + problem.message())
                        .collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** All reasons. */
    public List<CommitProblem> problems() {
        return problems;
    }
}
