package dev.belay.toolset;

import dev.belay.json.JsonException;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.call.Arguments;

/** Validates inputs that did not come from a model's text. */
final class InputChecks {

    private InputChecks() {}

    /** Throws a {@link JsonException} or {@link ToolException} if an input does not satisfy its own schema. */
    static void check(ToolDefinition definition, Object leaf) throws JsonException {
        if (leaf instanceof Dynamic call) {
            Arguments.require(definition, call.arguments());
        } else {
            definition.encode(leaf);
        }
    }
}
