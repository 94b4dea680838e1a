package dev.belay.json;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes compact JSON, and only JSON that {@link JsonReader} takes. Calls in an order that cannot give JSON, a second field of
 * the same name included, end in {@link IllegalStateException}; values that JSON cannot hold (NaN, infinities, lone surrogates,
 * over-long numbers, over-deep nesting) in {@link JsonMismatchException}. Confined to one call.
 */
public final class JsonWriter {

    /** Objects with more names than this find duplicates in a set instead of by looking at each. */
    private static final int FEW_NAMES = 12;

    /** A larger buffer is not kept for the next text. */
    static final int MOST_SPARED = 8_192;

    /** Steps for the checks of all texts that are written: about a tenth of a second. */
    private static final long CHECK_STEPS = 10_000_000;

    private static final Spare<Work> SPARE = new Spare<>();

    /** What a text is written with; used again for other texts. */
    private static final class Work {

        /** Holds a usual result without growing. */
        private final StringBuilder out = new StringBuilder(128);
        private final Level top = new Level(null);
    }

    private final Work work;
    private final StringBuilder out;
    private @Nullable Level level;
    private @Nullable CheckBudget budget;
    private int depth;
    private int height;
    private boolean done;
    /** Set while a string is half written, so that it stays set if the string is refused. */
    private boolean refused;

    /** Starts an empty text. */
    public JsonWriter() {
        this(new Work());
    }

    private JsonWriter(Work work) {
        this.work = work;
        out = work.out;
    }

    /** What the checks of a codec may cost. */
    public CheckBudget budget() {
        if (budget == null) {
            budget = CheckBudget.of(CHECK_STEPS);
        }
        return budget;
    }

    /** Writes a part of another text at that one's expense. */
    public void shareBudget(JsonWriter whole) {
        budget = whole.budget();
    }

    /** Starts an empty text, perhaps in the buffer of one that is finished. */
    static JsonWriter spare() {
        Work spare = SPARE.take();
        return spare == null ? new JsonWriter() : new JsonWriter(spare);
    }

    /** The finished text; nothing can be written or read here afterwards. */
    String finish() {
        String text = text();
        refused = true;
        if (out.capacity() <= MOST_SPARED) {
            out.setLength(0);
            SPARE.give(work);
        }
        return text;
    }

    /** Opens an object. */
    public JsonWriter beginObject() {
        return open('{', true);
    }

    /** Closes the object that was opened last. */
    public JsonWriter endObject() {
        return close('}', true);
    }

    /** Opens an array. */
    public JsonWriter beginArray() {
        return open('[', false);
    }

    /** Closes the array that was opened last. */
    public JsonWriter endArray() {
        return close(']', false);
    }

    private JsonWriter open(char bracket, boolean object) {
        deepen(1);
        beforeValue();
        out.append(bracket);
        level = (level == null ? work.top : level.inner()).opened(object);
        depth++;
        return this;
    }

    private JsonWriter close(char bracket, boolean object) {
        Level closed = level;
        if (closed == null || closed.object != object) {
            throw new IllegalStateException((object ? "endObject()" : "endArray()") + " where no "
                    + (object ? "object" : "array") + " is open");
        }
        if (closed.named) {
            throw new IllegalStateException("endObject() after a name without a value");
        }
        out.append(bracket);
        level = closed.outer;
        depth--;
        return this;
    }

    private void deepen(int levels) {
        if (depth + levels > JsonLimits.DEEPEST) {
            throw new JsonMismatchException("expected at most " + JsonLimits.DEEPEST
                    + " nested objects and arrays, found " + (depth + levels));
        }
        height = Math.max(height, depth + levels);
    }

    /** Writes the name of the next value. */
    public JsonWriter name(String name) {
        Level current = level;
        if (current == null || !current.object) {
            throw new IllegalStateException("name(\"" + Found.cut(name) + "\") outside an object");
        }
        if (current.named) {
            throw new IllegalStateException("name(\"" + Found.cut(name) + "\") after a name without a value");
        }
        if (!current.add(name)) {
            throw new IllegalStateException("the object already has a field \"" + Found.cut(name) + "\"");
        }
        if (current.count > 1) {
            out.append(',');
        }
        quote(name);
        out.append(':');
        current.named = true;
        return this;
    }

    private void beforeValue() {
        Level current = level;
        if (current == null) {
            if (done) {
                throw new IllegalStateException("a second value at the top: the text already holds one");
            }
            done = true;
        } else if (current.object) {
            if (!current.named) {
                throw new IllegalStateException("a value in an object without a name before it");
            }
            current.named = false;
        } else if (current.count++ > 0) {
            out.append(',');
        }
    }

