package dev.belay.model.langchain4j;

import dev.belay.json.Json;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a JSON Schema to LangChain4j's elements. An element is used only if it can hold every keyword of the schema; other
 * schemas are sent as raw JSON, which LangChain4j passes on unchanged. Stateless.
 */
final class SchemaElements {

    private static final String DEFINITIONS = "#/$defs/";
    private static final Set<String> OBJECT_KEYS = Set.of("type", "description", "properties", "required",
            "additionalProperties", "$defs");

    private SchemaElements() {}

    /**
     * The parameters of a tool, which LangChain4j requires to be an object.
     *
     * @param schema the part of the schema that the elements can hold
     * @param isWhole whether that part is the whole schema
     */
    record Parameters(JsonObjectSchema schema, boolean isWhole) {}

    static Parameters parameters(Json schema) {
        JsonObjectSchema whole = object(schema);
        if (whole != null) {
            return new Parameters(whole, true);
        }
        JsonObjectSchema.Builder rest = JsonObjectSchema.builder();
        properties(schema.get("properties"), rest);
        definitions(schema, rest);
        return new Parameters(rest.build(), false);
    }

    static JsonSchemaElement of(Json schema) {
        JsonSchemaElement element = schema.kind() == Json.Kind.OBJECT ? element(schema) : null;
        return element == null ? JsonRawSchema.from(schema.compact()) : element;
    }

    private static @Nullable JsonSchemaElement element(Json schema) {
        Map<String, Json> fields = schema.fields();
        String description = text(schema, "description");
        if (fields.containsKey("description") && description == null) {
            return null;
        }
        if (isOnly(fields, "$ref")) {
            return reference(text(schema, "$ref"));
        }
        if (isOnly(fields, "anyOf", "description")) {
            List<Json> choices = items(schema, "anyOf");
            return choices.isEmpty()
                    ? null
                    : JsonAnyOfSchema.builder()
                            .description(description)
                            .anyOf(choices.stream().map(SchemaElements::of).toList())
                            .build();
        }
        String type = text(schema, "type");
        if (type == null) {
            return null;
        }
        Json items = fields.get("items");
        return switch (type) {
            case "object" -> object(schema);
            case "array" -> items == null || !isOnly(fields, "type", "description", "items")
                    ? null
                    : JsonArraySchema.builder().description(description).items(of(items)).build();
            default -> isOnly(fields, "type", "description")
                    ? scalar(type, description)
                    : type.equals("string") ? words(schema, description) : null;
        };
    }

    private static @Nullable JsonSchemaElement reference(@Nullable String ref) {
        boolean plain = ref != null && ref.startsWith(DEFINITIONS)
                && ref.indexOf('/', DEFINITIONS.length()) < 0;
        return ref == null || !plain
                ? null
                : JsonReferenceSchema.builder().reference(ref.substring(DEFINITIONS.length())).build();
    }

    private static @Nullable JsonSchemaElement words(Json schema, @Nullable String description) {
        List<Json> values = items(schema, "enum");
        if (values.isEmpty() || !isOnly(schema.fields(), "type", "description", "enum")
                || !values.stream().allMatch(value -> value.kind() == Json.Kind.STRING)) {
            return null;
        }
        return JsonEnumSchema.builder()
                .description(description)
                .enumValues(values.stream().map(Json::asString).toList())
                .build();
    }

    private static @Nullable JsonSchemaElement scalar(String type, @Nullable String description) {
        return switch (type) {
            case "string" -> JsonStringSchema.builder().description(description).build();
            case "integer" -> JsonIntegerSchema.builder().description(description).build();
            case "number" -> JsonNumberSchema.builder().description(description).build();
            case "boolean" -> JsonBooleanSchema.builder().description(description).build();
            default -> null;
        };
    }

    private static @Nullable JsonObjectSchema object(Json schema) {
        Map<String, Json> fields = schema.fields();
        if (!OBJECT_KEYS.containsAll(fields.keySet()) || !"object".equals(text(schema, "type"))) {
            return null;
        }
        JsonObjectSchema.Builder out = JsonObjectSchema.builder().description(text(schema, "description"));
        properties(schema.get("properties"), out);
        definitions(schema, out);
        Json closed = fields.get("additionalProperties");
        if (closed != null && closed.kind() != Json.Kind.BOOLEAN) {
            return null;
        }
        if (closed != null) {
            out.additionalProperties(closed.asBoolean());
        }
        out.required(items(schema, "required").stream().map(Json::asString).toList());
        return out.build();
    }

    private static void properties(Optional<Json> properties, JsonObjectSchema.Builder out) {
        properties.filter(value -> value.kind() == Json.Kind.OBJECT)
                .ifPresent(
                        value -> value.fields().forEach((name, schema) -> out.addProperty(name, of(schema))));
    }

    private static void definitions(Json schema, JsonObjectSchema.Builder out) {
        Map<String, JsonSchemaElement> definitions = new LinkedHashMap<>();
        schema.get("$defs")
                .filter(value -> value.kind() == Json.Kind.OBJECT)
                .ifPresent(value -> value.fields()
                        .forEach((name, defined) -> definitions.put(name, of(defined))));
        if (!definitions.isEmpty()) {
            out.definitions(definitions);
        }
    }

    private static boolean isOnly(Map<String, Json> fields, String... keys) {
        return Set.of(keys).containsAll(fields.keySet());
    }

    private static @Nullable String text(Json schema, String field) {
        return schema.get(field)
                .filter(value -> value.kind() == Json.Kind.STRING)
                .map(Json::asString)
                .orElse(null);
    }

    private static List<Json> items(Json schema, String field) {
        return schema.get(field)
                .filter(value -> value.kind() == Json.Kind.ARRAY)
                .map(Json::items)
                .orElse(List.of());
    }
}
