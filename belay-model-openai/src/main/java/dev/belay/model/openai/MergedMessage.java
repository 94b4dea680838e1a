package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges the pieces of a message into the message that the server would have sent whole, unknown fields included: the server may
 * need them back. Growing texts are joined, of other values the last one counts that is not empty. Items of a list are matched by
 * their {@code index}; without one, neighbours of one kind of text are joined. Confined to one answer.
 */
final class MergedMessage {

    private static final Set<String> GROWING = Set.of("content", "refusal", "reasoning", "reasoning_content",
            "arguments",
            "text", "summary", "thinking", "data");
    /** The kinds of items that grow, as the content of a message in parts does. */
    private static final Set<String> GROWING_ITEMS = Set.of("text", "thinking");
    private static final String CALLS = "tool_calls";

    private sealed interface Node {

        record Value(Json json) implements Node {}

        record Text(StringBuilder text) implements Node {}

        record Fields(Map<String, Node> fields) implements Node {}

        record Items(List<Node> items, Map<Long, Integer> places) implements Node {}
    }

    private final Node.Fields root = new Node.Fields(new LinkedHashMap<>());
    private final SortedMap<Integer, Node.Fields> calls = new TreeMap<>();

    /** Takes a piece of the message, without its calls. */
    void add(Json piece) {
        piece.fields().forEach((name, value) -> {
            if (name.equals(CALLS)) {
                root.fields().putIfAbsent(CALLS, new Node.Value(value));
            } else {
                root.fields().put(name, merged(root.fields().get(name), name, value));
            }
        });
    }

    /** Takes a piece of the call at this place. */
    void addCall(int slot, Json piece) {
        Node.Fields call = calls.computeIfAbsent(slot, index -> new Node.Fields(new LinkedHashMap<>()));
        piece.fields().forEach((name, value) -> {
            if (!name.equals("index")) {
                call.fields().put(name, merged(call.fields().get(name), name, value));
            }
        });
    }

    /** Removes the call at this place, which was only a repetition. */
    void dropCall(int slot) {
        calls.remove(slot);
    }

    /** The message so far. */
    Json json() {
        Map<String, Json> fields = new LinkedHashMap<>();
        if (!root.fields().containsKey("role")) {
            fields.put("role", Json.string("assistant"));
        }
        root.fields()
                .forEach((name, node) -> fields.put(name, name.equals(CALLS) && !calls.isEmpty()
                        ? Json.array(calls.values().stream().map(MergedMessage::json).toList())
                        : json(node)));
        return Json.object(fields);
    }

    private static Node merged(@Nullable Node known, String name, Json value) {
        return switch (value.kind()) {
            case NULL -> known == null ? new Node.Value(value) : known;
            case STRING -> text(known, name, value);
            case OBJECT -> {
                Node.Fields object = known instanceof Node.Fields fields
                        ? fields
                        : new Node.Fields(new LinkedHashMap<>());
                value.fields()
                        .forEach(
                                (field, inner) -> object.fields()
                                        .put(field, merged(object.fields().get(field), field, inner)));
                yield object;
            }
            case ARRAY -> known != null && value.items().isEmpty() ? known : items(known, value);
            case NUMBER, BOOLEAN -> new Node.Value(value);
        };
    }

    private static Node text(@Nullable Node known, String name, Json value) {
        if (known != null && value.asString().isEmpty() && !known.equals(new Node.Value(Json.NULL))) {
            return known;
        }
        if (!GROWING.contains(name)) {
            return new Node.Value(value);
        }
        if (known instanceof Node.Items parts) {
            return items(parts, Json.array(List.of(textItem(value))));
        }
        Node.Text text = known instanceof Node.Text grown ? grown : new Node.Text(new StringBuilder());
        text.text().append(value.asString());
        return text;
    }

    private static Json textItem(Json text) {
        return Json.write(
                out -> out.beginObject().name("type").value("text").name("text").value(text).endObject());
    }

    private static Node items(@Nullable Node known, Json value) {
        Node.Items list = switch (known) {
            case Node.Items items -> items;
            case Node.Text(StringBuilder text) when !text.isEmpty() ->
                (Node.Items) items(null, Json.array(List.of(textItem(Json.string(text.toString())))));
            case null, default -> new Node.Items(new ArrayList<>(), new LinkedHashMap<>());
        };
        for (Json item : value.items()) {
            long index = WireFields.count(item, "index").orElse(-1);
            int place = index < 0 ? growing(list, item) : list.places().getOrDefault(index, -1);
            if (place >= 0) {
                list.items().set(place, merged(list.items().get(place), "", item));
            } else {
                if (index >= 0) {
                    list.places().put(index, list.items().size());
                }
                list.items().add(merged(null, "", item));
            }
        }
        return list;
    }

    /** The place of the last item if this one continues it, else -1. */
    private static int growing(Node.Items list, Json item) {
        boolean continues = !list.items().isEmpty() && item.kind() == Json.Kind.OBJECT
                && list.items().getLast() instanceof Node.Fields(Map<String, Node> fields)
                && fields.get("type") instanceof Node.Value(Json type)
                && item.get("type").filter(type::equals).isPresent()
                && GROWING_ITEMS.stream().anyMatch(name -> type.equals(Json.string(name)));
        return continues ? list.items().size() - 1 : -1;
    }

    private static Json json(Node node) {
        return switch (node) {
            case Node.Value(Json json) -> json;
            case Node.Text(StringBuilder text) -> Json.string(text.toString());
            case Node.Items items -> Json.array(items.items().stream().map(MergedMessage::json).toList());
            case Node.Fields(Map<String, Node> fields) -> {
                Map<String, Json> made = new LinkedHashMap<>();
                fields.forEach((name, inner) -> made.put(name, json(inner)));
                yield Json.object(made);
            }
        };
    }
}
