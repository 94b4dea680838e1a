package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Removes from messages in OpenAI's native form what OpenAI itself does not take back. All else is sent back unchanged. Stateless. */
final class NativeHistory {

    private NativeHistory() {}

    /** A message of Chat Completions. */
    static Json message(Json message) {
        List<Json> calls = WireFields.items(message, "tool_calls");
        List<Json> made = calls.stream().map(NativeHistory::call).toList();
        return made.equals(calls) ? message : with(message, "tool_calls", Json.array(made));
    }

    private static Json call(Json call) {
        return WireFields.field(call, "function").map(function -> {
            Json named = named(function);
            return named.equals(function) ? call : with(call, "function", named);
        }).orElse(call);
    }

    /**
     * Items of the Responses API. Reasoning without its encrypted form refers to what the provider has stored, and Belay has it
     * store nothing. Such an item is left out, and so are the ids by which calls refer to it.
     */
    static List<Json> items(List<Json> items) {
        List<Json> made = new ArrayList<>();
        boolean apart = items.stream().anyMatch(NativeHistory::isOnlyAReference);
        for (Json item : items) {
            if (WireFields.type(item).equals("function_call")) {
                made.add(apart ? without(named(item), "id") : named(item));
            } else if (!isOnlyAReference(item)) {
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
        Map<String, Json> fields = new LinkedHashMap<>(object.fields());
        fields.remove(field);
        return Json.object(fields);
    }
}
