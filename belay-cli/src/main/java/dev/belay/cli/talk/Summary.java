package dev.belay.cli.talk;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tells in one line what was recorded of a turn, in this process and before. Stateless. */
final class Summary {

    private static final Set<String> WRITES = Set.of("write_file", "edit_file");

    private Summary() {}

    /** The line. */
    static String of(TurnResult.Ended result, List<TurnCall> calls, String session) {
        long failed = calls.stream().filter(call -> hasFailed(call)).count();
        long files = calls.stream()
                .filter(call -> WRITES.contains(call.tool()) && !hasFailed(call)
                        && call.outcome().isPresent())
                .map(call -> path(call.arguments()))
                .distinct()
                .count();
        List<String> parts = new ArrayList<>(List.of(count(result.rounds(), "round"),
                count(calls.size(), "call") + (failed == 0 ? "" : " (" + failed + " failed)")));
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
        return "[" + session + "] " + String.join(", ", parts);
    }

    private static boolean hasFailed(TurnCall call) {
        return call.outcome().flatMap(outcome -> outcome.code()).isPresent();
    }

    private static String path(String arguments) {
        try {
            return String.valueOf(Json.of(arguments).peekText("path"));
        } catch (JsonException torn) {
            return arguments;
        }
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
