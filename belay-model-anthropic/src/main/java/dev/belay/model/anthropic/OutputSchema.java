package dev.belay.model.anthropic;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rewrites the schema of an answer into the part of JSON Schema that the provider accepts: objects allow no other fields, and
 * bounds of numbers, lengths and sizes become text in the description. The answer is checked against the original schema when it
 * has arrived. A schema that is accepted already stays unchanged. Stateless.
 */
final class OutputSchema {

    private static final Set<String> KEPT = Set.of("type", "title", "description", "enum", "const", "default",
            "required",
            "$ref", "pattern");
    private static final Set<String> FORMATS = Set.of("date-time", "time", "date", "duration", "email",
            "hostname", "uri",
            "ipv4", "ipv6", "uuid");
    private static final Set<String> SILENT = Set.of("$schema", "$id", "$comment", "examples", "deprecated",
            "readOnly",
            "writeOnly");

    private OutputSchema() {}

    static Json of(Json schema) {
        if (schema.kind() != Json.Kind.OBJECT) {
            return schema; // true or false
        }
        Map<String, Json> out = new LinkedHashMap<>();
        List<String> words = new ArrayList<>();
        schema.fields().forEach((name, value) -> keyword(name, value, out, words));
        boolean object = out.containsKey("properties")
                || schema.get("type").filter(Json.string("object")::equals).isPresent();
        if (object) {
            out.put("additionalProperties", Json.FALSE);
        }
        if (!words.isEmpty()) {
            String before = schema.get("description").map(Json::asString).orElse("");
            out.put("description", Json.string((before + " (" + String.join(", ", words) + ")").strip()));
        }
        Json made = Json.object(out);
        return made.equals(schema) ? schema : made;
    }

    private static void keyword(String name, Json value, Map<String, Json> out, List<String> words) {
        switch (name) {
            case "properties", "$defs" -> {
                Map<String, Json> inner = new LinkedHashMap<>();
                value.fields().forEach((key, schema) -> inner.put(key, of(schema)));
                out.put(name, Json.object(inner));
            }
            case "items" -> out.put(name, of(value));
            case "anyOf", "allOf" ->
                out.put(name, Json.array(value.items().stream().map(OutputSchema::of).toList()));
            case "oneOf" ->
                out.put("anyOf", Json.array(value.items().stream().map(OutputSchema::of).toList()));
            case "additionalProperties" -> {
            } // set for every object
            case "format" -> keepIf(FORMATS.contains(value.asString()), name, value, out, words);
            case "minItems" -> keepIf(value.asLong() <= 1, name, value, out, words);
            default -> {
                if (!SILENT.contains(name)) {
                    keepIf(KEPT.contains(name), name, value, out, words);
                }
            }
        }
    }

    private static void keepIf(boolean taken, String name, Json value, Map<String, Json> out,
            List<String> words) {
        if (taken) {
            out.put(name, value);
        } else {
            words.add(name + ": " + value.compact());
        }
    }
}
