package dev.belay.generated;

import dev.belay.json.CheckBudget;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.BoundedPattern;
import dev.belay.schema.shape.Constraints;
import dev.belay.schema.shape.ScalarType;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Adds the checks of constraint annotations to scalars, on reading and on writing. */
final class ConstrainedCodec {

    private ConstrainedCodec() {}

    static JsonCodec<Object> of(ScalarType type, Constraints constraints) {
        JsonCodec<Object> plain = ScalarCodec.of(type);
        if (constraints.range() != null) {
            return switch (type) {
                case FLOAT, DOUBLE ->
                    new BoundedDecimal(plain, constraints.range(), type == ScalarType.FLOAT);
                default -> new BoundedNumber(plain, constraints.range());
            };
        }
        if (constraints.length() != null || constraints.pattern() != null) {
            return new BoundedText(plain, constraints.length(),
                    constraints.pattern() == null ? null : BoundedPattern.of(constraints.pattern()));
        }
        return plain;
    }

    private static void check(Constraints.NumberRange range, BigDecimal value) {
        if (!range.allows(value)) {
            throw new JsonMismatchException(value + " is out of range");
        }
    }

    private static BigDecimal exact(Object value) {
        return switch (value) {
            case BigDecimal number -> number;
            case BigInteger number -> new BigDecimal(number);
            case Float number -> new BigDecimal(number.toString());
            case Double number -> BigDecimal.valueOf(number);
            default -> BigDecimal.valueOf(((Number) value).longValue());
        };
    }

    private record BoundedNumber(JsonCodec<Object> plain,
            Constraints.NumberRange range) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            Object value = plain.read(in);
            check(range, exact(value));
            return value;
        }

        @Override
        public void write(JsonWriter out, Object value) {
            check(range, exact(value));
            plain.write(out, value);
        }
    }

    /** Compares the digits that were sent, not the nearest double: 50.000000000000000001 is more than 50. */
    private record BoundedDecimal(JsonCodec<Object> plain, Constraints.NumberRange range,
            boolean single) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            BigDecimal digits = in.readBigDecimal();
            check(range, digits);
            double value = digits.doubleValue();
            boolean finite = single ? Float.isFinite((float) value) : Double.isFinite(value);
            if (!finite) {
                throw new JsonMismatchException(digits + " is out of range");
            }
            if (single) {
                return (float) value;
            }
            return value;
        }

        @Override
        public void write(JsonWriter out, Object value) {
            boolean finite = Double.isFinite(((Number) value).doubleValue());
            if (finite) {
                check(range, exact(value));
            }
            plain.write(out, value);
        }
    }

    private record BoundedText(JsonCodec<Object> plain, Constraints.@Nullable CountRange length,
            @Nullable BoundedPattern pattern) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            Object value = plain.read(in);
            check((String) value, in.budget());
            return value;
        }

        @Override
        public void write(JsonWriter out, Object value) {
            check((String) value, out.budget());
            plain.write(out, value);
        }

        private void check(String text, CheckBudget budget) {
            if (length != null && !length.allows(text.codePointCount(0, text.length()))) {
                throw new JsonMismatchException("the length of the text is out of bounds");
            }
            if (pattern != null && !pattern.find(text, budget)) {
                throw new JsonMismatchException("the text does not match its pattern");
            }
        }
    }
}
