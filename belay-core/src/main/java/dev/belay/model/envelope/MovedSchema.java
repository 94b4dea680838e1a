package dev.belay.model.envelope;

import dev.belay.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Moves a schema into another one. References start at the root of the whole, so their targets must be there. Definitions go to
 * the root; what refers to the schema itself is led to its new place. Stateless.
 */
final class MovedSchema {

    private static final String DEFINITIONS = "$defs";
    private static final String REFERENCE = "$ref";
    /** Keywords that hold values, not schemas: {@code $ref} in a value is no reference. */
    private static final Set<String> VALUES = Set.of("const", "enum", "default", "examples");

    /** Keywords that hold schemas by freely chosen names. */
    private static final Set<String> NAMED = Set.of("properties", "patternProperties", "dependentSchemas",
            DEFINITIONS);

    private MovedSchema() {}

    /** The schema without its definitions, for this place. */
    static Json at(String place, Json schema) {
        Map<String, Json> rest = new LinkedHashMap<>(
                schema.kind() == Json.Kind.OBJECT ? schema.fields() : Map.of());
        boolean defines = rest.remove(DEFINITIONS) != null;
        return moved(place, defines ? Json.object(rest) : schema);
    }

    /** The definitions, for the root; empty if there are none. */
    static Map<String, Json> definitions(String place, Json schema) {
        Map<String, Json> moved = new LinkedHashMap<>();
        schema.get(DEFINITIONS)
                .filter(found -> found.kind() == Json.Kind.OBJECT)
                .ifPresent(
                        found -> found.fields().forEach((name, one) -> moved.put(name, moved(place, one))));
        return moved;
    }

    private static Json moved(String place, Json schema) {
        return switch (schema.kind()) {
            case OBJECT -> {
                Map<String, Json> fields = new LinkedHashMap<>();
                schema.fields().forEach((name, value) -> fields.put(name, field(place, name, value)));
                yield fields.equals(schema.fields()) ? schema : Json.object(fields);
            }
            case ARRAY -> Json.array(schema.items().stream().map(item -> moved(place, item)).toList());
            case STRING, NUMBER, BOOLEAN, NULL -> schema;
        };
    }

    private static Json field(String place, String name, Json value) {
        if (VALUES.contains(name)) {
            return value;
        }
        if (NAMED.contains(name) && value.kind() == Json.Kind.OBJECT) {
            Map<String, Json> inner = new LinkedHashMap<>();
            value.fields().forEach((own, schema) -> inner.put(own, moved(place, schema)));
            return Json.object(inner);
        }
        if (!name.equals(REFERENCE) || value.kind() != Json.Kind.STRING) {
            return moved(place, value);
        }
        String to = value.asString();
        return to.startsWith("#") && !to.startsWith("#/" + DEFINITIONS + "/")
                ? Json.string(place + to.substring(1))
                : value;
    }
}
