package dev.belay.cli;

import dev.belay.BelayException;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Shell;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns what ends a command into a sentence and an exit code. Stateless. */
final class Failures {

    private static final Set<String> NOT_FOUND = Set.of("journal_missing", "unknown_session", "unknown_turn",
            "unknown_wait", "unknown_tool", "unknown_process");
    private static final Set<String> NOT_POSSIBLE = Set.of("session_exists", "session_closed", "session_busy",
            "secret_unavailable", "agent_mismatch", "unknown_agent", "journal_newer", "journal_older",
            "journal_foreign");
    private static final Set<String> USAGE = Set.of("invalid_export", "invalid_script", "invalid_policy");

    private Failures() {}

    static int tell(Shell shell, Exception problem) {
        return switch (problem) {
            case CommandProblem known -> say(shell, known.getMessage(), known.exitCode());
            case BelayException coded ->
                say(shell, coded.getMessage() + " (" + coded.code() + ")", exitCode(coded.code()));
            case InterruptedException interrupted -> say(shell, "interrupted", ExitCode.INTERRUPTED);
            case IllegalArgumentException wrong -> say(shell, wrong.getMessage(), ExitCode.USAGE);
            case IOException file ->
                say(shell, "a file cannot be used: " + file.getClass().getSimpleName() + ": "
                        + file.getMessage(), ExitCode.FAILED);
            default -> {
                say(shell, "this should not happen, please report it: " + problem, ExitCode.FAILED);
                for (StackTraceElement element : problem.getStackTrace()) {
                    shell.err().line("    at " + element);
                }
                yield ExitCode.FAILED;
            }
        };
    }

    private static int say(Shell shell, @Nullable String message, int exitCode) {
        shell.err().remark("belay: " + message);
        return exitCode;
    }

    private static int exitCode(String code) {
        if (NOT_FOUND.contains(code)) {
            return ExitCode.NOT_FOUND;
        }
        if (NOT_POSSIBLE.contains(code)) {
            return ExitCode.NOT_POSSIBLE;
        }
        return USAGE.contains(code) ? ExitCode.USAGE : ExitCode.FAILED;
    }
}
