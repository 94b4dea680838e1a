package dev.belay.schema.rules;

import dev.belay.json.Json.Kind;
import dev.belay.schema.BoundedPattern;
import dev.belay.schema.FormatMode;
import dev.belay.schema.TextFormat;
import dev.belay.schema.Violation;
import java.util.function.IntPredicate;

/** Rules for strings: length in code points, {@code pattern}, {@code format}. */
public final class StringRules {

    private StringRules() {}

    public static void compile(SchemaNode node, Keywords keywords, FormatMode formats,
            Subschemas subschemas) {
        if (keywords.has("minLength")) {
            int least = keywords.count("minLength");
            length(node, "minLength", "at least " + Keywords.plural(least, "character"),
                    found -> found >= least);
        }
        if (keywords.has("maxLength")) {
            int most = keywords.count("maxLength");
            length(node, "maxLength", "at most " + Keywords.plural(most, "character"),
                    found -> found <= most);
        }
        String expression = keywords.string("pattern");
        if (expression != null) {
            BoundedPattern pattern = subschemas.pattern(expression, keywords.place("pattern"));
            node.add((value, walk, seen) -> pattern.find(value.asString(), walk)
                    || walk.fail("pattern", value, () -> "a string matching " + Excerpt.cut(expression)),
                    Kind.STRING);
        }
        String format = keywords.string("format");
        if (format != null && formats == FormatMode.ASSERT) {
            TextFormat.named(format).ifPresent(known -> format(node, known));
        }
    }

    private static void length(SchemaNode node, String keyword, String limit, IntPredicate allowed) {
        node.add((value, walk, seen) -> {
            String text = value.asString();
            walk.chargeText(text);
            int found = text.codePointCount(0, text.length());
            return allowed.test(found) || walk.fail(keyword, pointer -> new Violation(pointer, keyword,
                    "a string of " + limit, Excerpt.of(value) + " of " + Keywords.plural(found, "character"),
                    null));
        }, Kind.STRING);
    }

    private static void format(SchemaNode node, TextFormat format) {
        node.add((value, walk, seen) -> {
            walk.chargeText(value.asString());
            return format.accepts(value.asString()) || walk.fail("format", value, format::description);
        }, Kind.STRING);
    }
}
