package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One block of an answer while it arrives; a block that arrived whole stays unchanged. A delta of an unknown kind grows the fields
 * of the same names: texts and lists are appended to, other values are replaced. Confined to one answer.
 */
final class ContentBlock {

    /** A field that every delta replaces, because it encrypts the whole. */
    private static final String ENCRYPTED = "encrypted_content";

    private final Json start;
    private final String type;
    private final StringBuilder input = new StringBuilder();
    private final Map<String, StringBuilder> texts = new LinkedHashMap<>();
    private final Map<String, List<Json>> lists = new LinkedHashMap<>();
    private final Map<String, Json> values = new LinkedHashMap<>();

    ContentBlock(Json start) {
        this.start = start;
        this.type = WireFields.type(start);
    }

    boolean isCall() {
        return type.equals("tool_use");
    }

    void add(Json delta) {
        switch (WireFields.type(delta)) {
            case "input_json_delta" ->
                WireFields.field(delta, "partial_json").ifPresent(piece -> input.append(piece.asString()));
            case "citations_delta" ->
                WireFields.field(delta, "citation").ifPresent(citation -> list("citations").add(citation));
            default -> delta.fields().forEach((name, value) -> {
                if (!name.equals("type")) {
                    grow(name, value);
                }
            });
        }
    }

    private void grow(String name, Json value) {
        switch (value.kind()) {
            case NULL -> {
            } // says nothing new
            case ARRAY -> list(name).addAll(value.items());
            case STRING -> {
                if (name.equals(ENCRYPTED)) {
                    values.put(name, value);
                } else {
                    texts.computeIfAbsent(name, begun -> new StringBuilder(begun(begun)))
                            .append(value.asString());
                }
            }
            case OBJECT, NUMBER, BOOLEAN -> values.put(name, value);
        }
    }

    private List<Json> list(String name) {
        return lists.computeIfAbsent(name, begun -> new ArrayList<>(
                start.get(begun)
                        .filter(value -> value.kind() == Json.Kind.ARRAY)
                        .map(Json::items)
                        .orElse(List.of())));
    }

    private String begun(String name) {
        return start.get(name)
                .filter(value -> value.kind() == Json.Kind.STRING)
                .map(Json::asString)
                .orElse("");
    }

    /** The arguments if no delta has brought them: those of the block itself, or {@code {}} if it has none. */
    String unheardArguments() {
        return input.isEmpty()
                ? start.get("input").map(Json::text).orElse("{}")
                : "";
    }

    /** Whether it is an empty text, which the provider does not take back. */
    boolean isEmptyText() {
        return type.equals("text") && WireFields.text(whole(), "text").isEmpty();
    }

    /** The block as the provider would have sent it whole. */
    Json whole() {
        if (input.isEmpty() && texts.isEmpty() && lists.isEmpty() && values.isEmpty()) {
            return start;
        }
        Map<String, Json> fields = new LinkedHashMap<>(start.fields());
        texts.forEach((name, text) -> fields.put(name, Json.string(text.toString())));
        lists.forEach((name, items) -> fields.put(name, Json.array(items)));
        fields.putAll(values);
        if (!input.isEmpty()) {
            fields.put("input", Conversation.input(input.toString()));
        }
        return Json.object(fields);
    }
}
