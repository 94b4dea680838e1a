package dev.belay.schema;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A text form that {@link FormatMode#ASSERT} checks. A text is accepted if and only if the Java type of that form reads it, so
 * what validates also decodes. Some names are the draft's, the others ({@code local-time}, {@code local-date-time},
 * {@code period}, {@code zone-id}, {@code zoned-date-time}) are Belay's own.
 */
public enum TextFormat {
    /** What {@link LocalDate#parse} reads. */
    DATE("date", "a date such as \"2025-12-31\""),
    /** What {@link LocalTime#parse} or {@link OffsetTime#parse} reads. */
    TIME("time", "a time such as \"23:59:00Z\""),
    /** What {@link OffsetDateTime#parse} reads. */
    DATE_TIME("date-time", "a date and time with offset such as \"2025-12-31T23:59:00Z\""),
    /** What {@link Duration#parse} reads. */
    DURATION("duration", "a duration such as \"PT1H30M\""),
    /** Five groups of 8, 4, 4, 4 and 12 hexadecimal digits. */
    UUID("uuid", "a UUID such as \"123e4567-e89b-12d3-a456-426614174000\""),
    /** What {@link URI#URI(String)} reads. */
    URI("uri", "a URI such as \"https://example.com/a\""),
    /** What {@link LocalTime#parse} reads. */
    LOCAL_TIME("local-time", "a time without offset such as \"23:59:00\""),
    /** What {@link LocalDateTime#parse} reads. */
    LOCAL_DATE_TIME("local-date-time", "a date and time without offset such as \"2025-12-31T23:59:00\""),
    /** What {@link Period#parse} reads. */
    PERIOD("period", "a period such as \"P1Y2M3D\""),
    /** What {@link ZoneId#of(String)} reads. */
    ZONE_ID("zone-id", "a time zone such as \"Europe/Berlin\""),
    /** What {@link ZonedDateTime#parse} reads. */
    ZONED_DATE_TIME("zoned-date-time",
            "a date and time with zone such as \"2025-12-31T23:59:00+01:00[Europe/Berlin]\"");

    private static final Map<String, TextFormat> BY_NAME = Stream.of(values())
            .collect(Collectors.toUnmodifiableMap(TextFormat::formatName, format -> format));
    private static final int UUID_LENGTH = 36;

    private final String formatName;
    private final String description;

    TextFormat(String formatName, String description) {
        this.formatName = formatName;
        this.description = description;
    }

    /**
     * Finds a format.
     *
     * @param formatName the value of the keyword {@code format}
     */
    public static Optional<TextFormat> named(String formatName) {
        return Optional.ofNullable(BY_NAME.get(formatName));
    }

    /** The value of the keyword {@code format}. */
    public String formatName() {
        return formatName;
    }

    /**
     * Decides whether the text has this form.
     *
     * @param text the string's content, without quotes
     */
    public boolean accepts(String text) {
        return switch (this) {
            case DATE -> parses(LocalDate::parse, text);
            case TIME -> parses(LocalTime::parse, text) || parses(OffsetTime::parse, text);
            case DATE_TIME -> parses(OffsetDateTime::parse, text);
            case DURATION -> parses(Duration::parse, text);
            case UUID -> isUuid(text);
            case URI -> isUri(text);
            case LOCAL_TIME -> parses(LocalTime::parse, text);
            case LOCAL_DATE_TIME -> parses(LocalDateTime::parse, text);
            case PERIOD -> parses(Period::parse, text);
            case ZONE_ID -> parses(ZoneId::of, text);
            case ZONED_DATE_TIME -> parses(ZonedDateTime::parse, text);
        };
    }

    /** Says to a model what is expected, with an example. */
    public String description() {
        return description;
    }

    private static boolean parses(Function<String, ?> parser, String text) {
        try {
            return parser.apply(text) != null;
        } catch (DateTimeException | ArithmeticException notOfThisForm) { // Period lets an overflow of weeks through
            return false;
        }
    }

    private static boolean isUuid(String text) {
        if (text.length() != UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = text.charAt(i);
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? c != '-' : !isHexDigit(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHexDigit(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    private static boolean isUri(String text) {
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException notOfThisForm) {
            return false;
        }
    }
}
