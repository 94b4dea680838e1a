package dev.belay.cli.talk;

import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Counts what happened in a turn, for one line at its end. Thread-safe. */
final class Summary {

    private static final Set<String> WRITES = Set.of("write_file", "edit_file");

    private int calls;
    private int failed;
    private int files;

    synchronized void call(String tool, ToolOutcome outcome) {
        calls++;
        if (outcome.code().isPresent()) {
            failed++;
        } else if (WRITES.contains(tool)) {
            files++;
        }
    }

    /** The line; the counts begin anew. */
    synchronized String of(TurnResult result, String session) {
        List<String> parts = new ArrayList<>(List.of(count(result.rounds(), "round"),
                count(calls, "call") + (failed == 0 ? "" : " (" + failed + " failed)")));
        result.usage().total().ifPresent(tokens -> parts.add(tokens + " tokens"));
        if (result.cost() != null && result.cost().signum() > 0) {
            parts.add("cost " + result.cost().toPlainString());
        }
        if (files > 0) {
            parts.add(count(files, "file") + " changed");
        }
        if (!result.doubts().isEmpty()) {
            parts.add(count(result.doubts().size(), "call") + " in doubt ('belay doubts')");
        }
        calls = 0;
        failed = 0;
        files = 0;
        return "[" + session + "] " + String.join(", ", parts);
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
