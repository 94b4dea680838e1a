package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.schema.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Makes history that a provider would refuse, or that JSON cannot hold, such that it can be sent: one odd character in it must not
 * end a conversation. What is fine stays as it is. Stateless.
 */
final class Sendable {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int LONGEST_NAME = 64;

    private Sendable() {}

    /** A text; lone surrogates become question marks. */
    static String text(String text) {
        return Wording.shown(text, Integer.MAX_VALUE);
    }

    /** The name of a call, which a model may have made up: {@code multi_tool_use.parallel} is one that OpenAI refuses. */
    static String name(String name) {
        if (NAME.matcher(name).matches()) {
            return name;
        }
        String made = name.replaceAll("[^a-zA-Z0-9_-]", "_");
        return made.isEmpty() ? "unnamed" : made.substring(0, Math.min(LONGEST_NAME, made.length()));
    }

    /** A message of Chat Completions in its native form. */
    static Json message(Json message) {
        List<Json> calls = Fields.items(message, "tool_calls");
        List<Json> made = calls.stream().map(Sendable::call).toList();
        return made.equals(calls) ? message : with(message, "tool_calls", Json.array(made));
    }

    private static Json call(Json call) {
        return Fields.field(call, "function").map(function -> {
            Json named = named(function);
            return named.equals(function) ? call : with(call, "function", named);
        }).orElse(call);
    }

    /**
     * Items of the Responses API in their native form. Reasoning that came without its encrypted form cannot be sent back, because
     * nothing is stored at the provider: it is left out, and so are the ids by which calls belong to it.
     */
    static List<Json> items(List<Json> items) {
        List<Json> made = new ArrayList<>();
        boolean apart = items.stream().anyMatch(Sendable::isOnlyAReference);
        for (Json item : items) {
            if (Fields.text(item, "type").equals("function_call")) {
                made.add(apart ? without(named(item), "id") : named(item));
            } else if (!isOnlyAReference(item)) {
                made.add(item);
            }
        }
        return made;
    }

    private static boolean isOnlyAReference(Json item) {
        return Fields.text(item, "type").equals("reasoning")
                && Fields.text(item, "encrypted_content").isEmpty()
                && Fields.items(item, "content").isEmpty();
    }

    private static Json named(Json function) {
        String name = Fields.text(function, "name");
        return name(name).equals(name) ? function : with(function, "name", Json.string(name(name)));
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
