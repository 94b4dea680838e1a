package dev.belay.model;

import dev.belay.BelayException;
import java.util.List;
import java.util.stream.Collectors;

/** A request that no provider would take, with everything that is wrong with it. Nothing was sent. */
public final class InvalidRequestException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final List<RequestProblem> problems;

    InvalidRequestException(List<RequestProblem> problems) {
        super("invalid_model_request", describe(problems));
        this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong, in the order of the request. */
    public List<RequestProblem> problems() {
        return problems;
    }

    private static String describe(List<RequestProblem> problems) {
        return problems.stream()
                .map(RequestProblem::toString)
                .collect(Collectors.joining("; ",
                        "the model request has " + problems.size()
                                + (problems.size() == 1 ? " problem: " : " problems: "),
                        ""));
    }
}
