package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolContract;

/** What raw schemas must say to belong to a tool. */
public final class RawContract {

    private static final int SHOWN = 80;

    private RawContract() {}

    /** Refuses an input schema that is not one of objects: a model sends arguments by name. */
    public static void check(ToolContract contract) {
        Json type = contract.input().json().get("type").orElse(null);
        if (type == null || !type.equals(Json.string("object"))) {
            throw new BelayException("invalid_schema",
                    "the input schema of a tool must say \"type\": \"object\" at its root, found "
                            + (type == null
                                    ? "no type"
                                    : "the type " + Wording.shown(type.compact(), SHOWN)));
        }
    }
}
