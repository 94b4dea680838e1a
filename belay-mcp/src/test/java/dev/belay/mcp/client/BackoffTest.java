package dev.belay.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

    @ParameterizedTest
    @CsvSource({"1,500", "2,1000", "3,2000", "6,16000", "7,30000", "1000,30000"})
    void aServerIsTriedAgainAfterTwiceAsLongUpToHalfAMinute(int failures, long millis) {
        assertThat(LiveServer.Backoff.USUAL.before(failures)).isEqualTo(Duration.ofMillis(millis));
    }
}
