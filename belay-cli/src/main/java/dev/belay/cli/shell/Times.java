package dev.belay.cli.shell;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times and numbers as people read them. Stateless. */
public final class Times {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int MILLIS = 1_000;
    private static final int THOUSAND = 1_000;
    private static final String UNITS = " kMG";
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm",
            Locale.ROOT);

    private Times() {}

    /** How long ago a moment was: {@code 12s}, {@code 5m}, {@code 3h}, {@code 9d}. */
    public static String age(Instant since, Instant now) {
        long seconds = Math.max(0, Duration.between(since, now).toSeconds());
        if (seconds < MINUTE) {
            return seconds + "s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + "m";
        }
        return seconds < DAY ? seconds / HOUR + "h" : seconds / DAY + "d";
    }

    /** A moment as a clock on the wall shows it. */
    public static String at(Instant moment) {
        return CLOCK.format(moment.atZone(ZoneId.systemDefault()));
    }

    /** How many of something: {@code 950}, {@code 1.2k}, {@code 12k}, {@code 3.4M}. */
    public static String many(long number) {
        double left = number;
        int unit = 0;
        for (; left >= THOUSAND - 0.5 && unit < UNITS.length() - 1; unit++) {
            left /= THOUSAND;
        }
        String digits = unit == 0 || left >= 10 - 0.05
                ? Long.toString(Math.round(left))
                : Math.round(left * 10) / 10 + "." + Math.round(left * 10) % 10;
        return unit == 0 ? digits : digits + UNITS.charAt(unit);
    }

    /** How long something took: {@code 0.4 s}, {@code 75 s}. */
    public static String took(Duration time) {
        long tenths = Math.round(time.toMillis() * 10.0 / MILLIS);
        return tenths < 100 ? tenths / 10 + "." + tenths % 10 + " s" : tenths / 10 + " s";
    }
}
