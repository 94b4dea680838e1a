package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.Draft;
import dev.belay.schema.FormatMode;
import java.math.BigDecimal;
import java.util.function.IntPredicate;

/** Rules for numbers: limits, {@code multipleOf} and {@code format}, exact to the last digit. */
public final class NumberRules {

    /** Digits read, or compared, in one step. */
    private static final int DIGITS_PER_STEP = 8;
    /** Pairs of digits divided in one step. */
    private static final int PAIRS_PER_STEP = 256;

    private NumberRules() {}

    public static void compile(SchemaNode node, Keywords keywords, FormatMode formats) {
        String noun = "integer".equals(keywords.onlyType()) ? "a whole number" : "a number";
        boolean flags = keywords.draft() == Draft.DRAFT_4;
        boolean aboveOnly = flags && keywords.flag("exclusiveMinimum");
        boolean belowOnly = flags && keywords.flag("exclusiveMaximum");
        limit(node, keywords, "minimum", noun + (aboveOnly ? " greater than " : " of at least "),
                order -> order > 0 || (order == 0 && !aboveOnly));
        limit(node, keywords, "maximum", noun + (belowOnly ? " less than " : " of at most "),
                order -> order < 0 || (order == 0 && !belowOnly));
        if (!flags) {
            limit(node, keywords, "exclusiveMinimum", noun + " greater than ", order -> order > 0);
            limit(node, keywords, "exclusiveMaximum", noun + " less than ", order -> order < 0);
        }
        Json divisor = keywords.number("multipleOf");
        if (divisor != null) {
            multipleOf(node, keywords, divisor);
        }
        String format = keywords.string("format");
        if (format != null && formats == FormatMode.ASSERT) {
            NumberFormat.named(format).ifPresent(known -> format(node, keywords, known));
        }
    }

    private static void format(SchemaNode node, Keywords keywords, NumberFormat format) {
        boolean wholeByType = keywords.has("type") && !keywords.stringOrStrings("type").contains("number");
        node.add((value, walk, seen) -> {
            charge(walk, value, 0);
            boolean accepted = (format.isWhole() && !Numbers.isWhole(value))
                    ? wholeByType // then "type" complains, and once is enough
                    : format.holds(value.asBigDecimal());
            return accepted || walk.fail("format", value, format::description);
        }, Kind.NUMBER);
    }

    private static void limit(SchemaNode node, Keywords keywords, String keyword, String phrase,
            IntPredicate allowed) {
        Json given = keywords.number(keyword);
        if (given == null) {
            return;
        }
        BigDecimal limit = given.asBigDecimal();
        int digits = limit.precision();
        node.add((value, walk, seen) -> {
            charge(walk, value, digits);
            return allowed.test(value.asBigDecimal().compareTo(limit))
                    || walk.fail(keyword, value, () -> phrase + Excerpt.of(given));
        }, Kind.NUMBER);
    }

    private static void multipleOf(SchemaNode node, Keywords keywords, Json given) {
        BigDecimal number = given.asBigDecimal();
        if (number.signum() <= 0) {
            throw keywords.wrong("multipleOf", "a number greater than 0");
        }
        Numbers.Divisor divisor = Numbers.Divisor.of(number);
        int digits = number.precision();
        node.add((value, walk, seen) -> {
            charge(walk, value, digits);
            BigDecimal exact = value.asBigDecimal();
            walk.charge((long) exact.precision() * digits / PAIRS_PER_STEP);
            return divisor.divides(exact)
                    || walk.fail("multipleOf", value, () -> "a multiple of " + Excerpt.of(given));
        }, Kind.NUMBER);
    }

    private static void charge(Walk walk, Json value, int otherDigits) {
        walk.charge(1 + (value.text().length() + otherDigits) / DIGITS_PER_STEP);
    }
}
