package dev.belay.generated;

import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.TextFormat;
import dev.belay.schema.shape.ScalarType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads and writes scalars without constraints. What it accepts is exactly what the scalar's {@code type} and {@code format}
 * accept in a schema.
 */
final class ScalarCodec {

    private static final String DATE_TIME = "a date and time with offset, such as 2026-01-31T09:30:00Z";

    private ScalarCodec() {}

    static JsonCodec<Object> of(ScalarType type) {
        return switch (type) {
            case BOOLEAN -> codec(JsonReader::readBoolean, (out, value) -> out.value((boolean) value));
            case BYTE -> whole(in -> (byte) within(in.readInt(), Byte.MIN_VALUE, Byte.MAX_VALUE));
            case SHORT -> whole(in -> (short) within(in.readInt(), Short.MIN_VALUE, Short.MAX_VALUE));
            case INT -> whole(JsonReader::readInt);
            case LONG -> whole(JsonReader::readLong);
            case BIG_INTEGER -> codec(in -> whole(in.readBigDecimal()),
                    (out, value) -> out.value(new BigDecimal((BigInteger) value)));
            case FLOAT -> codec(in -> finite(in.readDouble()), (out, value) -> out.value((float) value));
            case DOUBLE -> codec(JsonReader::readDouble, (out, value) -> out.value((double) value));
            case BIG_DECIMAL ->
                codec(JsonReader::readBigDecimal, (out, value) -> out.value((BigDecimal) value));
            case STRING -> codec(JsonReader::readString, (out, value) -> out.value((String) value));
            case UUID -> text("a UUID", ScalarCodec::uuid);
            case URI -> text("a URI", ScalarCodec::uri);
            case INSTANT -> codec(
                    in -> parse(DATE_TIME, in.readString(), text -> OffsetDateTime.parse(text).toInstant()),
                    ScalarCodec::writeInstant);
            case OFFSET_DATE_TIME -> text(DATE_TIME, OffsetDateTime::parse);
            case ZONED_DATE_TIME ->
                text("a date and time with zone, such as 2026-01-31T09:30:00+01:00[Europe/Paris]",
                        ZonedDateTime::parse);
            case LOCAL_DATE -> text("a date, such as 2026-01-31", LocalDate::parse);
            case LOCAL_TIME -> text("a time, such as 09:30:00", LocalTime::parse);
            case LOCAL_DATE_TIME -> text("a date and time without offset, such as 2026-01-31T09:30:00",
                    LocalDateTime::parse);
            case DURATION -> text("a duration, such as PT15M", Duration::parse);
            case PERIOD -> text("a period, such as P1M", Period::parse);
            case ZONE_ID ->
                codec(in -> parse("a time zone, such as Europe/Paris", in.readString(), ZoneId::of),
                        (out, value) -> out.value(((ZoneId) value).getId()));
        };
    }

    private interface Read {
        Object read(JsonReader in);
    }

    private interface Write {
        void write(JsonWriter out, Object value);
    }

    private record Scalar(Read reader, Write writer) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            return reader.read(in);
        }

        @Override
        public void write(JsonWriter out, Object value) {
            writer.write(out, value);
        }
    }

    private static JsonCodec<Object> codec(Read read, Write write) {
        return new Scalar(read, write);
    }

    private static JsonCodec<Object> whole(Read read) {
        return codec(read, (out, value) -> out.value(((Number) value).longValue()));
    }

    private static JsonCodec<Object> text(String expected, Function<String, Object> parser) {
        return codec(in -> parse(expected, in.readString(), parser),
                (out, value) -> out.value(value.toString()));
    }

    private static Object parse(String expected, String text, Function<String, Object> parser) {
        try {
            return parser.apply(text);
        } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
            throw new JsonMismatchException("expected " + expected + ", found \"" + text + "\"");
        }
    }

    /** The first and last years of an Instant are beyond those of every date, and could not be read again. */
    private static void writeInstant(JsonWriter out, Object value) {
        String text = value.toString();
        parse(DATE_TIME, text, same -> ((Instant) value).atOffset(ZoneOffset.UTC));
        out.value(text);
    }

    private static Object uuid(String text) {
        if (!TextFormat.UUID.accepts(text)) {
            throw new IllegalArgumentException("not a UUID");
        }
        return UUID.fromString(text);
    }

    private static Object uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static int within(int value, int min, int max) {
        if (value < min || value > max) {
            throw new JsonMismatchException(
                    "expected a whole number from " + min + " to " + max + ", found " + value);
        }
        return value;
    }

    private static float finite(double value) {
        if (!Float.isFinite((float) value)) {
            throw new JsonMismatchException("expected a number in the range of a float, found " + value);
        }
        return (float) value;
    }

    private static BigInteger whole(BigDecimal value) {
        try {
            return value.toBigIntegerExact();
        } catch (ArithmeticException e) {
            throw new JsonMismatchException("expected a whole number, found " + value);
        }
    }
}
