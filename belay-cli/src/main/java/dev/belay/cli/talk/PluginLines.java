package dev.belay.cli.talk;

import dev.belay.cli.shell.ShortHandles;
import dev.belay.json.Json;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.schema.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells events of plugins in words. Stateless. */
final class PluginLines {

    private static final int LONGEST = 100;
    private static final int LONGEST_STEP = 160;
    private static final Map<String, String> BOXES = Map.of("DONE", "[x] ", "ACTIVE", "[>] ");
    /** Terminals that show a notification of the desktop for the sequence 9. */
    private static final List<String> NOTIFYING = List.of("iTerm.app", "WezTerm", "ghostty");

    private PluginLines() {}

    /** The lines of an event. */
    static List<String> of(TurnEvent.Plugin event) {
        if (event.name().equals("activity")) {
            return List.of(); // the summary says the same
        }
        Optional<Json> steps = event.name().equals("plan.changed")
                ? list(event.data(), "steps")
                : Optional.empty();
        if (steps.isEmpty()) {
            return List.of("* " + Shown.name(event.plugin()) + ": " + Shown.name(event.name()) + " "
                    + Shown.inLine(ShortHandles.in(event.data().compact()), LONGEST));
        }
        List<String> lines = new ArrayList<>(List.of("* the plan:"));
        steps.get()
                .items()
                .forEach(step -> lines.add("  " + BOXES.getOrDefault(LogLines.text(step, "status"), "[ ] ")
                        + Shown.inLine(LogLines.text(step, "text"), LONGEST_STEP)));
        return lines;
    }

    private static Optional<Json> list(Json data, String field) {
        return data.kind() == Json.Kind.OBJECT
                ? data.get(field)
                        .filter(value -> value.kind() == Json.Kind.ARRAY && value.items()
                                .stream()
                                .allMatch(item -> item.kind() == Json.Kind.OBJECT))
                : Optional.empty();
    }

    /** What lets a terminal of this kind notify the desktop that a turn has ended; empty if it cannot. All words are our own. */
    static String notice(TurnEvent.Plugin event, String terminal) {
        return event.name().equals("activity") && NOTIFYING.contains(terminal)
                ? "\u001b]9;belay: the turn has ended\u0007"
                : "";
    }
}
