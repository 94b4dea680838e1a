package dev.belay.store.jdbc.file;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Moments as they are stored: text that people can read, exact, and in the order of time. One before the year 0 or after 9999
 * becomes the first or the last that fits.
 */
public final class Moments {

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private static final int LENGTH = 30;
    private static final int DECIMAL = 10;

    private Moments() {}

    /** Always thirty characters. */
    public static String text(Instant moment) {
        Instant fit = moment.isBefore(FIRST) ? FIRST : moment.isAfter(LAST) ? LAST : moment;
        LocalDateTime time = LocalDateTime.ofInstant(fit, ZoneOffset.UTC);
        char[] text = "0000-00-00T00:00:00.000000000Z".toCharArray();
        put(text, 4, time.getYear());
        put(text, 7, time.getMonthValue());
        put(text, 10, time.getDayOfMonth());
        put(text, 13, time.getHour());
        put(text, 16, time.getMinute());
        put(text, 19, time.getSecond());
        put(text, 29, time.getNano());
        return new String(text);
    }

    /** Writes a number so that it ends before a place. */
    private static void put(char[] text, int end, int number) {
        int rest = number;
        for (int at = end - 1; rest > 0; at--) {
            text[at] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** The moment that {@link #text} has written; faster than a parser of many forms. */
    public static Instant instant(String text) {
        if (text.length() != LENGTH) {
            throw new DateTimeException("a moment has " + LENGTH + " characters, found " + text);
        }
        return LocalDateTime.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10),
                number(text, 11, 13), number(text, 14, 16), number(text, 17, 19), number(text, 20, 29))
                .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, DECIMAL);
    }
}
