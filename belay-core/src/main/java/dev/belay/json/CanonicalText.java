package dev.belay.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical form of text that is known to be well formed, without a tree: a value that is only hashed or compared keeps
 * no tree. Confined to one call.
 *
 * <p>The first pass writes every part in the order of the text, and notes the objects whose fields are out of order. If there
 * are any, a second pass puts all of them in order at once, so that deep nesting copies no part more than twice.
 */
final class CanonicalText {

    private final String text;
    private final JsonScanner scanner;
    private final StringBuilder out;
    /** A slot for each object, in the order of their starts; empty if its fields are in order. */
    private final List<@Nullable Unsorted> slots = new ArrayList<>();
    private boolean sorted = true;

    private CanonicalText(String text, int start, int end) {
        this.text = text;
        scanner = new JsonScanner(text, start, end);
        out = new StringBuilder(end - start);
    }

    /** The canonical form of the value between two places, perhaps with white space around it. */
    static String of(String text, int start, int end) {
        var canonical = new CanonicalText(text, start, end);
        canonical.value();
        return canonical.sorted ? canonical.out.toString() : canonical.inOrder();
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
     * A field as it stands in the result of the first pass.
     *
     * @param name its name
     * @param start of its name and value there
     * @param end behind them
     * @param slot of the first object in it
     * @param slotEnd behind those of all objects in it
     */
    private record Field(String name, int start, int end, int slot, int slotEnd) {}

    /** An object whose fields are out of order; start and end are those of its fields. */
    private record Unsorted(int start, int end, int slotEnd, List<Field> fields) {}

    private void object() {
        List<Field> fields = new ArrayList<>();
        int own = slots.size();
        slots.add(null);
        boolean ordered = true;
        while (moveToPart('}')) {
            out.append(fields.isEmpty() ? '{' : ',');
            int start = out.length();
            int slot = slots.size();
            String name = name();
            value();
            ordered &= fields.isEmpty() || fields.getLast().name.compareTo(name) < 0;
            fields.add(new Field(name, start, out.length(), slot, slots.size()));
        }
        if (!ordered) {
            sorted = false;
            int start = fields.getFirst().start;
            fields.sort((a, b) -> a.name.compareTo(b.name));
            slots.set(own, new Unsorted(start, out.length(), slots.size(), fields));
        }
        out.append(fields.isEmpty() ? "{}" : "}");
    }

    private String inOrder() {
        var result = new StringBuilder(out.length());
        copy(0, out.length(), 0, slots.size(), result);
        return result.toString();
    }

    /** Copies a part with the fields of its objects in order. */
    private void copy(int start, int end, int slot, int slotEnd, StringBuilder result) {
        int at = start;
        int next = slot;
        while (next < slotEnd) {
            Unsorted object = slots.get(next);
            if (object == null) {
                next++;
                continue;
            }
            result.append(out, at, object.start);
            String separator = "";
            for (Field field : object.fields) {
                result.append(separator);
                copy(field.start, field.end, field.slot, field.slotEnd, result);
                separator = ",";
            }
            at = object.end;
            next = object.slotEnd;
        }
        result.append(out, at, end);
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
