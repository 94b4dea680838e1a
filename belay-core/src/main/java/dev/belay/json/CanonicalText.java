package dev.belay.json;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes the canonical form of text that is known to be well formed, in one pass and without a tree: a value that is only hashed
 * or compared keeps no tree. Confined to one call.
 */
final class CanonicalText {

    private final String text;
    private final JsonScanner scanner;
    private final StringBuilder out;

    private CanonicalText(String text, int start, int end) {
        this.text = text;
        scanner = new JsonScanner(text, start, end);
        out = new StringBuilder(end - start);
    }

    /** The canonical form of the value between two places, perhaps with white space around it. */
    static String of(String text, int start, int end) {
        var canonical = new CanonicalText(text, start, end);
        canonical.value();
        return canonical.out.toString();
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
     * @param name its name
     * @param start of its name and value there
     * @param end behind them
     */
    private record Field(String name, int start, int end) {}

    /** Writes the fields as they come, and puts them in order afterwards if they are not. */
    private void object() {
        int first = out.length();
        List<Field> fields = new ArrayList<>();
        boolean sorted = true;
        while (moveToPart('}')) {
            out.append(fields.isEmpty() ? '{' : ',');
            int start = out.length();
            String name = name();
            value();
            sorted &= fields.isEmpty() || fields.getLast().name.compareTo(name) < 0;
            fields.add(new Field(name, start, out.length()));
        }
        if (!sorted) {
            sort(first, fields);
        }
        out.append(fields.isEmpty() ? "{}" : "}");
    }

    private void sort(int first, List<Field> fields) {
        String unsorted = out.substring(first);
        out.setLength(first);
        char before = '{';
        fields.sort((a, b) -> a.name.compareTo(b.name));
        for (Field field : fields) {
            out.append(before).append(unsorted, field.start - first, field.end - first);
            before = ',';
        }
    }

    private String name() {
        int start = scanner.position + 1;
        boolean escaped = scanner.string();
        String name = escaped
                ? Escapes.decode(text, start, scanner.position - 1)
                : text.substring(start, scanner.position - 1);
        Escapes.appendQuoted(out, name);
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
