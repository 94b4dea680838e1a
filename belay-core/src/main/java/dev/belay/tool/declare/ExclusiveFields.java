package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.option.ExclusiveTemplate;
import java.util.List;
import java.util.Set;

/** Checks that every field of a resource key is there in every valid call. */
public final class ExclusiveFields {

    private static final Set<String> SCALARS = Set.of("string", "number", "integer", "boolean");

    private ExclusiveFields() {}

    public static void check(ExclusiveTemplate template, JsonSchema input) {
        List<Json> required = input.json().get("required").map(Json::items).orElse(List.of());
        for (String field : template.fields()) {
            boolean scalar = input.json()
                    .get("properties")
                    .flatMap(properties -> properties.get(field))
                    .flatMap(schema -> schema.get("type"))
                    .filter(type -> type.kind() == Json.Kind.STRING)
                    .filter(type -> SCALARS.contains(type.asString()))
                    .isPresent();
            if (!scalar || !required.contains(Json.string(field))) {
                throw new BelayException("bad_exclusive_template",
                        "exclusive = \"" + template + "\": \"" + field
                                + "\" is not a required text, number or boolean of the input; required are "
                                + required);
            }
        }
    }
}
