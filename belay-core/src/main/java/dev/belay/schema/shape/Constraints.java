package dev.belay.schema.shape;

import dev.belay.json.JsonWriter;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What the constraint annotations on one use of a type say.
 *
 * @param range bounds of a number, or null
 * @param length bounds of a string, or null
 * @param pattern regular expression of a string, or null
 * @param size bounds of a collection or map, or null
 */
public record Constraints(@Nullable NumberRange range, @Nullable CountRange length, @Nullable String pattern,
        @Nullable CountRange size) {

    /** No constraint at all. */
    public static final Constraints NONE = new Constraints(null, null, null, null);

    /** What annotations say, each of them or null. */
    public static Constraints of(@Nullable Range range, @Nullable Length length, @Nullable Pattern pattern,
            @Nullable Size size) {
        if (range == null && length == null && pattern == null && size == null) {
            return NONE;
        }
        return new Constraints(
                range == null
                        ? null
                        : NumberRange.of(range.min(), range.max(), range.exclusiveMin(),
                                range.exclusiveMax()),
                length == null ? null : new CountRange(length.min(), length.max()),
                pattern == null ? null : pattern.value(),
                size == null ? null : new CountRange(size.min(), size.max()));
    }

    /**
     * Bounds of a number.
     *
     * @param min smallest, or null
     * @param max largest, or null
     * @param exclusiveMin whether min itself is refused
     * @param exclusiveMax whether max itself is refused
     */
    public record NumberRange(@Nullable BigDecimal min, @Nullable BigDecimal max, boolean exclusiveMin,
            boolean exclusiveMax) {

        /** Takes what {@code @Range} says; infinities mean no bound. */
        public static NumberRange of(double min, double max, boolean exclusiveMin, boolean exclusiveMax) {
            if (Double.isNaN(min) || Double.isNaN(max)) {
                throw new UnsupportedTypeException("@Range bounds must be numbers, found NaN",
                        "give min and max");
            }
            if (min > max) {
                throw new UnsupportedTypeException(
                        "@Range(min = " + min + ", max = " + max + ") allows nothing",
                        "let min be at most max");
            }
            return new NumberRange(Double.isInfinite(min) ? null : plain(min),
                    Double.isInfinite(max) ? null : plain(max), exclusiveMin, exclusiveMax);
        }

        /** Whether a number lies within. */
        public boolean allows(BigDecimal value) {
            if (min != null && value.compareTo(min) < (exclusiveMin ? 1 : 0)) {
                return false;
            }
            return max == null || value.compareTo(max) <= (exclusiveMax ? -1 : 0);
        }

        private static BigDecimal plain(double bound) {
            BigDecimal stripped = BigDecimal.valueOf(bound).stripTrailingZeros();
            return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
        }
    }

    /**
     * Bounds of a count.
     *
     * @param min at least
     * @param max at most, {@link Integer#MAX_VALUE} for no bound
     */
    public record CountRange(int min, int max) {

        /** Refuses bounds that allow nothing. */
        public CountRange {
            if (min < 0 || max < min) {
                throw new UnsupportedTypeException("bounds " + min + " to " + max + " allow nothing",
                        "let 0 <= min <= max");
            }
        }

        /** Whether a count lies within. */
        public boolean allows(int count) {
            return count >= min && count <= max;
        }
    }

    /** Whether nothing is constrained. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Writes the keywords that say the same in a schema. */
    void writeKeywords(JsonWriter out) {
        if (range != null) {
            if (range.min() != null) {
                out.name(range.exclusiveMin() ? "exclusiveMinimum" : "minimum").value(range.min());
            }
            if (range.max() != null) {
                out.name(range.exclusiveMax() ? "exclusiveMaximum" : "maximum").value(range.max());
            }
        }
        writeCount(out, length, "minLength", "maxLength");
        if (pattern != null) {
            out.name("pattern").value(pattern);
        }
    }

    /** Writes a count's bounds under the given keywords. */
    static void writeCount(JsonWriter out, @Nullable CountRange count, String min, String max) {
        if (count != null) {
            if (count.min() > 0) {
                out.name(min).value(count.min());
            }
            if (count.max() < Integer.MAX_VALUE) {
                out.name(max).value(count.max());
            }
        }
    }
}
