package dev.belay.schema.shape;

import java.util.Map;
import java.util.Optional;

/** The Java types that are one JSON string, number or boolean. */
public enum ScalarType {
    /** {@code boolean}. */
    BOOLEAN("boolean", ""),
    /** {@code byte}. */
    BYTE("integer", "int8"),
    /** {@code short}. */
    SHORT("integer", "int16"),
    /** {@code int}. */
    INT("integer", "int32"),
    /** {@code long}. */
    LONG("integer", "int64"),
    /** {@link java.math.BigInteger}. */
    BIG_INTEGER("integer", ""),
    /** {@code float}. */
    FLOAT("number", "float"),
    /** {@code double}. */
    DOUBLE("number", "double"),
    /** {@link java.math.BigDecimal}. */
    BIG_DECIMAL("number", ""),
    /** {@link String}. */
    STRING("string", ""),
    /** {@link java.util.UUID}. */
    UUID("string", "uuid"),
    /** {@link java.net.URI}. */
    URI("string", "uri"),
    /** {@link java.time.Instant}; any offset is read, UTC is written. */
    INSTANT("string", "date-time"),
    /** {@link java.time.OffsetDateTime}. */
    OFFSET_DATE_TIME("string", "date-time"),
    /** {@link java.time.ZonedDateTime}. */
    ZONED_DATE_TIME("string", "zoned-date-time"),
    /** {@link java.time.LocalDate}. */
    LOCAL_DATE("string", "date"),
    /** {@link java.time.LocalTime}. */
    LOCAL_TIME("string", "local-time"),
    /** {@link java.time.LocalDateTime}. */
    LOCAL_DATE_TIME("string", "local-date-time"),
    /** {@link java.time.Duration}. */
    DURATION("string", "duration"),
    /** {@link java.time.Period}. */
    PERIOD("string", "period"),
    /** {@link java.time.ZoneId}. */
    ZONE_ID("string", "zone-id");

    private static final Map<String, ScalarType> BY_JAVA_NAME = Map.ofEntries(
            Map.entry("boolean", BOOLEAN),
            Map.entry("java.lang.Boolean", BOOLEAN),
            Map.entry("byte", BYTE),
            Map.entry("java.lang.Byte", BYTE),
            Map.entry("short", SHORT),
            Map.entry("java.lang.Short", SHORT),
            Map.entry("int", INT),
            Map.entry("java.lang.Integer", INT),
            Map.entry("long", LONG),
            Map.entry("java.lang.Long", LONG),
            Map.entry("java.math.BigInteger", BIG_INTEGER),
            Map.entry("float", FLOAT),
            Map.entry("java.lang.Float", FLOAT),
            Map.entry("double", DOUBLE),
            Map.entry("java.lang.Double", DOUBLE),
            Map.entry("java.math.BigDecimal", BIG_DECIMAL),
            Map.entry("java.lang.String", STRING),
            Map.entry("java.util.UUID", UUID),
            Map.entry("java.net.URI", URI),
            Map.entry("java.time.Instant", INSTANT),
            Map.entry("java.time.OffsetDateTime", OFFSET_DATE_TIME),
            Map.entry("java.time.ZonedDateTime", ZONED_DATE_TIME),
            Map.entry("java.time.LocalDate", LOCAL_DATE),
            Map.entry("java.time.LocalTime", LOCAL_TIME),
            Map.entry("java.time.LocalDateTime", LOCAL_DATE_TIME),
            Map.entry("java.time.Duration", DURATION),
            Map.entry("java.time.Period", PERIOD),
            Map.entry("java.time.ZoneId", ZONE_ID));

    private final String jsonType;
    private final String format;

    ScalarType(String jsonType, String format) {
        this.jsonType = jsonType;
        this.format = format;
    }

    /** The scalar of a Java type's binary name. */
    public static Optional<ScalarType> ofJava(String name) {
        return Optional.ofNullable(BY_JAVA_NAME.get(name));
    }

    /** The schema's {@code type}. */
    public String jsonType() {
        return jsonType;
    }

    /** The schema's {@code format}, or empty. */
    public String format() {
        return format;
    }
}
