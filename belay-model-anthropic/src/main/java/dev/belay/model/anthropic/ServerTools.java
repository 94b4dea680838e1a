package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.List;

/** Knows which of Anthropic's tools Anthropic runs itself, so that Belay can offer them. Stateless. */
final class ServerTools {

    /** The beginnings of the types of tools whose uses a program has to answer; a date follows. */
    private static final List<String> RUN_BY_THE_PROGRAM = List.of("custom", "bash_", "text_editor_",
            "computer_",
            "memory_", "browser_");

    private ServerTools() {}

    /** Why Belay cannot serve a tool; empty if it can. */
    static String unserved(Json tool) {
        return RUN_BY_THE_PROGRAM.stream().anyMatch(WireFields.type(tool)::startsWith)
                ? "your program would have to run it; give the agent a tool of its own that does the same"
                : "";
    }
}
