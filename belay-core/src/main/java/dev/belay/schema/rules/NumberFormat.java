package dev.belay.schema.rules;

import dev.belay.schema.FormatMode;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A number form that {@link FormatMode#ASSERT} checks. A number is accepted if and only if the Java type of that form can hold
 * it: a whole number exactly, a decimal one as the nearest finite value.
 */
enum NumberFormat {
    /** {@code byte}. */
    INT8("int8", Byte.MIN_VALUE, Byte.MAX_VALUE),
    /** {@code short}. */
    INT16("int16", Short.MIN_VALUE, Short.MAX_VALUE),
    /** {@code int}. */
    INT32("int32", Integer.MIN_VALUE, Integer.MAX_VALUE),
    /** {@code long}. */
    INT64("int64", Long.MIN_VALUE, Long.MAX_VALUE),
    /** {@code float}. */
    FLOAT("float", "a number that a 32-bit float can hold"),
    /** {@code double}. */
    DOUBLE("double", "a number that a 64-bit double can hold");

    private static final Map<String, NumberFormat> BY_NAME = Stream.of(values())
            .collect(Collectors.toUnmodifiableMap(format -> format.formatName, format -> format));

    private final String formatName;
    private final String description;
    private final @Nullable BigDecimal min;
    private final @Nullable BigDecimal max;

    NumberFormat(String formatName, long min, long max) {
        this.formatName = formatName;
        this.description = "a whole number from " + min + " to " + max;
        this.min = BigDecimal.valueOf(min);
        this.max = BigDecimal.valueOf(max);
    }

    NumberFormat(String formatName, String description) {
        this.formatName = formatName;
        this.description = description;
        this.min = null;
        this.max = null;
    }

    static Optional<NumberFormat> named(String formatName) {
        return Optional.ofNullable(BY_NAME.get(formatName));
    }

    /** Whether only whole numbers have this form. */
    boolean isWhole() {
        return min != null;
    }

    /** Whether the number is in range; its zeros are never written out. */
    boolean holds(BigDecimal value) {
        if (min != null && max != null) {
            return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
        }
        double nearest = value.doubleValue();
        return this == FLOAT ? Float.isFinite((float) nearest) : Double.isFinite(nearest);
    }

    /** Says to a model what is expected. */
    String description() {
        return description;
    }
}
