package dev.belay.config;

import dev.belay.BelayException;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration file that cannot be used; {@link #problems()} has all that was found. Its code is {@code invalid_config}. */
public final class ConfigException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Reports problems, at least one. */
    public ConfigException(List<ConfigProblem> problems) {
        super("invalid_config",
                problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** What is wrong, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
