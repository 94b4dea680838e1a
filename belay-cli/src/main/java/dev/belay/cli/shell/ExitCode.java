package dev.belay.cli.shell;

/** The exit codes of the command and of its launcher; {@code docs/cli.md} has the same table. */
public final class ExitCode {

    /** Done, or it was so before. */
    public static final int DONE = 0;
    /** It failed: the model, the store, a tool, or the turn stopped without an answer. */
    public static final int FAILED = 1;
    /** The command line, a file of settings or a script is wrong. */
    public static final int USAGE = 2;
    /** It cannot be done: refused, not trusted, or a terminal is needed. */
    public static final int NOT_POSSIBLE = 3;
    /** There is no such database, session, turn, wait, doubt, tool or file. */
    public static final int NOT_FOUND = 4;
    /** The turn waits for an answer from outside; it goes on when the answer is there. */
    public static final int WAITING = 5;
    /** Ctrl-C. */
    public static final int INTERRUPTED = 130;
    /** The reader of standard output is gone, as after {@code | head}. */
    public static final int CLOSED = 141;

    private ExitCode() {}
}
