package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Removes from messages in OpenAI's native form what OpenAI itself does not take back. All else is sent back unchanged. Stateless. */
final class NativeHistory {

    private static final Json NO_ITEMS = Json.array(List.of());

    private NativeHistory() {}

    /** The field in which Groq lists the uses of its tools, and which it does not take back. */
    static final String EXECUTED = "executed_tools";

    /**
     * A message of Chat Completions: without its thoughts as text, the numbers of calls and parts, and with the role that some
     * servers leave empty.
     */
    static Json message(Json message) {
        Json made = mapped(without(ThoughtTags.spoken(message), EXECUTED), "tool_calls", NativeHistory::call);
        made = mapped(made, "content", part -> without(part, "index"));
        return WireFields.text(made, "role").isEmpty() ? with(made, "role", Json.string("assistant")) : made;
    }

    /** Whether a filter has left nothing of a message; no server takes it back then. */
    static boolean saysNothing(Json message) {
        return Stream.of("content", "refusal", "tool_calls", "function_call", "audio")
                .allMatch(name -> WireFields.field(message, name)
                        .filter(value -> !value.equals(Json.string("")) && !value.equals(NO_ITEMS))
                        .isEmpty());
    }

    private static Json call(Json call) {
        Json made = without(call, "index");
        return WireFields.field(made, "function").map(function -> {
            Json named = named(function);
            return named.equals(function) ? made : with(made, "function", named);
        }).orElse(made);
    }

    /** The object with changed items in a list; the same object if nothing changes or if there is no list. */
    private static Json mapped(Json object, String list, UnaryOperator<Json> change) {
        List<Json> items = WireFields.field(object, list)
                .filter(value -> value.kind() == Json.Kind.ARRAY)
                .map(Json::items)
                .orElse(List.of());
        List<Json> made = items.stream().map(change).toList();
        return made.equals(items) ? object : with(object, list, Json.array(made));
    }

    /**
     * Items of the Responses API. Reasoning without its encrypted form refers to what the provider has stored, and Belay has it
     * store nothing. Such an item is left out, and so are the ids by which calls refer to it, and uses of built-in tools, which
     * the provider does not take back without it.
     */
    static List<Json> items(List<Json> items) {
        List<Json> made = new ArrayList<>();
        boolean apart = items.stream().anyMatch(NativeHistory::isOnlyAReference);
        for (Json item : items) {
            if (WireFields.type(item).equals("function_call")) {
                made.add(apart ? without(named(item), "id") : named(item));
            } else if (!apart || WireFields.type(item).equals("message")) {
                made.add(item);
            }
        }
        return made;
    }

    private static boolean isOnlyAReference(Json item) {
        return WireFields.type(item).equals("reasoning")
                && WireFields.text(item, "encrypted_content").isEmpty()
                && WireFields.items(item, "content").isEmpty();
    }

    private static Json named(Json function) {
        String name = WireFields.text(function, "name");
        String accepted = Protocol.callName(name);
        return accepted.equals(name) ? function : with(function, "name", Json.string(accepted));
    }

    private static Json with(Json object, String field, Json value) {
        Map<String, Json> fields = new LinkedHashMap<>(object.fields());
        fields.put(field, value);
        return Json.object(fields);
    }

    private static Json without(Json object, String field) {
        if (object.get(field).isEmpty()) {
            return object;
        }
        Map<String, Json> fields = new LinkedHashMap<>(object.fields());
        fields.remove(field);
        return Json.object(fields);
    }
}
