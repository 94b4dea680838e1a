package dev.belay.cli.shell;

/** Ends a command with a sentence for standard error and an exit code. */
public final class CommandProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Ends a command.
     *
     * @param exitCode one of {@link ExitCode}
     * @param message what was wrong, and what to do
     */
    public CommandProblem(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** One of {@link ExitCode}. */
    public int exitCode() {
        return exitCode;
    }

    /** The command line is wrong. */
    public static CommandProblem usage(String message) {
        return new CommandProblem(ExitCode.USAGE, message);
    }

    /** There is no such thing. */
    public static CommandProblem notFound(String message) {
        return new CommandProblem(ExitCode.NOT_FOUND, message);
    }

    /** It cannot be done. */
    public static CommandProblem notPossible(String message) {
        return new CommandProblem(ExitCode.NOT_POSSIBLE, message);
    }
}
