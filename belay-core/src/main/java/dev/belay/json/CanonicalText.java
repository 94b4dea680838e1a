package dev.belay.json;

import java.util.ArrayList;
import java.util.Arrays;
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
    private static final Spare<Notes> NOTES = new Spare<>();

    /** What is noted of objects and fields; used again for other texts. */
    private static final class Notes {

        /** A slot for each object, in the order of their starts; empty if its fields are in order. */
        private final List<@Nullable Unsorted> slots = new ArrayList<>();
        /** The fields of the objects that are open, the innermost last; see {@link Field}. */
        private int[] fields = new int[Field.SIZE * 16];
    }

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

    private final String text;
    private final JsonScanner scanner;
    private final StringBuilder out;
    private final Notes notes;
    private final List<@Nullable Unsorted> slots;
    /** Behind the last field of {@link Notes#fields}. */
    private int top;
    private boolean sorted = true;

    private CanonicalText(String text, int start, int end, StringBuilder out, Notes notes) {
        this.text = text;
        scanner = new JsonScanner(text, start, end);
        this.out = out;
        this.notes = notes;
        slots = notes.slots;
    }

    /** The canonical form of the value between two places, perhaps with white space around it. */
    static String of(String text, int start, int end) {
        return use(text, start, end, StringBuilder::toString);
    }

    /** Makes something of that form, which is gone afterwards. */
    static <T> T use(String text, int start, int end, Function<? super StringBuilder, T> use) {
        StringBuilder out = buffer(end - start);
        Notes spared = NOTES.take();
        Notes notes = spared == null ? new Notes() : spared;
        var canonical = new CanonicalText(text, start, end, out, notes);
        canonical.value();
        StringBuilder form = canonical.sorted ? out : canonical.inOrder();
        if (notes.slots.size() + notes.fields.length <= JsonWriter.MOST_SPARED) {
            notes.slots.clear();
            NOTES.give(notes);
        }
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
            case '"' -> string();
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

    /** An object whose fields are out of order; start and end are those of its fields, which stand here in order. */
    @SuppressWarnings("ArrayRecordComponent") // it is not compared
    private record Unsorted(int start, int end, int slotEnd, int[] fields) {}

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
            sorted = false;
            slots.set(own, new Unsorted(notes.fields[first], out.length(), slots.size(), ordered(first)));
        }
        out.append(top == first ? "{}" : "}");
        top = first;
    }

    /** The fields, with room for one more. */
    private int[] room() {
        if (top == notes.fields.length) {
            notes.fields = Arrays.copyOf(notes.fields, 2 * top);
        }
        return notes.fields;
    }

    /** The fields from there on, in order. */
    private int[] ordered(int first) {
        var places = new Integer[(top - first) / Field.SIZE];
        Arrays.setAll(places, i -> first + i * Field.SIZE);
        Arrays.sort(places, this::compare);
        int[] fields = new int[top - first];
        for (int i = 0; i < places.length; i++) {
            System.arraycopy(notes.fields, places[i], fields, i * Field.SIZE, Field.SIZE);
        }
        return fields;
    }

    /** Compares the names of two fields by their UTF-16 units. */
    private int compare(int one, int other) {
        int[] all = notes.fields;
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
        String quoted = out.substring(notes.fields[field] + 1, notes.fields[field + Field.COLON] - 1);
        return Escapes.decode(quoted, 0, quoted.length());
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
            int[] fields = object.fields;
            for (int field = 0; field < fields.length; field += Field.SIZE) {
                result.append(separator);
                copy(fields[field], fields[field + Field.END], fields[field + Field.SLOT],
                        fields[field + Field.SLOT_END], result);
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
            Escapes.appendQuoted(out, Escapes.decode(text, start + 1, scanner.position - 1));
        } else {
            out.append(text, start, scanner.position);
        }
        return escaped;
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
