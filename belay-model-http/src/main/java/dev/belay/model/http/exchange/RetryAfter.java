package dev.belay.model.http.exchange;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Reads how long a provider asks to wait: in milliseconds, in seconds (also with a fraction), or until a date. Stateless. */
final class RetryAfter {

    /** Longer waits are cut to this, so that arithmetic on them cannot overflow. */
    private static final double MOST_MILLIS = Duration.ofDays(365).toMillis();

    private RetryAfter() {}

    static Optional<Duration> in(HttpHeaders headers, InstantSource clock) {
        return headers.firstValue("retry-after-ms")
                .flatMap(value -> number(value, 1))
                .or(() -> headers.firstValue("retry-after")
                        .flatMap(value -> number(value, 1000).or(() -> date(value, clock))));
    }

    private static Optional<Duration> number(String value, int millisPerUnit) {
        try {
            double millis = Double.parseDouble(value.strip()) * millisPerUnit;
            return Double.isNaN(millis)
                    ? Optional.empty()
                    : Optional.of(Duration.ofMillis((long) Math.clamp(Math.ceil(millis), 0, MOST_MILLIS)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> date(String value, InstantSource clock) {
        try {
            Instant until = ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(clock.instant(), until);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
