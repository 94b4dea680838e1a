package dev.belay.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value that keeps exactly the text it came from. Two values are equal if their canonical forms are: neither white space,
 * nor the order of fields, nor the spelling of numbers and escapes counts, but every digit does. Accepted text can be read again:
 * canonical and written text keep within {@link JsonLimits#DEFAULT}, apart from its size.
 *
 * <p>Thread-safe: immutable. The tree and the canonical form are made when first asked for; two threads may both make them and
 * find the same. The tree is kept, and so is the form of a value that was compared.
 */
public final class Json {

    /** What a JSON value is. */
    public enum Kind {
        /** Fields by name. */
        OBJECT("an object"),
        /** Items in order. */
        ARRAY("an array"),
        /** Text. */
        STRING("a string"),
        /** A decimal number of any precision. */
        NUMBER("a number"),
        /** {@code true} or {@code false}. */
        BOOLEAN("a boolean"),
        /** {@code null}. */
        NULL("null");

        private final String phrase;

        Kind(String phrase) {
            this.phrase = phrase;
        }
    }

    /** {@code null}. */
    public static final Json NULL = written(Kind.NULL, "null", 0);
    /** {@code true}. */
    public static final Json TRUE = written(Kind.BOOLEAN, "true", 0);
    /** {@code false}. */
    public static final Json FALSE = written(Kind.BOOLEAN, "false", 0);
    /** <code>{}</code>. */
    public static final Json EMPTY_OBJECT = written(Kind.OBJECT, "{}", 1);

    private final Kind kind;
    private final String source;
    private final int start;
    private final int end;
    private final int height;
    /** A map of fields, a list of items or a decoded string; null until asked for. A race stores equal, immutable values. */
    private @Nullable Object value;
    private @Nullable String canonical;

    /** A part of text that is known to be well formed; {@code height} counts its levels of objects and arrays. */
    Json(Kind kind, String source, int start, int end, int height, @Nullable Object value) {
        this.kind = kind;
        this.source = source;
        this.start = start;
        this.end = end;
        this.height = height;
        this.value = value;
    }

    private static Json written(Kind kind, String text, int height) {
        return new Json(kind, text, 0, text.length(), height, null);
    }

    /** Parses text under {@link JsonLimits#DEFAULT}; throws {@link JsonSyntaxException}. */
    public static Json of(String text) {
        return of(text, JsonLimits.DEFAULT);
    }

    /** Parses text under the given limits; throws {@link JsonSyntaxException}. */
    public static Json of(String text, JsonLimits limits) {
        var reader = new JsonReader(text, limits);
        Json inner = reader.readJson();
        reader.end();
        boolean whole = inner.start == 0 && inner.end == text.length();
        return whole ? inner : new Json(inner.kind, text, 0, text.length(), inner.height, inner.value);
    }

    /**
     * Parses text that another program has written, under the given limits. Programs cut texts inside characters; a lone surrogate counts as
     * {@code U+FFFD}, and is not refused. A byte order mark in front is passed over. Throws {@link JsonSyntaxException}.
     */
    public static Json foreign(String text, JsonLimits limits) {
        String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
        try {
            return of(unmarked, limits);
        } catch (JsonSyntaxException e) {
            String whole = Escapes.whole(unmarked);
            if (whole.equals(unmarked)) {
                throw e;
            }
            return of(whole, limits);
        }
    }

    /** An object whose text was read to its end before, by a decoder that refuses a second field of a name. */
    public static Json ofRead(String text) {
        return written(Kind.OBJECT, text, JsonScanner.height(text));
    }

    /** A JSON string; lone surrogates are refused. */
    public static Json string(String value) {
        var out = new StringBuilder(value.length() + 2);
        Escapes.appendQuoted(out, value);
        return new Json(Kind.STRING, out.toString(), 0, out.length(), 0, value);
    }

    /** A JSON number. */
    public static Json number(long value) {
        return written(Kind.NUMBER, Long.toString(value), 0);
    }

    /** A JSON number with all its digits. */
    public static Json number(BigDecimal value) {
        return written(Kind.NUMBER, new JsonWriter().value(value).text(), 0);
    }

    /** A JSON number; NaN and infinities are refused. */
    public static Json number(double value) {
        return written(Kind.NUMBER, new JsonWriter().value(value).text(), 0);
    }

    /** A JSON boolean. */
    public static Json bool(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** A JSON array. */
    public static Json array(List<Json> items) {
        return write(out -> {
            out.beginArray();
            items.forEach(out::value);
            out.endArray();
        });
    }

    /** A JSON object with fields in the map's order. */
    public static Json object(Map<String, Json> fields) {
        return write(out -> {
            out.beginObject();
            fields.forEach((name, value) -> out.name(name).value(value));
            out.endObject();
        });
    }

    /** Exactly what the given code writes; throws {@link IllegalStateException} if it leaves the text unfinished. */
    public static Json write(Consumer<JsonWriter> body) {
        JsonWriter writer = JsonWriter.spare();
        body.accept(writer);
        String text = writer.finish();
        Kind kind = switch (text.charAt(0)) {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't', 'f' -> Kind.BOOLEAN;
            case 'n' -> Kind.NULL;
            default -> Kind.NUMBER;
        };
        return written(kind, text, writer.height());
    }

    /** What this value is; cheap. */
    public Kind kind() {
        return kind;
    }

    /** Exactly the text it came from, white space around a whole text included. */
    public String text() {
        return source.substring(start, end);
    }

    /**
     * Sorted keys (by UTF-16 unit), no white space, shortest escapes, one form per number: plain from 1e-7 up to 1e21, otherwise
     * with an exponent; all digits kept.
     */
    public String canonical() {
        String known = canonical;
        if (known != null) {
            return known;
        }
        return CanonicalText.use(source, start, end, this::canonical);
    }

    private String canonical(StringBuilder made) {
        if (!source.contentEquals(made)) {
            return made.toString(); // not kept: most values are hashed once
        }
        canonical = source;
        return source;
    }

    /** Makes something of the canonical form, which is not kept as text. */
    <T> T withCanonical(Function<CharSequence, T> use) {
        return canonical != null ? use.apply(canonical) : CanonicalText.use(source, start, end, use);
    }

    /** The same for values that are compared, perhaps often. */
    private String comparable() {
        String known = canonical();
        canonical = known;
        return known;
    }

    /** The same text without white space between its parts. */
    public String compact() {
        return hasSpaceBetweenParts() ? withoutSpace() : text();
    }

    private boolean hasSpaceBetweenParts() {
        boolean inString = false;
        for (int i = start; i < end; i++) {
            char c = source.charAt(i);
            if (c == '"') {
                inString = !inString;
            } else if (inString) {
                i += c == '\\' ? 1 : 0;
            } else if (c <= ' ') {
                return true;
            }
        }
        return false;
    }

    private String withoutSpace() {
        var out = new StringBuilder(end - start);
        boolean inString = false;
        for (int i = start; i < end; i++) {
            char c = source.charAt(i);
            if (inString) {
                out.append(c);
                if (c == '\\') {
                    out.append(source.charAt(++i));
                }
                inString = c != '"';
            } else if (c > ' ') {
                out.append(c);
                inString = c == '"';
            }
        }
        return out.toString();
    }

    /** Appends the exact text without white space around it. */
    void appendTrimmed(StringBuilder out) {
        out.append(source, trimmedStart(), trimmedEnd());
    }

    private int trimmedStart() {
        int at = start;
        while (JsonScanner.isSpace(source.charAt(at))) {
            at++;
        }
        return at;
    }

    private int trimmedEnd() {
        int at = end;
        while (JsonScanner.isSpace(source.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    /** Levels of objects and arrays; 0 for a scalar. Cheap. */
    public int height() {
        return height;
    }

    /**
     * The value at an RFC 6901 pointer, empty if there is none; the empty pointer is the whole. Throws
     * {@link IllegalArgumentException} if it is no pointer.
     */
    public Optional<Json> at(String pointer) {
        Optional<Json> value = Optional.of(this);
        for (String token : Pointer.tokens(pointer)) {
            value = value.flatMap(parent -> parent.child(token));
        }
        return value;
    }

    private Optional<Json> child(String token) {
        if (kind != Kind.ARRAY) {
            return get(token);
        }
        int index = Pointer.index(token);
        return index >= 0 && index < items().size() ? Optional.of(items().get(index)) : Optional.empty();
    }

    /** A field of an object; empty if there is none or if this is not an object. */
    public Optional<Json> get(String field) {
        return kind == Kind.OBJECT ? Optional.ofNullable(fields().get(field)) : Optional.empty();
    }

    /** The string under a field of an object, read without the tree, which would stay; null if there is no such string. */
    public @Nullable String peekText(String field) {
        if (source.indexOf(field, start, end) < 0 && source.indexOf('\\', start, end) < 0) {
            return null;
        }
        return reader().peekField(field);
    }

    /** Fields in text order, unmodifiable; {@link JsonMismatchException} if this is not an object. */
    @SuppressWarnings("unchecked")
    public Map<String, Json> fields() {
        demand(Kind.OBJECT);
        return (Map<String, Json>) tree();
    }

    /** Items, unmodifiable; {@link JsonMismatchException} if this is not an array. */
    @SuppressWarnings("unchecked")
    public List<Json> items() {
        demand(Kind.ARRAY);
        return (List<Json>) tree();
    }

    private void demand(Kind wanted) {
        if (kind != wanted) {
            throw mismatch(wanted, kind, source.substring(trimmedStart(), trimmedEnd()));
        }
    }

    /** A value of the wrong kind; the text of a scalar is shown, with characters instead of their escapes. */
    static JsonMismatchException mismatch(Kind wanted, Kind found, String text) {
        boolean shown = found == Kind.STRING || found == Kind.NUMBER || found == Kind.BOOLEAN;
        return new JsonMismatchException("expected " + wanted.phrase + ", found " + found.phrase
                + (shown ? ": " + Found.cut(CanonicalText.of(text, 0, text.length())) : ""));
    }

    private Object tree() {
        Object known = value;
        if (known == null) {
            known = Objects.requireNonNull(reader().readJson().value);
            value = known;
        }
        return known;
    }

    private JsonReader reader() {
        return new JsonReader(source, start, end, JsonLimits.DEEPEST);
    }

    /** Whether this is {@code null}. */
    public boolean isNull() {
        return kind == Kind.NULL;
    }

    /** The string; {@link JsonMismatchException} if it is something else. */
    public String asString() {
        demand(Kind.STRING);
        Object known = value;
        if (known == null) {
            known = Escapes.decode(source, trimmedStart() + 1, trimmedEnd() - 1);
            value = known;
        }
        return (String) known;
    }

    /** The boolean; {@link JsonMismatchException} if it is something else. */
    public boolean asBoolean() {
        return reader().readBoolean();
    }

    /** The number as int ({@code 2.0} is 2); {@link JsonMismatchException} if it is something else or out of range. */
    public int asInt() {
        return reader().readInt();
    }

    /** The number as long; {@link JsonMismatchException} if it is something else or out of range. */
    public long asLong() {
        return reader().readLong();
    }

    /** The nearest double; {@link JsonMismatchException} if it is no number or not finite as a double. */
    public double asDouble() {
        return reader().readDouble();
    }

    /** The number with all its digits; {@link JsonMismatchException} if it is something else. */
    public BigDecimal asBigDecimal() {
        return reader().readBigDecimal();
    }

    /** Decodes the whole value; throws {@link IllegalStateException} if the decoder stops before its end. */
    public <T> T as(JsonDecoder<T> decoder) {
        JsonReader reader = reader();
        T decoded = decoder.read(reader);
        reader.end();
        return decoded;
    }

    /** A record from its JSON; {@link JsonMismatchException} if it does not fit, {@code unsupported_type} if it is no plain record. */
    public <T> T as(Class<T> type) {
        return type.cast(RecordForms.of(type).read(this));
    }

    /** The JSON of a record; {@code unsupported_type} if it is no plain record. */
    public static Json from(Object value) {
        return write(out -> RecordForms.of(value.getClass()).write(out, value));
    }

    /** Whether the other is JSON of the same canonical form. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other == this
                || (other instanceof Json json && kind == json.kind
                        && comparable().equals(json.comparable()));
    }

    /** The hash of the canonical form. */
    @Override
    public int hashCode() {
        return comparable().hashCode();
    }

    /** Exactly the text it came from. */
    @Override
    public String toString() {
        return text();
    }
}
