package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.ExclusiveTemplate;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Checks what a tool declares against its input schema: its examples, and that every call has the fields of its resource key. */
public final class InputChecks {

    private static final Set<String> SCALARS = Set.of("string", "number", "integer", "boolean");

    private InputChecks() {}

    /** Refuses a resource key or examples that the input schema does not allow; costs nothing where there are none. */
    public static void check(ToolManifest manifest, Supplier<ToolContract> contract) {
        ExclusiveTemplate exclusive = manifest.exclusive();
        if (exclusive != null) {
            check(exclusive, contract.get().input());
        }
        for (Json example : manifest.examples()) {
            var violations = contract.get().input().validate(example);
            if (!violations.isEmpty()) {
                throw new BelayException("bad_example", "an example of tool " + manifest.name()
                        + " does not fit its schema: " + example.text() + "\n" + violations.message());
            }
        }
    }

    private static void check(ExclusiveTemplate template, JsonSchema input) {
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
