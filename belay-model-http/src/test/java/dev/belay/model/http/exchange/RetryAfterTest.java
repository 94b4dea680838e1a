package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a provider asks to wait, in all its spellings. */
class RetryAfterTest {

    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-11-15T12:00:00Z"));

    @Test
    void seconds() {
        assertThat(read("retry-after", "7")).contains(Duration.ofSeconds(7));
        assertThat(read("Retry-After", " 0.25 ")).contains(Duration.ofMillis(250));
        assertThat(read("retry-after", "-3")).contains(Duration.ZERO);
        assertThat(read("retry-after", "1e300")).contains(Duration.ofDays(365));
    }

    @Test
    void millisecondsAreFiner() {
        assertThat(RetryAfter
                .in(headers(Map.of("retry-after-ms", List.of("125"), "retry-after", List.of("9"))), NOON))
                .contains(Duration.ofMillis(125));
    }

    @Test
    void aDate() {
        assertThat(read("retry-after", "Sun, 15 Nov 2026 12:00:30 GMT")).contains(Duration.ofSeconds(30));
        assertThat(read("retry-after", "Sun, 15 Nov 2026 11:00:00 GMT")).contains(Duration.ZERO);
    }

    @Test
    void nothingAndNonsense() {
        assertThat(read("other", "7")).isEmpty();
        assertThat(read("retry-after", "soon")).isEmpty();
        assertThat(read("retry-after", "NaN")).isEmpty();
    }

    private static Optional<Duration> read(String name, String value) {
        return RetryAfter.in(headers(Map.of(name, List.of(value))), NOON);
    }

    private static HttpHeaders headers(Map<String, List<String>> values) {
        return HttpHeaders.of(values, (name, value) -> true);
    }
}
