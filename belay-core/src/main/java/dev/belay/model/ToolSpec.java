package dev.belay.model;

import dev.belay.json.Json;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A tool as a model sees it.
 *
 * @param name what the model calls it, {@code [a-zA-Z0-9_-]{1,64}}
 * @param description what it does; may be empty
 * @param inputSchema the JSON Schema of its arguments, an object
 */
public record ToolSpec(String name, String description, Json inputSchema) {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    /** Refuses a name no provider takes, and a schema that is not a JSON object. */
    public ToolSpec {
        checkName(name, "name of a tool");
        Objects.requireNonNull(description, "description");
        checkSchema(inputSchema, "input schema of tool \"" + name + "\"");
    }

    static void checkName(String name, String what) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the " + what + " must match " + NAME + ", which \"" + name + "\" does not");
        }
    }

    static void checkSchema(Json schema, String what) {
        if (schema.kind() != Json.Kind.OBJECT) {
            throw new IllegalArgumentException(
                    "the " + what + " must be a JSON object, not " + schema.kind());
        }
    }
}
