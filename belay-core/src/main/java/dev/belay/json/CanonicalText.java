package dev.belay.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical form of text that is known to be well formed, in one pass and without a tree: a value that is only hashed
 * or compared keeps no tree. Confined to one call.
 */
final class CanonicalText {

    private static final Spare<StringBuilder> SPARE = new Spare<>();

    private final String text;
    private final JsonScanner scanner;
    private final StringBuilder out;

    private CanonicalText(String text, int start, int end, StringBuilder out) {
        this.text = text;
        scanner = new JsonScanner(text, start, end);
        this.out = out;
    }

    /** Makes something of the canonical form of the value between two places, perhaps with white space around it. */
    static <T> T use(String text, int start, int end, Function<? super StringBuilder, T> use) {
        StringBuilder spare = SPARE.take();
        StringBuilder out = spare == null ? new StringBuilder(end - start) : spare;
        new CanonicalText(text, start, end, out).value();
        T made = use.apply(out);
        if (out.capacity() <= JsonWriter.MOST_SPARED) {
            out.setLength(0);
            SPARE.give(out);
        }
        return made;
    }

    private void value() {
        int first = scanner.next();
        int start = scanner.position;
        switch (first) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> {
                boolean escaped = scanner.string();
                if (escaped) {
                    Escapes.appendQuoted(out, Escapes.decode(text, start + 1, scanner.position - 1));
                } else {
                    out.append(text, start, scanner.position);
                }
            }
            case 't', 'n' -> word(4);
            case 'f' -> word(5);
            default -> {
                scanner.number();
                Decimal.appendCanonical(out, text, start, scanner.position);
            }
        }
    }

    private void word(int length) {
        out.append(text, scanner.position, scanner.position + length);
        scanner.position += length;
    }

    private void array() {
        char before = '[';
        while (moveToPart(']')) {
            out.append(before);
            value();
            before = ',';
        }
        out.append(before == '[' ? "[]" : "]");
    }

    /**
     * A field as it stands in the result.
     *
     * @param start of its name and value there
     * @param end behind them
     * @param name what it is called; null if that stands there without escapes
     * @param colon behind its name
     */
    private record Field(int start, int end, @Nullable String name, int colon) {}

    /** Writes the fields as they come, and puts them in order afterwards if they are not. */
    private void object() {
        int first = out.length();
        List<Field> fields = new ArrayList<>();
        boolean sorted = true;
        while (moveToPart('}')) {
            out.append(fields.isEmpty() ? '{' : ',');
            int start = out.length();
            String escaped = name();
            int colon = out.length() - 1;
            value();
            var field = new Field(start, out.length(), escaped, colon);
            sorted &= fields.isEmpty() || compare(fields.getLast(), field) < 0;
            fields.add(field);
        }
        if (!sorted) {
            sort(first, fields);
        }
        out.append(fields.isEmpty() ? "{}" : "}");
    }

    /** Compares names by their UTF-16 units. */
    private int compare(Field one, Field other) {
        if (one.name != null || other.name != null) {
            return decoded(one).compareTo(decoded(other));
        }
        int length = Math.min(one.colon - one.start, other.colon - other.start) - 1;
        for (int at = 1; at < length; at++) {
            int difference = out.charAt(one.start + at) - out.charAt(other.start + at);
            if (difference != 0) {
                return difference;
            }
        }
        return (one.colon - one.start) - (other.colon - other.start);
    }

    private String decoded(Field field) {
        return field.name != null ? field.name : out.substring(field.start + 1, field.colon - 1);
    }

    /** Writes the fields again behind themselves, in order, and removes the first writing. */
    private void sort(int first, List<Field> fields) {
        fields.sort(this::compare);
        int unsorted = out.length();
        char before = '{';
        for (Field field : fields) {
            out.append(before).append(out, field.start, field.end);
            before = ',';
        }
        out.delete(first, unsorted);
    }

    /** Writes a name and its colon; the name if it has escapes, otherwise null. */
    private @Nullable String name() {
        int start = scanner.position;
        String name = scanner.string() ? Escapes.decode(text, start + 1, scanner.position - 1) : null;
        if (name == null) {
            out.append(text, start, scanner.position);
        } else {
            Escapes.appendQuoted(out, name);
        }
        out.append(':');
        scanner.next();
        scanner.position++; // the colon
        return name;
    }

    /** Moves past the bracket or comma in front of the next part; false at the end, past the closing bracket. */
    private boolean moveToPart(char closing) {
        scanner.next();
        scanner.position++;
        if (text.charAt(scanner.position - 1) == closing) {
            return false;
        }
        boolean empty = scanner.next() == closing;
        scanner.position += empty ? 1 : 0;
        return !empty;
    }
}
