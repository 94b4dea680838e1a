package dev.belay.runtime.policy;

import dev.belay.json.Json;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes a call for the person who decides about it: each argument on a line of its own, with its pointer. Nothing is left out without
 * saying so.
 */
final class ShownCall {

    /** Longer values are folded: their head and their tail are shown. */
    private static final int LONGEST = 4_000;
    private static final int TAIL = 1_000;
    /** More values than a person reads. */
    private static final int MOST_VALUES = 500;
    private static final int LONGEST_PREVIEW = 64_000;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

    private final StringBuilder out = new StringBuilder();
    private boolean folded;
    private boolean hides;
    private int values;
    private int more;

    /** Whether something is not shown whole. */
    boolean isFolded() {
        return folded;
    }

    void line(String name, String text) {
        out.append(name).append(": ").append(ShownText.escaped(text)).append('\n');
        hides |= ShownText.hides(text);
    }

    /** Text of several lines, each indented, so that it cannot pass for a line of the request itself. */
    void block(String name, String text) {
        out.append(name).append(":\n");
        hides |= ShownText.hides(text);
        String whole = folded(text, LONGEST_PREVIEW);
        ShownText.lines(whole).lines().forEach(line -> out.append("  ").append(line).append('\n'));
    }

    void values(String name, @Nullable Json value) {
        if (value != null) {
            out.append(name).append(":\n");
            value("", value);
            if (more > 0) {
                folded = true;
                out.append("  [").append(more).append(" more values are not shown]\n");
                more = 0;
            }
        }
    }

    private void value(String pointer, Json value) {
        switch (value.kind()) {
            case OBJECT -> {
                if (value.fields().isEmpty()) {
                    leaf(pointer, "{}");
                }
                for (Map.Entry<String, Json> field : value.fields().entrySet()) {
                    value(pointer + "/" + name(field.getKey()), field.getValue());
                }
            }
            case ARRAY -> {
                if (value.items().isEmpty()) {
                    leaf(pointer, "[]");
                }
                for (int i = 0; i < value.items().size(); i++) {
                    value(pointer + "/" + i, value.items().get(i));
                }
            }
            case STRING -> {
                String text = value.asString();
                hides |= ShownText.hides(text);
                leaf(pointer, "\"" + quoted(folded(text, LONGEST)) + "\"");
            }
            default -> leaf(pointer, folded(value.compact(), LONGEST));
        }
    }

    /** A name in a pointer. One that an open object may have is quoted, so that it cannot pass for a value or a line of its own. */
    private String name(String name) {
        hides |= ShownText.hides(name);
        return PLAIN.matcher(name).matches()
                ? name
                : "\"" + quoted(name.replace("~", "~0").replace("/", "~1")) + "\"";
    }

    /** Texts that differ are shown differently: a backslash cannot pass for an escape, nor a quote for the end of the text. */
    private static String quoted(String text) {
        return ShownText.escaped(text.replace("\\", "\\\\").replace("\"", "\\\""));
    }

    private void leaf(String pointer, String text) {
        if (++values > MOST_VALUES) {
            more++;
            return;
        }
        out.append("  ")
                .append(folded(pointer.isEmpty() ? "(all)" : pointer, LONGEST))
                .append(" = ")
                .append(text)
                .append('\n');
    }

    private String folded(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        folded = true;
        int head = longest - TAIL;
        return text.substring(0, head) + " [" + (text.length() - longest) + " characters are not shown] "
                + text.substring(text.length() - TAIL);
    }

    @Override
    public String toString() {
        return (hides ? "Attention: characters that cannot be seen are written as \\u{...}\n" : "")
                + (folded ? "Attention: not all is shown; the arguments of the request have the rest\n" : "")
                + out;
    }
}
