package dev.belay.cli.shell;

import java.time.Duration;
import java.time.Instant;

/** Spans of time as people read them. Stateless. */
public final class Times {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int MILLIS = 1_000;

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

    /** How long something took: {@code 0.4 s}, {@code 75 s}. */
    public static String took(Duration time) {
        long tenths = Math.round(time.toMillis() * 10.0 / MILLIS);
        return tenths < 100 ? tenths / 10 + "." + tenths % 10 + " s" : tenths / 10 + " s";
    }
}
