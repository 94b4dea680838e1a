package dev.belay.cli.talk;

import dev.belay.cli.screen.LiveMarkdown;
import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Shell;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.schema.ShownLines;

/** Tells how a turn has ended. Stateless. */
final class TurnEnds {

    private TurnEnds() {}

    /** Prints the answer of a turn, or why it has none. */
    static void tell(Shell shell, TurnResult.Ended result, boolean isStreamed) {
        if (!(result instanceof TurnResult.Finished)) {
            shell.err().remark("belay: the turn has no answer: " + result.summary(), Style.BAD);
        } else if (!isStreamed && shell.isRich(1)) {
            var words = new LiveMarkdown(shell.theme(1), () -> shell.width(1).orElse(ShownLines.USUAL_WIDTH));
            shell.out().control(words.add(result.text()) + words.end());
        } else if (!isStreamed) {
            shell.out().line(result.text());
        }
    }

    /** What the end of a turn means for a command. */
    static int exitCode(TurnResult.Ended result) {
        return switch (result) {
            case TurnResult.Finished finished -> ExitCode.DONE;
            case TurnResult.Stopped stopped when stopped.cause() == TurnEnd.Cause.CANCELLED ->
                ExitCode.INTERRUPTED;
            default -> ExitCode.FAILED;
        };
    }
}
