package dev.belay.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes values as plain Java objects (null, Boolean, BigDecimal, String, List, Map) and spells each in many ways. */
public final class RandomJson {

    private static final String[] PIECES = {"a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\b", "\f", "\r",
        "\u0000",
        "\u001f", "\u007f", "é", "€", "\u2028", "\uFEFF", "\uFFFF", "\uD83D\uDE00", "\uD800\uDC00", "name",
        "~", "'"};

    private final Random random;

    /** Draws from this. */
    public RandomJson(Random random) {
        this.random = random;
    }

    /** A value of at most so many levels. */
    public @Nullable Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> random.nextInt(3) == 0 ? null : (Object) random.nextBoolean();
            case 1 -> number();
            case 2, 3 -> string();
            case 4 -> {
                List<@Nullable Object> items = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    items.add(value(depth - 1));
                }
                yield items;
            }
            default -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    fields.put(string(), value(depth - 1));
                }
                yield fields;
            }
        };
    }

    private String string() {
        var out = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            out.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return out.toString();
    }

    private BigDecimal number() {
        return switch (random.nextInt(4)) {
            case 0 -> BigDecimal.valueOf(random.nextInt(21) - 10);
            case 1 -> BigDecimal.valueOf(random.nextLong());
            default -> new BigDecimal(new BigInteger(random.nextInt(200), random).multiply(
                    BigInteger.valueOf(random.nextBoolean() ? 1 : -1)), random.nextInt(80) - 40);
        };
    }

    /** One of its spellings. */
    public String spell(@Nullable Object value) {
        var out = new StringBuilder();
        spell(out, value);
        return out.toString();
    }

    private void spell(StringBuilder out, @Nullable Object value) {
        space(out);
        switch (value) {
            case null -> out.append("null");
            case Boolean bool -> out.append(bool);
            case BigDecimal number -> spell(out, number);
            case String string -> spell(out, string);
            case List<?> items -> {
                out.append('[');
                for (int i = 0; i < items.size(); i++) {
                    spell(i == 0 ? out : out.append(','), items.get(i));
                }
                space(out);
                out.append(']');
            }
            case Map<?, ?> fields -> {
                List<Object> names = new ArrayList<>(fields.keySet());
                Collections.shuffle(names, random);
                out.append('{');
                for (int i = 0; i < names.size(); i++) {
                    spell(i == 0 ? out : out.append(','), names.get(i));
                    spell(out.append(':'), fields.get(names.get(i)));
                }
                space(out);
                out.append('}');
            }
            default -> throw new IllegalArgumentException(value.toString());
        }
        space(out);
    }

    private void space(StringBuilder out) {
        while (random.nextInt(4) == 0) {
            out.append(" \n\r\t".charAt(random.nextInt(4)));
        }
    }

    private void spell(StringBuilder out, String string) {
        out.append('"');
        int[] codePoints = string.codePoints().toArray();
        for (int c : codePoints) {
            int shorthand = "\"\\/\b\f\n\r\t".indexOf(c);
            boolean mustEscape = c < ' ' || c == '"' || c == '\\';
            if (shorthand >= 0 && random.nextBoolean()) {
                out.append('\\').append("\"\\/bfnrt".charAt(shorthand));
            } else if (mustEscape || random.nextInt(4) == 0) {
                for (char unit : Character.toChars(c)) {
                    String hex = String.format("%04x", (int) unit);
                    out.append("\\u").append(random.nextBoolean() ? hex : hex.toUpperCase(Locale.ROOT));
                }
            } else {
                out.appendCodePoint(c);
            }
        }
        out.append('"');
    }

    private void spell(StringBuilder out, BigDecimal number) {
        int zeros = random.nextInt(3);
        String digits = number.unscaledValue().abs() + "0".repeat(zeros);
        if (number.signum() == 0) {
            out.append(random.nextBoolean() ? "-" : "")
                    .append(new String[]{"0", "0.0", "0e7", "0.00E-3"}[random.nextInt(4)]);
            return;
        }
        int point = random.nextInt(digits.length() + 1);
        int exponent = digits.length() - point - number.scale() - zeros;
        out.append(number.signum() < 0 ? "-" : "").append(point == 0 ? "0" : digits.substring(0, point));
        if (point < digits.length()) {
            out.append('.').append(digits.substring(point));
        }
        if (exponent != 0 || random.nextBoolean()) {
            out.append(random.nextBoolean() ? 'e' : 'E')
                    .append(exponent >= 0 && random.nextBoolean() ? "+" : "")
                    .append(exponent);
        }
    }
}
