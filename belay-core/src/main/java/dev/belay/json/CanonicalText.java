package dev.belay.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical form of text that is known to be well formed, without a tree: a value that is only hashed or compared keeps
 * no tree. Confined to one call, and used again for other texts.
 *
 * <p>The first pass writes every part in the order of the text, and notes the objects whose fields are out of order. If there
 * are any, a second pass puts all of them in order at once, so that deep nesting copies no part more than twice.
 */
final class CanonicalText {

    private static final Spare<CanonicalText> SPARE = new Spare<>();
    /** Fields of larger objects are sorted elsewhere than in place. */
    private static final int FEW_FIELDS = 16;

    /** Which numbers say where a field is in the result of the first pass. The first one is the start of its name and value. */
    private static final class Field {

        /** Behind its name. */
        static final int COLON = 1;
        /** 1 if its name has escapes. */
        static final int ESCAPED = 2;
        /** Behind its value. */
        static final int END = 3;
        /** The slot of the first object in it. */
        static final int SLOT = 4;
        /** Behind those of all objects in it. */
        static final int SLOT_END = 5;
        static final int SIZE = 6;
    }

    private final JsonScanner scanner = new JsonScanner("", 0, 0);
    private final StringBuilder out = new StringBuilder();
    /** The result of the second pass. */
    private final StringBuilder result = new StringBuilder();
    /** A slot for each object, in the order of their starts; empty if its fields are in order. */
    private final List<@Nullable Unsorted> slots = new ArrayList<>();
    /** The fields of the objects that are open, the innermost last; see {@link Field}. */
    private int[] fields = new int[Field.SIZE * FEW_FIELDS];
    /** Behind the last one. */
    private int top;
    /** The fields of objects that were out of order, in order. */
    private int[] inOrder = new int[Field.SIZE * FEW_FIELDS];
    private int inOrderTop;

    private CanonicalText() {}

    /** The canonical form of the value between two places, perhaps with white space around it. */
    static String of(String text, int start, int end) {
        return use(text, start, end, StringBuilder::toString);
    }

    /** Makes something of that form, which is gone afterwards. */
    static <T> T use(String text, int start, int end, Function<? super StringBuilder, T> use) {
        CanonicalText spare = SPARE.take();
        CanonicalText canonical = spare == null ? new CanonicalText() : spare;
        T made = use.apply(canonical.form(text, start, end));
        if (canonical.isSmall()) {
            canonical.empty();
            SPARE.give(canonical);
        }
        return made;
    }

    private StringBuilder form(String text, int start, int end) {
        scanner.on(text, start, end);
        value();
        if (inOrderTop == 0) {
            return out;
        }
        copy(0, out.length(), 0, slots.size());
        return result;
    }

    private boolean isSmall() {
        return out.capacity() + result.capacity() <= 2 * JsonWriter.MOST_SPARED
                && slots.size() + fields.length + inOrder.length <= JsonWriter.MOST_SPARED;
    }

    private void empty() {
        scanner.on("", 0, 0);
        out.setLength(0);
        result.setLength(0);
        slots.clear();
        top = 0;
        inOrderTop = 0;
    }

