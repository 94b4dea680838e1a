package dev.belay.model.envelope;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.ModelRequest;
import dev.belay.model.OutputSpec;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells a model without native calls how to call. The text depends on nothing but the request, and tools are sorted, so that
 * it stays in the provider's cache. Stateless.
 */
final class EnvelopePrompt {

    private static final String CALL_SHAPE = "{\"kind\":\"tool_call\",\"tool_name\":\"NAME\",\"arguments\":{…},"
            + "\"note\":\"what you are doing, optional\"}";
    private static final String FINAL_SHAPE = "{\"kind\":\"final\",\"content\":\"your answer\"}";

    private EnvelopePrompt() {}

    /** The instructions for a request. */
    static String instructions(ModelRequest request) {
        StringBuilder out = new StringBuilder(1_024);
        out.append("Answer with exactly one JSON object and nothing else: no text before or after it, ")
                .append("no code block around it. It has ")
                .append(request.tools().isEmpty() ? "this shape.\n\n" : "one of two shapes.\n\n");
        if (!request.tools().isEmpty()) {
            out.append("To call a tool:\n").append(CALL_SHAPE).append("\n\n");
        }
        out.append("To answer the user:\n").append(finalShape(request.output())).append("\n\n");
        out.append("Inside a string write a line break as \\n, a quote as \\\" and a backslash as \\\\.\n");
        out.append("The outcome of a call comes back as ")
                .append("{\"kind\":\"tool_result\",\"tool_name\":…,\"status\":…,\"content\":…}; ")
                .append("never write one yourself. One call at a time.\n");
        if (!request.tools().isEmpty()) {
            out.append("\nTools:\n");
            sorted(request.tools()).forEach(tool -> describe(tool, out));
        }
        out.append(demand(request));
        return out.toString();
    }

    /** The correction that follows an unreadable answer. */
    static String correction(ModelRequest request, String problem) {
        return "Your answer could not be read: " + problem
                + ".\nAnswer again with exactly one JSON object and nothing else, of one of these shapes:\n"
                + (request.tools().isEmpty() ? "" : CALL_SHAPE + "\n") + finalShape(request.output())
                + (request.tools().isEmpty() ? "" : "\nTools: " + names(request.tools()));
    }

    /** The schema of an envelope, for servers that can hold a model to one. */
    static OutputSpec schema(ModelRequest request) {
        boolean calls = !request.tools().isEmpty();
        String place = "#/anyOf/" + (calls ? 1 : 0) + "/properties/content";
        return OutputSpec.schema("envelope", Json.write(out -> {
            out.beginObject().name("anyOf").beginArray();
            if (calls) {
                callSchema(out, request.tools());
            }
            finalSchema(out, request.output(), place);
            out.endArray();
            if (request.output() instanceof OutputSpec.Schema(String name, Json schema)) {
                Map<String, Json> definitions = MovedSchema.definitions(place, schema);
                if (!definitions.isEmpty()) {
                    out.name("$defs").value(Json.object(definitions));
                }
            }
            out.endObject();
        }));
    }

    private static void callSchema(JsonWriter out, List<ToolSpec> tools) {
        out.beginObject().name("type").value("object").name("properties").beginObject();
        constant(out, "kind", List.of("tool_call"));
        constant(out, "tool_name", sorted(tools).stream().map(ToolSpec::name).toList());
        out.name("arguments").beginObject().name("type").value("object").endObject();
        out.name("note").beginObject().name("type").value("string").endObject();
        out.endObject();
        required(out, List.of("kind", "tool_name", "arguments"));
    }

    private static void finalSchema(JsonWriter out, OutputSpec output, String place) {
        out.beginObject().name("type").value("object").name("properties").beginObject();
        constant(out, "kind", List.of("final"));
        out.name("content");
        switch (output) {
            case OutputSpec.Schema(String name, Json schema) -> out.value(MovedSchema.at(place, schema));
            case OutputSpec.Text text -> out.beginObject().name("type").value("string").endObject();
        }
        out.endObject();
        required(out, List.of("kind", "content"));
    }

    private static void constant(JsonWriter out, String name, List<String> values) {
        out.name(name).beginObject().name("type").value("string").name("enum").beginArray();
        values.forEach(out::value);
        out.endArray().endObject();
    }

    private static void required(JsonWriter out, List<String> names) {
        out.name("required").beginArray();
        names.forEach(out::value);
        out.endArray().endObject();
    }

    private static String finalShape(OutputSpec output) {
        return switch (output) {
            case OutputSpec.Text text -> FINAL_SHAPE;
            case OutputSpec.Schema(String name, Json schema) ->
                "{\"kind\":\"final\",\"content\":{…}}, the content being JSON that satisfies this schema ("
                        + name + "): " + schema.compact();
        };
    }

    private static void describe(ToolSpec tool, StringBuilder out) {
        out.append("- ").append(tool.name());
        if (!tool.description().isBlank()) {
            out.append(": ").append(tool.description().strip().replaceAll("\\s*\\R\\s*", " "));
        }
        out.append("\n  arguments: ").append(tool.inputSchema().compact()).append('\n');
    }

    private static String demand(ModelRequest request) {
        return switch (request.toolChoice()) {
            case ToolChoice.Auto auto -> "";
            case ToolChoice.Any any -> "\nCall a tool now; do not answer the user yet.\n";
            case ToolChoice.Specific(String name) -> "\nCall the tool " + name + " now.\n";
            case ToolChoice.None none -> "\nDo not call a tool now; answer the user.\n";
        };
    }

    private static List<ToolSpec> sorted(List<ToolSpec> tools) {
        return tools.stream().sorted(Comparator.comparing(ToolSpec::name)).toList();
    }

    private static String names(List<ToolSpec> tools) {
        return sorted(tools).stream().map(ToolSpec::name).collect(Collectors.joining(", "));
    }
}