    /** Writes a string; lone surrogates are refused. */
    public JsonWriter value(String value) {
        beforeValue();
        quote(value);
        return this;
    }

    /** Writes a string with another character in place of every lone surrogate. */
    public JsonWriter value(String value, char half) {
        if (Character.isSurrogate(half)) {
            throw new IllegalArgumentException(
                    "a lone surrogate can be replaced by a whole character only, not by "
                            + Found.character(String.valueOf(half), 0));
        }
        beforeValue();
        Escapes.appendQuoted(out, value, half);
        return this;
    }

    private void quote(String value) {
        refused = true;
        Escapes.appendQuoted(out, value);
        refused = false;
    }

    /** Writes a whole number. */
    public JsonWriter value(long value) {
        beforeValue();
        out.append(value);
        return this;
    }

    /** Writes the shortest text that reads back as the same double, {@code 5.0} as {@code 5}; not finite is refused. */
    public JsonWriter value(double value) {
        appendFinite(Double.isFinite(value), Double.toString(value));
        return this;
    }

    /** Writes the shortest text that reads back as the same float, {@code 5.0f} as {@code 5}; not finite is refused. */
    public JsonWriter value(float value) {
        appendFinite(Float.isFinite(value), Float.toString(value));
        return this;
    }

    private void appendFinite(boolean finite, String literal) {
        if (!finite) {
            throw new JsonMismatchException("expected a finite number, found " + literal);
        }
        beforeValue();
        if (literal.indexOf('E') < 0) {
            // what Java writes without exponent is canonical but for a last ".0", and for -0, which a double has
            out.append(literal, 0, literal.endsWith(".0") ? literal.length() - 2 : literal.length());
        } else {
            Decimal.appendCanonical(out, literal, 0, literal.length());
        }
    }

    /** Writes a number with all its digits; one over 1,000 characters or with an exponent beyond 9,999 is refused. */
    public JsonWriter value(BigDecimal value) {
        if (value.precision() > Decimal.MAX_LENGTH) {
            throw new JsonMismatchException(
                    "expected a number of at most 1000 characters, found " + value.precision() + " digits");
        }
        String literal = value.toString();
        String excess = Decimal.excess(literal, 0, literal.length(), literal.indexOf('E'));
        if (!excess.isEmpty()) {
            throw new JsonMismatchException(excess);
        }
        beforeValue();
        out.append(literal);
        return this;
    }

    /** Writes a boolean. */
    public JsonWriter value(boolean value) {
        beforeValue();
        out.append(value);
        return this;
    }

    /** Writes {@code null}. */
    public JsonWriter nullValue() {
        beforeValue();
        out.append("null");
        return this;
    }

    /** Writes a value with its exact text, without white space around it. */
    public JsonWriter value(Json value) {
        deepen(value.height());
        beforeValue();
        value.appendTrimmed(out);
        return this;
    }

    /** The finished text; throws {@link IllegalStateException} if something is still open or nothing was written. */
    public String text() {
        if (level != null) {
            throw new IllegalStateException(
                    "the text is not finished: " + (level.object ? "an object" : "an array") + " is open");
        }
        if (!done) {
            throw new IllegalStateException("the text is not finished: nothing was written");
        }
        if (refused) {
            throw new IllegalStateException("the text is not finished: a string was refused");
        }
        return out.toString();
    }

    /** How deep the finished text is nested. */
    int height() {
        return height;
    }

    /** An open object or array. */
    private static final class Level {

        private static final String[] NONE = {};
        private static final int FIRST_NAMES = 4;

        final @Nullable Level outer;
        /** Used again by the next object or array at its depth. */
        private @Nullable Level inner;
        boolean object;
        boolean named;
        int count;
        private String[] few = NONE;
        private @Nullable Set<String> many;

        private Level(@Nullable Level outer) {
            this.outer = outer;
        }

        Level inner() {
            Level used = inner;
            if (used == null) {
                used = new Level(this);
                inner = used;
            }
            return used;
        }

        Level opened(boolean isObject) {
            object = isObject;
            named = false;
            count = 0;
            many = null;
            return this;
        }

        /** Counts a field; false if there is one of that name. */
        boolean add(String name) {
            if (many != null) {
                count++;
                return many.add(name);
            }
            for (int i = 0; i < count; i++) {
                if (few[i].equals(name)) {
                    return false;
                }
            }
            if (count == FEW_NAMES) {
                many = new HashSet<>(Set.of(few));
                many.add(name);
            } else {
                if (count == few.length) {
                    few = Arrays.copyOf(few, Math.clamp(2L * count, FIRST_NAMES, FEW_NAMES));
                }
                few[count] = name;
            }
            count++;
            return true;
        }
    }
}
