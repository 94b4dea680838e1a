package dev.belay.store.jdbc.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A deadline is not moved by being stored, and the order of the text is the order of time. */
class MomentsTest {

    @ParameterizedTest
    @CsvSource({"2026-11-15T10:00:00Z, 2026-11-15T10:00:00.000000000Z",
        "2026-11-15T10:00:00.5Z, 2026-11-15T10:00:00.500000000Z",
        "0001-02-03T04:05:06.000000007Z, 0001-02-03T04:05:06.000000007Z",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999999Z",
        "+12026-01-01T00:00:00Z, 9999-12-31T23:59:59.999999999Z",
        "-0044-03-15T00:00:00Z, 0000-01-01T00:00:00.000000000Z"})
    void aMomentIsWrittenOut(String moment, String text) {
        assertThat(Moments.text(Instant.parse(moment))).isEqualTo(text);
    }

    @Test
    void theOrderOfTheTextIsThatOfTime() {
        long seed = 20261115;
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            Instant one = moment(random);
            Instant two = random.nextBoolean() ? moment(random) : one.plusNanos(random.nextInt(3));
            assertThat(Integer.signum(Moments.text(one).compareTo(Moments.text(two))))
                    .as("seed %s: %s and %s", seed, one, two)
                    .isEqualTo(Integer.signum(one.compareTo(two)));
            assertThat(Moments.instant(Moments.text(one))).as("seed %s", seed).isEqualTo(one);
        }
    }

    private static Instant moment(Random random) {
        return Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 250_000_000_000L),
                random.nextInt(1_000_000_000));
    }
}
