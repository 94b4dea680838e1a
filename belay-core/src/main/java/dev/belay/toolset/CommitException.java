package dev.belay.toolset;

import dev.belay.BelayException;
import java.util.List;
import java.util.stream.Collectors;

/** A commit that was refused, with every reason. The round is as it was: mend the replies and commit again. */
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
