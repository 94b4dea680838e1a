package dev.belay.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical form of text that is known to be well formed, without a tree: a value that is only hashed or compared keeps
 * no tree. Confined to one call.
 *
 * <p>The first pass writes every part in the order of the text, and notes the objects whose fields are out of order. If there
 * are any, a second pass puts all of them in order at once, so that deep nesting copies no part more than twice.
 */
final class CanonicalText {

    private static final Spare<StringBuilder> SPARE = new Spare<>();

    private final String text;
    private final JsonScanner scanner;
    private final StringBuilder out;
    /** A slot for each object, in the order of their starts; empty if its fields are in order. */
    private final List<@Nullable Unsorted> slots = new ArrayList<>();
    private boolean sorted = true;

    private CanonicalText(String text, int start, int end, StringBuilder out) {
        this.text = text;
        scanner = new JsonScanner(text, start, end);
        this.out = out;
    }

    /** The canonical form of the value between two places, perhaps with white space around it. */
    static String of(String text, int start, int end) {
        return use(text, start, end, StringBuilder::toString);
    }

    /** Makes something of that form, which is gone afterwards. */
    static <T> T use(String text, int start, int end, Function<? super StringBuilder, T> use) {
        StringBuilder out = buffer(end - start);
        var canonical = new CanonicalText(text, start, end, out);
        canonical.value();
        StringBuilder form = canonical.sorted ? out : canonical.inOrder();
        T made = use.apply(form);
        spare(out);
        if (form != out) {
            spare(form);
        }
        return made;
    }

    private static StringBuilder buffer(int length) {
        StringBuilder spare = SPARE.take();
        return spare == null ? new StringBuilder(length) : spare;
    }

    private static void spare(StringBuilder used) {
        if (used.capacity() <= JsonWriter.MOST_SPARED) {
            used.setLength(0);
            SPARE.give(used);
        }
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
     * @param start of its name and value there
     * @param colon behind its name
     * @param name what it is called; null if that stands there without escapes
     * @param end behind its value
     * @param slot of the first object in it
     * @param slotEnd behind those of all objects in it
     */
    private record Field(int start, int colon, @Nullable String name, int end, int slot, int slotEnd) {}

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
            String escaped = name();
            int colon = out.length() - 1;
            value();
            var field = new Field(start, colon, escaped, out.length(), slot, slots.size());
            ordered &= fields.isEmpty() || compare(fields.getLast(), field) < 0;
            fields.add(field);
        }
        if (!ordered) {
            sorted = false;
            int start = fields.getFirst().start;
            fields.sort(this::compare);
            slots.set(own, new Unsorted(start, out.length(), slots.size(), fields));
        }
        out.append(fields.isEmpty() ? "{}" : "}");
    }

    /** Compares names by their UTF-16 units. */
    private int compare(Field one, Field other) {
        if (one.name != null || other.name != null) {
            return name(one).compareTo(name(other));
        }
        int oneLength = one.colon - one.start;
        int otherLength = other.colon - other.start;
        for (int at = 1; at < Math.min(oneLength, otherLength) - 1; at++) { // between the quotes
            int difference = out.charAt(one.start + at) - out.charAt(other.start + at);
            if (difference != 0) {
                return difference;
            }
        }
        return oneLength - otherLength;
    }

    private String name(Field field) {
        return field.name != null ? field.name : out.substring(field.start + 1, field.colon - 1);
    }

    private StringBuilder inOrder() {
        StringBuilder result = buffer(out.length());
        copy(0, out.length(), 0, slots.size(), result);
        return result;
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
