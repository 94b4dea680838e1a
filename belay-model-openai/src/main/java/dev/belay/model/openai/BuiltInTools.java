package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.Optional;
import java.util.Set;

/** Knows which tools of OpenAI's protocols the provider runs to their end, so that Belay can offer them. Stateless. */
final class BuiltInTools {

    /** Each use of these is a call that a program has to answer. */
    private static final Set<String> RUN_BY_THE_PROGRAM = Set.of("local_shell", "apply_patch", "computer",
            "computer_use_preview", "custom", "function", "namespace", "builtin_function");

    private BuiltInTools() {}

    /** Why Belay cannot serve a tool; empty if it can. */
    static String unserved(Json tool) {
        String type = WireFields.type(tool);
        if (RUN_BY_THE_PROGRAM.contains(type) || (type.equals("shell") && !runsInAContainer(tool))) {
            return "your program would have to run it; give the agent a tool of its own that does the same";
        }
        if (type.equals("image_generation")) {
            return "an answer has no place for pictures; give the agent a tool that asks for pictures";
        }
        if (type.equals("mcp") && !tool.get("require_approval").equals(Optional.of(Json.string("never")))) {
            return "its calls would wait for an approval that cannot be given here; set \"require_approval\" to \"never\","
                    + " or attach the server with McpServers, where Belay's policies decide";
        }
        return "";
    }

    private static boolean runsInAContainer(Json tool) {
        return WireFields.field(tool, "environment")
                .filter(where -> WireFields.type(where).startsWith("container"))
                .isPresent();
    }
}
