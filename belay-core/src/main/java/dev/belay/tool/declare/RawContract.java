package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolContract;
import org.jspecify.annotations.Nullable;

/** Contracts from raw JSON schemas. */
public final class RawContract {

    private RawContract() {}

    /** Compiles both schemas at once, so that a bad one is refused where it is declared. */
    public static ToolContract of(Json input, @Nullable Json output) {
        boolean object = input.get("type").filter(type -> type.equals(Json.string("object"))).isPresent();
        if (!object) {
            throw new BelayException("invalid_schema",
                    "the input schema of a tool must say \"type\": \"object\" at its root, found "
                            + input.text());
        }
        return new ToolContract(JsonSchema.of(input), output == null ? null : JsonSchema.of(output));
    }
}
