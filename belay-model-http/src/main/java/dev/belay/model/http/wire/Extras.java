package dev.belay.model.http.wire;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a program adds to every request of a model: fields that Belay does not know, and tools that the provider runs. Immutable.
 *
 * @param fields by their names in the body
 * @param tools in the provider's form, sent behind the agent's
 */
public record Extras(Map<String, Json> fields, List<Json> tools) {

    /** Nothing added. */
    public static final Extras NONE = new Extras(Map.of(), List.of());

    private static final String TOOLS = "tools";

    /** Copies both. */
    public Extras {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        tools = List.copyOf(tools);
    }

    /**
     * The same with another field, merged into one of the same name.
     *
     * @param conversation the fields that hold the conversation in this protocol
     * @throws IllegalArgumentException if the field holds the conversation or the tools of the agent
     */
    public Extras withField(String name, Json value, List<String> conversation) {
        if (name.equals(TOOLS)) {
            throw new IllegalArgumentException(
                    "the field \"tools\" would replace the agent's tools; add tools that the provider runs with providerTools");
        }
        if (conversation.contains(name)) {
            throw new IllegalArgumentException("the field \"" + name
                    + "\" holds the conversation, which every request brings; add what the model should read to the request");
        }
        Map<String, Json> more = new LinkedHashMap<>(fields);
        more.merge(name, value, Extras::merged);
        return new Extras(more, tools);
    }

    /**
     * The same with more tools that the provider runs.
     *
     * @param unserved why Belay cannot serve a tool of the provider; empty if it can
     * @throws IllegalArgumentException if one has no type, or cannot be served
     */
    public Extras withTools(List<Json> more, Function<Json, String> unserved) {
        for (Json tool : more) {
            if (tool.kind() != Json.Kind.OBJECT || WireFields.type(tool).isEmpty()) {
                throw new IllegalArgumentException(
                        "a tool that the provider runs is an object with a \"type\", not "
                                + tool.compact() + "; tools that your program runs belong to the agent");
            }
            String why = unserved.apply(tool);
            if (!why.isEmpty()) {
                throw new IllegalArgumentException(
                        "Belay cannot serve the tool \"" + WireFields.type(tool) + "\" of the provider: "
                                + why);
            }
        }
        return new Extras(fields, Stream.concat(tools.stream(), more.stream()).toList());
    }

    /** The body with the fields: objects are merged, lists are joined, another value replaces one of the same name. */
    public Json in(Json body) {
        return fields.isEmpty() ? body : merged(body, Json.object(fields));
    }

    private static Json merged(Json below, Json above) {
        if (below.kind() == Json.Kind.OBJECT && above.kind() == Json.Kind.OBJECT) {
            Map<String, Json> both = new LinkedHashMap<>(below.fields());
            above.fields().forEach((name, value) -> both.merge(name, value, Extras::merged));
            return Json.object(both);
        }
        if (below.kind() == Json.Kind.ARRAY && above.kind() == Json.Kind.ARRAY) {
            List<Json> both = new ArrayList<>(below.items());
            above.items().stream().filter(item -> !both.contains(item)).forEach(both::add);
            return Json.array(both);
        }
        return above;
    }
}
