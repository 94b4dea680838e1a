package dev.belay.model.script;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelException;
import dev.belay.model.NativePayload;
import dev.belay.model.Usage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the lines of {@link ScriptedModel#fromJsonl}, where the format is described. Confined to one call. */
final class ScriptLines {

    private static final List<String> CONTENT = List.of("reasoning", "text", "refusal", "calls", "error",
            "chunks");
    private static final List<String> STEP = List.of("reasoning", "text", "refusal", "calls", "error",
            "finish", "usage",
            "chunks", "native", "when", "once");
    private static final List<String> CALL = List.of("name", "arguments", "id");
    private static final List<String> ERROR = List.of("kind", "message", "retry_after_seconds");
    private static final List<String> USAGE = List.of("input", "output", "cache_read", "cache_write",
            "reasoning");
    private static final List<String> NATIVE = List.of("provider", "payload");
    private static final List<String> WHEN = List.of("last_user_text_contains", "has_reply_for", "offers");

    private ScriptLines() {}

    static List<ScriptStep> parse(Reader lines) {
        List<ScriptStep> steps = new ArrayList<>();
        BufferedReader reader = new BufferedReader(lines);
        try {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    steps.add(numbered(number, line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return steps;
    }

    private static ScriptStep numbered(int number, String line) {
        try {
            return step(Json.of(line));
        } catch (JsonException | IllegalArgumentException e) {
            throw new BelayException("invalid_script", "script line " + number + ": " + e.getMessage(), e);
        }
    }

    private static ScriptStep step(Json line) {
        Map<String, Json> keys = keys("a step", line, STEP);
        if (CONTENT.stream().noneMatch(keys::containsKey)) {
            throw new IllegalArgumentException(
                    "a step needs at least one of " + CONTENT + ", and has " + keys.keySet());
        }
        ScriptStep step = said(keys);
        Json chunks = keys.get("chunks");
        if (chunks != null) {
            step = chunks.kind() == Json.Kind.ARRAY
                    ? step.chunks(pieces(chunks).toArray(String[]::new))
                    : step.chunks((int) Math.min(Integer.MAX_VALUE, number("chunks", chunks)));
        }
        if (keys.containsKey("finish")) {
            step = step.finish(choice("finish", string(keys, "finish"), FinishReason.values()));
        }
        Json usage = keys.get("usage");
        if (usage != null) {
            step = step.usage(usage(usage));
        }
        Json own = keys.get("native");
        if (own != null) {
            Map<String, Json> payload = keys("\"native\"", own, NATIVE);
            step = step.nativePayload(
                    new NativePayload(string(payload, "provider"), required(payload, "payload")));
        }
        Json error = keys.get("error");
        if (error != null) {
            step = step.thenError(error(error));
        }
        return conditional(step, keys);
    }

    private static ScriptStep said(Map<String, Json> keys) {
        ScriptStep step = ScriptStep.nothing();
        if (keys.containsKey("reasoning")) {
            step = ScriptStep.reasoning(string(keys, "reasoning"));
        }
        Json chunks = keys.get("chunks");
        if (keys.containsKey("text")) {
            step = step.andText(string(keys, "text"));
        } else if (chunks != null && chunks.kind() == Json.Kind.ARRAY) {
            step = step.andText(String.join("", pieces(chunks)));
        }
        if (keys.containsKey("refusal")) {
            step = step.andRefusal(string(keys, "refusal"));
        }
        Json calls = keys.get("calls");
        if (calls != null) {
            for (Json item : items("calls", calls)) {
                Map<String, Json> call = keys("a call", item, CALL);
                String name = string(call, "name");
                String arguments = arguments(call.get("arguments"));
                step = call.containsKey("id")
                        ? step.andCall(string(call, "id"), name, arguments)
                        : step.andCall(name, arguments);
            }
        }
        return step;
    }

    private static List<String> pieces(Json chunks) {
        return chunks.items().stream().map(piece -> string("chunks", piece)).toList();
    }

    private static String arguments(@Nullable Json value) {
        if (value == null) {
            return "{}";
        }
        return value.kind() == Json.Kind.STRING ? value.asString() : value.text();
    }

    private static ModelException error(Json value) {
        Map<String, Json> keys = keys("\"error\"", value, ERROR);
        ModelException.Kind kind = choice("kind", string(keys, "kind"), ModelException.Kind.values());
        String message = keys.containsKey("message") ? string(keys, "message") : "scripted error";
        ModelException error = new ModelException(kind, message);
        return Optional.ofNullable(keys.get("retry_after_seconds"))
                .map(seconds -> error
                        .withRetryAfter(Duration.ofSeconds(number("retry_after_seconds", seconds))))
                .orElse(error);
    }

    private static Usage usage(Json value) {
        Usage usage = Usage.NONE;
        for (Map.Entry<String, Json> entry : keys("\"usage\"", value, USAGE).entrySet()) {
            long tokens = number(entry.getKey(), entry.getValue());
            usage = switch (entry.getKey()) {
                case "input" -> usage.withInput(tokens);
                case "output" -> usage.withOutput(tokens);
                case "cache_read" -> usage.withCacheRead(tokens);
                case "cache_write" -> usage.withCacheWrite(tokens);
                default -> usage.withReasoning(tokens);
            };
        }
        return usage;
    }

    private static ScriptStep conditional(ScriptStep step, Map<String, Json> keys) {
        Json when = keys.get("when");
        boolean once = keys.containsKey("once") && bool("once", required(keys, "once"));
        if (when == null) {
            if (once) {
                throw new IllegalArgumentException("\"once\" is for rules and needs \"when\"");
            }
            return step;
        }
        Map<String, Json> conditions = keys("\"when\"", when, WHEN);
        RequestMatcher all = conditions.keySet()
                .stream()
                .map(key -> matcher(key, string(conditions, key)))
                .reduce(RequestMatcher::and)
                .orElseThrow(() -> new IllegalArgumentException("\"when\" needs at least one of " + WHEN));
        return once ? step.when(all).once() : step.when(all);
    }

    private static RequestMatcher matcher(String key, String value) {
        return switch (key) {
            case "last_user_text_contains" -> RequestMatcher.lastUserTextContains(value);
            case "has_reply_for" -> RequestMatcher.hasReplyFor(value);
            default -> RequestMatcher.offers(value);
        };
    }

    private static Map<String, Json> keys(String what, Json value, List<String> known) {
        if (value.kind() != Json.Kind.OBJECT) {
            throw new IllegalArgumentException(what + " must be an object, not " + value.text());
        }
        for (String key : value.fields().keySet()) {
            if (!known.contains(key)) {
                throw unknown("key", what + " has no", key, known);
            }
        }
        return value.fields();
    }

    private static Json required(Map<String, Json> keys, String key) {
        Json value = keys.get(key);
        if (value == null) {
            throw new IllegalArgumentException("\"" + key + "\" is missing beside " + keys.keySet());
        }
        return value;
    }

    private static String string(Map<String, Json> keys, String key) {
        return string(key, required(keys, key));
    }

    private static String string(String key, Json value) {
        expect(Json.Kind.STRING, "a string", key, value);
        return value.asString();
    }

    private static long number(String key, Json value) {
        expect(Json.Kind.NUMBER, "a whole number", key, value);
        try {
            return value.asLong();
        } catch (JsonException e) {
            throw new IllegalArgumentException("\"" + key + "\" must be a whole number, not " + value.text(),
                    e);
        }
    }

    private static boolean bool(String key, Json value) {
        expect(Json.Kind.BOOLEAN, "true or false", key, value);
        return value.asBoolean();
    }

    private static List<Json> items(String key, Json value) {
        expect(Json.Kind.ARRAY, "an array", key, value);
        return value.items();
    }

    private static void expect(Json.Kind kind, String what, String key, Json value) {
        if (value.kind() != kind) {
            throw new IllegalArgumentException("\"" + key + "\" must be " + what + ", not " + value.text());
        }
    }

    private static <E extends Enum<E>> E choice(String key, String value, E[] values) {
        List<String> known = Stream.of(values).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
        int index = known.indexOf(value);
        if (index < 0) {
            throw unknown("value", "\"" + key + "\" has no", value, known);
        }
        return values[index];
    }

    private static IllegalArgumentException unknown(String what, String where, String found,
            List<String> known) {
        String nearest = known.stream()
                .min((a, b) -> Integer.compare(distance(found, a), distance(found, b)))
                .orElseThrow();
        return new IllegalArgumentException(
                where + " " + what + " \"" + found + "\"; the nearest is \"" + nearest
                        + "\", known are " + known);
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
