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

    @ParameterizedTest
    @CsvSource({"0,1000", "1,2000", "5,32000", "6,60000", "1000,60000"})
    void aTaskIsAskedForAfterTwiceAsLongUpToAMinute(int asked, long millis) {
        assertThat(ServerTask.pause(Duration.ofSeconds(1), asked)).isEqualTo(Duration.ofMillis(millis));
    }
}
