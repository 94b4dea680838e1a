package dev.belay.schema.rules;

import dev.belay.json.Json;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Shows values to a model: JSON on one line, with characters instead of their escapes, cut between characters and never inside an
 * escape.
 */
public final class Excerpt {

    /** Enough to recognize a value, too little to flood a context. */
    static final int LENGTH = 80;

    private static final String CUT = "…";
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private Excerpt() {}

    public static String of(Json value) {
        StringBuilder out = new StringBuilder();
        append(value, out);
        return cut(out.toString());
    }

    /** Lists values with commas, as many as fit into three excerpts. */
    static String list(Collection<Json> values) {
        StringBuilder out = new StringBuilder();
        for (Iterator<Json> each = values.iterator(); each.hasNext();) {
            out.append(out.isEmpty() ? "" : ", ").append(of(each.next()));
            if (out.length() > 3 * LENGTH && each.hasNext()) {
                return out.append(", ").append(CUT).toString();
            }
        }
        return out.toString();
    }

    public static String names(Collection<String> names) {
        return list(names.stream().limit(3 * LENGTH).map(Json::string).toList());
    }

    public static String quoted(String name) {
        return of(Json.string(name));
    }

    public static String cut(String text) {
        return cut(text, LENGTH);
    }

    /** Cuts what is worth more room than a value, but must not fill a context either. */
    static String cutLong(String text) {
        return cut(text, 3 * LENGTH);
    }

    public static String pointer(String pointer) {
        return pointer.isEmpty() ? "(root)" : CONTROL.matcher(cutLong(pointer)).replaceAll(Excerpt::escaped);
    }

    private static String escaped(MatchResult control) {
        return "\\\\u%04x".formatted((int) control.group().charAt(0));
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, end(text, length)) + CUT;
    }

    /** The last place up to a length that is inside neither a pair nor an escape. */
    private static int end(String text, int length) {
        int end = 0;
        for (int next = 0; next <= length; next += width(text, next)) {
            end = next;
        }
        return end;
    }

    private static int width(String text, int at) {
        char c = text.charAt(at);
        return c == '\\'
                ? (text.startsWith("u", at + 1) ? 6 : 2)
                : Character.isHighSurrogate(c) ? 2 : 1;
    }

    /** Stops when enough is written, so that a large value costs no more than a small one. */
    private static void append(Json value, StringBuilder out) {
        if (out.length() > LENGTH) {
            return;
        }
        switch (value.kind()) {
            case OBJECT -> {
                String separator = "{";
                for (Map.Entry<String, Json> field : value.fields().entrySet()) {
                    if (out.length() > LENGTH) {
                        return;
                    }
                    append(field.getKey(), out.append(separator));
                    out.append(':');
                    append(field.getValue(), out);
                    separator = ",";
                }
                out.append(value.fields().isEmpty() ? "{}" : "}");
            }
            case ARRAY -> {
                String separator = "[";
                for (Json item : value.items()) {
                    if (out.length() > LENGTH) {
                        return;
                    }
                    out.append(separator);
                    append(item, out);
                    separator = ",";
                }
                out.append(value.items().isEmpty() ? "[]" : "]");
            }
            case STRING -> append(value.asString(), out);
            case NUMBER, BOOLEAN, NULL -> out.append(value.text().strip());
        }
    }

    private static void append(String text, StringBuilder out) {
        int end = Math.min(text.length(), LENGTH + 1);
        boolean half = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
        out.append(Json.string(text.substring(0, half ? end - 1 : end)).text());
    }
}
