package dev.belay.schema.compile;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.rules.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Where schemas stand inside a schema, in any draft. Everything else, such as a constant or a property that happens to be called
 * {@code title}, is data.
 */
public final class SchemaPositions {

    private static final Set<String> ONE = Set.of("items", "additionalItems", "contains",
            "additionalProperties",
            "propertyNames",
            "unevaluatedItems", "unevaluatedProperties", "not", "if", "then", "else", "contentSchema");
    private static final Set<String> LIST = Set.of("items", "prefixItems", "allOf", "anyOf", "oneOf");
    private static final Set<String> BY_NAME = Set.of("properties", "patternProperties", "dependentSchemas",
            "dependencies", "$defs", "definitions");
    private static final Set<String> ANNOTATIONS = Set.of("description", "title", "examples", "default",
            "$comment",
            "deprecated", "readOnly", "writeOnly");

    private SchemaPositions() {}

    /** Visits the schemas directly inside a schema. */
    static void forEach(Json schema, Place place, BiConsumer<Json, Place> visitor) {
        if (schema.kind() != Kind.OBJECT) {
            return;
        }
        schema.fields().forEach((keyword, value) -> {
            Place at = place.field(keyword);
            if (ONE.contains(keyword) && value.kind() != Kind.ARRAY) {
                visitor.accept(value, at);
            } else if (LIST.contains(keyword) && value.kind() == Kind.ARRAY) {
                for (int i = 0; i < value.items().size(); i++) {
                    visitor.accept(value.items().get(i), at.item(i));
                }
            } else if (BY_NAME.contains(keyword) && value.kind() == Kind.OBJECT) {
                value.fields().forEach((name, child) -> visitor.accept(child, at.field(name)));
            }
        });
    }

    /** The same schema without what only describes. */
    public static Json withoutAnnotations(Json schema) {
        if (schema.kind() != Kind.OBJECT) {
            return schema;
        }
        Map<String, Json> kept = new LinkedHashMap<>();
        schema.fields().forEach((keyword, value) -> {
            if (!ANNOTATIONS.contains(keyword)) {
                kept.put(keyword, withoutAnnotations(keyword, value));
            }
        });
        return Json.object(kept);
    }

    private static Json withoutAnnotations(String keyword, Json value) {
        if (ONE.contains(keyword) && value.kind() != Kind.ARRAY) {
            return withoutAnnotations(value);
        }
        if (LIST.contains(keyword) && value.kind() == Kind.ARRAY) {
            List<Json> schemas = new ArrayList<>();
            value.items().forEach(schema -> schemas.add(withoutAnnotations(schema)));
            return Json.array(schemas);
        }
        if (BY_NAME.contains(keyword) && value.kind() == Kind.OBJECT) {
            Map<String, Json> schemas = new LinkedHashMap<>();
            value.fields().forEach((name, schema) -> schemas.put(name, withoutAnnotations(schema)));
            return Json.object(schemas);
        }
        return value;
    }
}