    private void value() {
        int first = scanner.next();
        int start = scanner.position;
        switch (first) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't', 'n' -> word(4);
            case 'f' -> word(5);
            default -> {
                scanner.number();
                Decimal.appendCanonical(out, scanner.text, start, scanner.position);
            }
        }
    }

    private void word(int length) {
        out.append(scanner.text, scanner.position, scanner.position + length);
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

    /** An object whose fields are out of order; start and end are those of its fields, which stand in order between two places. */
    private record Unsorted(int start, int end, int slotEnd, int first, int last) {}

    private void object() {
        int first = top;
        int own = slots.size();
        slots.add(null);
        boolean ordered = true;
        while (moveToPart('}')) {
            out.append(top == first ? '{' : ',');
            int start = out.length();
            int slot = slots.size();
            boolean escaped = name();
            int colon = out.length() - 1;
            value();
            int[] field = room();
            field[top] = start;
            field[top + Field.COLON] = colon;
            field[top + Field.ESCAPED] = escaped ? 1 : 0;
            field[top + Field.END] = out.length();
            field[top + Field.SLOT] = slot;
            field[top + Field.SLOT_END] = slots.size();
            top += Field.SIZE;
            ordered &= top - first == Field.SIZE || compare(top - 2 * Field.SIZE, top - Field.SIZE) < 0;
        }
        if (!ordered) {
            int start = fields[first];
            int inOrderFirst = sort(first);
            slots.set(own, new Unsorted(start, out.length(), slots.size(), inOrderFirst, inOrderTop));
        }
        out.append(top == first ? "{}" : "}");
        top = first;
    }

    /** The fields, with room for one more. */
    private int[] room() {
        if (top == fields.length) {
            fields = Arrays.copyOf(fields, 2 * top);
        }
        return fields;
    }

    /** Keeps the fields from there on, in order; where they stand. */
    private int sort(int first) {
        int from = inOrderTop;
        inOrderTop += top - first;
        if (inOrderTop > inOrder.length) {
            inOrder = Arrays.copyOf(inOrder, 2 * inOrderTop);
        }
        if (top - first <= Field.SIZE * FEW_FIELDS) {
            select(first, from);
            return from;
        }
        var places = new Integer[(top - first) / Field.SIZE];
        Arrays.setAll(places, i -> first + i * Field.SIZE);
        Arrays.sort(places, this::compare);
        for (int i = 0; i < places.length; i++) {
            System.arraycopy(fields, places[i], inOrder, from + i * Field.SIZE, Field.SIZE);
        }
        return from;
    }

    /** Takes the least of the fields again and again; the last one fills the place of the one that was taken. */
    private void select(int first, int from) {
        int to = from;
        for (int last = top - Field.SIZE; last >= first; last -= Field.SIZE) {
            int least = first;
            for (int at = first + Field.SIZE; at <= last; at += Field.SIZE) {
                least = compare(at, least) < 0 ? at : least;
            }
            System.arraycopy(fields, least, inOrder, to, Field.SIZE);
            System.arraycopy(fields, last, fields, least, Field.SIZE);
            to += Field.SIZE;
        }
    }

    /** Compares the names of two fields by their UTF-16 units. */
    private int compare(int one, int other) {
        int[] all = fields;
        if (all[one + Field.ESCAPED] + all[other + Field.ESCAPED] > 0) {
            return name(one).compareTo(name(other));
        }
        int oneLength = all[one + Field.COLON] - all[one];
        int otherLength = all[other + Field.COLON] - all[other];
        for (int at = 1; at < Math.min(oneLength, otherLength) - 1; at++) { // between the quotes
            int difference = out.charAt(all[one] + at) - out.charAt(all[other] + at);
            if (difference != 0) {
                return difference;
            }
        }
        return oneLength - otherLength;
    }

    private String name(int field) {
        String quoted = out.substring(fields[field] + 1, fields[field + Field.COLON] - 1);
        return Escapes.decode(quoted, 0, quoted.length());
    }

    /** Copies a part with the fields of its objects in order. */
    private void copy(int start, int end, int slot, int slotEnd) {
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
            for (int field = object.first; field < object.last; field += Field.SIZE) {
                result.append(separator);
                copy(inOrder[field], inOrder[field + Field.END], inOrder[field + Field.SLOT],
                        inOrder[field + Field.SLOT_END]);
                separator = ",";
            }
            at = object.end;
            next = object.slotEnd;
        }
        result.append(out, at, end);
    }

    /** Writes a name and its colon; whether it had escapes. */
    private boolean name() {
        boolean escaped = string();
        out.append(':');
        scanner.next();
        scanner.position++; // the colon
        return escaped;
    }

    /** Writes a string; whether it had escapes. */
    private boolean string() {
        int start = scanner.position;
        boolean escaped = scanner.string();
        if (escaped) {
            Escapes.appendQuoted(out, Escapes.decode(scanner.text, start + 1, scanner.position - 1));
        } else {
            out.append(scanner.text, start, scanner.position);
        }
        return escaped;
    }

    /** Moves past the bracket or comma in front of the next part; false at the end, past the closing bracket. */
    private boolean moveToPart(char closing) {
        scanner.next();
        scanner.position++;
        if (scanner.text.charAt(scanner.position - 1) == closing) {
            return false;
        }
        boolean empty = scanner.next() == closing;
        scanner.position += empty ? 1 : 0;
        return !empty;
    }
}
