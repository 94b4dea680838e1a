package dev.belay.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pulls values out of JSON text, one after the other. Text that is not JSON ends in {@link JsonSyntaxException}, a value of
 * another kind than asked for in {@link JsonMismatchException}, calls in a wrong order in {@link IllegalStateException}; after
 * any of them the reader cannot be used. Names that occur twice are refused by {@link #readJson()} and left to the caller by
 * {@code nextName}. Confined to one call.
 */
public final class JsonReader {

    /** Returned by {@link #nextName(String[])} at the end of the object. */
    public static final int END = -1;
    /** Returned by {@link #nextName(String[])} for a name that is not among those given. */
    public static final int UNKNOWN = -2;

    // The state of a level: what may come next. After a value the state is the next higher number.
    private static final byte TOP_VALUE = 0;
    private static final byte TOP_DONE = 1;
    private static final byte OBJECT_START = 2;
    private static final byte OBJECT_VALUE = 3;
    private static final byte OBJECT_NEXT = 4;
    private static final byte ARRAY_START = 5;
    private static final byte ARRAY_VALUE = 6;
    private static final byte ARRAY_NEXT = 7;

    private static final int VALUE_STATES = (1 << TOP_VALUE) | (1 << OBJECT_VALUE) | (1 << ARRAY_VALUE);

    private final JsonScanner scanner;
    private final String text;
    private final int maxDepth;
    private final CheckBudget budget;
    private byte[] states = new byte[4];
    /** Per level, the index of the name expected next: one more than the last match. */
    private int[] expected = new int[4];
    private int depth;
    private int nameStart;
    private int nameEnd;
    private boolean nameEscaped;

    /** Starts at the beginning of the text; throws {@link JsonSyntaxException} if it is longer than the limits allow. */
    public JsonReader(String text, JsonLimits limits) {
        this(text, limits, CheckBudget.unlimited());
    }

    /** The same for text that is checked while it is read. */
    public JsonReader(String text, JsonLimits limits, CheckBudget budget) {
        this(text, 0, text.length(), limits.maxDepth(), budget);
        limits.checkBytes(text);
    }

    /** Starts on a part of text that is known to be well formed. */
    JsonReader(String text, int start, int end, int maxDepth) {
        this(text, start, end, maxDepth, CheckBudget.unlimited());
    }

    private JsonReader(String text, int start, int end, int maxDepth, CheckBudget budget) {
        this.budget = budget;
        this.scanner = new JsonScanner(text, start, end);
        this.text = text;
        this.maxDepth = maxDepth;
    }

    /** What the checks of a codec may cost. */
    public CheckBudget budget() {
        return budget;
    }

    /** The kind of the next value; moves over white space only. */
    public Json.Kind peek() {
        if (((VALUE_STATES >> states[depth]) & 1) == 0) {
            throw new IllegalStateException("a value can be read " + switch (states[depth]) {
                case TOP_DONE -> "only once, then end() follows";
                case OBJECT_START, OBJECT_NEXT -> "in an object only after nextName()";
                default -> "in an array only after nextItem()";
            });
        }
        int c = scanner.next();
        Json.Kind kind = switch (c) {
            case '"' -> Json.Kind.STRING;
            case '{' -> Json.Kind.OBJECT;
            case '[' -> Json.Kind.ARRAY;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Json.Kind.NUMBER;
            case 't' -> scanner.isWord("true") ? Json.Kind.BOOLEAN : null;
            case 'f' -> scanner.isWord("false") ? Json.Kind.BOOLEAN : null;
            case 'n' -> scanner.isWord("null") ? Json.Kind.NULL : null;
            default -> null;
        };
        if (kind == null) {
            throw Complaint.noValue(text, scanner.position, place());
        }
        return kind;
    }

    private String place() {
        return switch (states[depth]) {
            case TOP_VALUE, TOP_DONE -> "before a value";
            case OBJECT_START, OBJECT_VALUE, OBJECT_NEXT -> "inside an object";
            default -> "inside an array";
        };
    }

    /** Checks the kind of the next value and counts it as read. */
    private void expect(Json.Kind wanted) {
        Json.Kind kind = peek();
        if (kind != wanted) {
            int start = scanner.position;
            if (kind != Json.Kind.OBJECT && kind != Json.Kind.ARRAY) {
                scalar(kind);
            }
            throw Json.mismatch(wanted, kind, text.substring(start, scanner.position));
        }
        states[depth]++;
    }

    private void scalar(Json.Kind kind) {
        switch (kind) {
            case STRING -> scanner.string();
            case NUMBER -> scanner.number();
            case BOOLEAN -> scanner.position += text.charAt(scanner.position) == 't' ? 4 : 5;
            case NULL -> scanner.position += 4;
            case OBJECT, ARRAY -> throw new IllegalArgumentException("no scalar: " + kind);
        }
    }

    /** Moves into an object; then {@code nextName} and one read per field until the end. */
    public void beginObject() {
        expect(Json.Kind.OBJECT);
        push(OBJECT_START);
    }

    /** Moves into an array; then {@code nextItem} and one read per item until the end. */
    public void beginArray() {
        expect(Json.Kind.ARRAY);
        push(ARRAY_START);
    }

    private void push(byte state) {
        if (depth == maxDepth) {
            throw Complaint.at(text, scanner.position, "objects and arrays may be nested at most " + maxDepth
                    + " levels deep, found one more");
        }
        scanner.position++;
        depth++;
        if (depth == states.length) {
            states = Arrays.copyOf(states, depth * 2);
            expected = Arrays.copyOf(expected, depth * 2);
        }
        states[depth] = state;
        expected[depth] = 0;
    }

    /** The next field's name, or null at the end of the object (which is then left). */
    public @Nullable String nextName() {
        if (!moveToName()) {
            return null;
        }
        return name();
    }

    private String name() {
        return nameEscaped ? Escapes.decode(text, nameStart, nameEnd) : text.substring(nameStart, nameEnd);
    }

    /**
     * Index of the next field's name among {@code names}, {@link #END} or {@link #UNKNOWN} (the name is then moved over).
     * Allocates nothing for a name without escapes; quickest when the fields come in the order of {@code names}.
     */
    public int nextName(String[] names) {
        if (!moveToName()) {
            return END;
        }
        int length = names.length;
        int index = expected[depth];
        String decoded = nameEscaped ? name() : null;
        for (int tried = 0; tried < length; tried++, index++) {
            if (index >= length) {
                index = 0;
            }
            String candidate = names[index];
            if (decoded == null ? isName(candidate) : decoded.equals(candidate)) {
                expected[depth] = index + 1;
                return index;
            }
        }
        return UNKNOWN;
    }

    private boolean isName(String candidate) {
        return candidate.length() == nameEnd - nameStart && text.startsWith(candidate, nameStart);
    }

    /** Moves past the next field's name and colon, or out of the object. */
    private boolean moveToName() {
        byte state = states[depth];
        if (state != OBJECT_START && state != OBJECT_NEXT) {
            throw new IllegalStateException(state == OBJECT_VALUE
                    ? "nextName() before the value of the last name was read"
                    : "nextName() outside an object");
        }
        int c = scanner.next();
        if (c == '}') {
            scanner.position++;
            depth--;
            return false;
        }
        if (state == OBJECT_NEXT) {
            if (c != ',') {
                throw Complaint.noSeparator(text, scanner.position, "inside an object", '}');
            }
            scanner.position++;
            c = scanner.next();
        }
        if (c != '"') {
            throw Complaint.noName(text, scanner.position);
        }
        nameStart = scanner.position + 1;
        nameEscaped = scanner.string();
        nameEnd = scanner.position - 1;
        if (scanner.next() != ':') {
            throw Complaint.noColon(text, scanner.position);
        }
        scanner.position++;
        states[depth] = OBJECT_VALUE;
        return true;
    }

    /** Whether another item follows; at the end the array is left. */
    public boolean nextItem() {
        byte state = states[depth];
        if (state != ARRAY_START && state != ARRAY_NEXT) {
            throw new IllegalStateException(state == ARRAY_VALUE
                    ? "nextItem() before the last item was read"
                    : "nextItem() outside an array");
        }
        int c = scanner.next();
        if (c == ']') {
            scanner.position++;
            depth--;
            return false;
        }
        if (state == ARRAY_NEXT) {
            if (c != ',') {
                throw Complaint.noSeparator(text, scanner.position, "inside an array", ']');
            }
            scanner.position++;
        }
        states[depth] = ARRAY_VALUE;
        return true;
    }

    /** Reads a string. */
    public String readString() {
        expect(Json.Kind.STRING);
        int start = scanner.position + 1;
        boolean escaped = scanner.string();
        int end = scanner.position - 1;
        return escaped ? Escapes.decode(text, start, end) : text.substring(start, end);
    }

    /** Reads a boolean. */
    public boolean readBoolean() {
        expect(Json.Kind.BOOLEAN);
        boolean value = text.charAt(scanner.position) == 't';
        scalar(Json.Kind.BOOLEAN);
        return value;
    }

    /** Reads {@code null}. */
    public void readNull() {
        expect(Json.Kind.NULL);
        scalar(Json.Kind.NULL);
    }

    /** Reads a number as int; {@code 2.0} and {@code 2e0} are 2, a fraction or a number out of range is a mismatch. */
    public int readInt() {
        return (int) readWhole(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** Reads a number as long; {@code 2.0} and {@code 2e0} are 2, a fraction or a number out of range is a mismatch. */
    public long readLong() {
        return readWhole(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long readWhole(long min, long max) {
        int start = moveOverNumber();
        return Decimal.whole(text, start, scanner.position, min, max);
    }

    private int moveOverNumber() {
        expect(Json.Kind.NUMBER);
        int start = scanner.position;
        scanner.number();
        return start;
    }

    /** Reads a number as the nearest double; one too large for a finite double is a mismatch. */
    public double readDouble() {
        int start = moveOverNumber();
        double value = Decimal.nearestDouble(text, start, scanner.position);
        if (Double.isInfinite(value)) {
            throw new JsonMismatchException("expected a number that a double can hold, found "
                    + Found.cut(text.substring(start, scanner.position)));
        }
        return value;
    }

    /** Reads a number with all its digits. */
    public BigDecimal readBigDecimal() {
        int start = moveOverNumber();
        return new BigDecimal(text.substring(start, scanner.position));
    }

    /** Reads any value as a tree of its own; a name that occurs twice in an object is refused. */
    public Json readJson() {
        Json.Kind kind = peek();
        int start = scanner.position;
        return switch (kind) {
            case OBJECT -> object(start);
            case ARRAY -> array(start);
            case STRING, NUMBER, BOOLEAN, NULL -> {
                states[depth]++;
                scalar(kind);
                yield new Json(kind, text, start, scanner.position, 0, null);
            }
        };
    }

    private Json object(int start) {
        beginObject();
        Map<String, Json> fields = new LinkedHashMap<>();
        int height = 0;
        while (moveToName()) {
            String name = name();
            int quote = nameStart - 1;
            Json value = readJson();
            if (fields.put(name, value) != null) {
                throw Complaint.at(text, quote,
                        "expected each field once, found a second \"" + Found.cut(name) + "\"");
            }
            height = Math.max(height, value.height());
        }
        Map<String, Json> seen = fields.isEmpty() ? Map.of() : Collections.unmodifiableMap(fields);
        return new Json(Json.Kind.OBJECT, text, start, scanner.position, height + 1, seen);
    }

    private Json array(int start) {
        beginArray();
        List<Json> items = new ArrayList<>();
        int height = 0;
        while (nextItem()) {
            Json item = readJson();
            items.add(item);
            height = Math.max(height, item.height());
        }
        return new Json(Json.Kind.ARRAY, text, start, scanner.position, height + 1, List.copyOf(items));
    }

    /**
     * The string under a name of the object that comes next, without moving; null if there is no such object, name or string.
     * Of a name that occurs twice the first one counts. Keeps nothing in memory.
     */
    public @Nullable String peekField(String name) {
        if (peek() != Json.Kind.OBJECT) {
            return null;
        }
        var ahead = new JsonReader(text, scanner.position, scanner.end, maxDepth);
        String[] wanted = {name};
        ahead.beginObject();
        for (int i = ahead.nextName(wanted); i != END; i = ahead.nextName(wanted)) {
            if (i == 0) {
                return ahead.peek() == Json.Kind.STRING ? ahead.readString() : null;
            }
            ahead.skip();
        }
        return null;
    }

    private void skip() {
        Json.Kind kind = peek();
        if (kind == Json.Kind.OBJECT) {
            beginObject();
            while (moveToName()) {
                skip();
            }
        } else if (kind == Json.Kind.ARRAY) {
            beginArray();
            while (nextItem()) {
                skip();
            }
        } else {
            states[depth]++;
            scalar(kind);
        }
    }

    /** Demands that the value was read to its end and that only white space follows. */
    public void end() {
        if (depth > 0 || states[0] != TOP_DONE) {
            throw new IllegalStateException("end() before the value was read to its end");
        }
        if (scanner.next() != JsonScanner.NONE) {
            throw Complaint.trailing(text, scanner.position);
        }
    }
}
