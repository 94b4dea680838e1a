package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LimitTest {

    @Test
    void workThatHangsFailsAndSaysWhereVirtualThreadsStand() throws Exception {
        var over = new CountDownLatch(1);
        Thread waits = Thread.ofVirtual().name("waits").start(() -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThatThrownBy(() -> Limit.of(Duration.ZERO, "a wait", () -> {
            over.await();
            return over;
        })).isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("a wait has not ended")
                .hasMessageContaining("\"waits\" virtual");
        over.countDown();
        waits.join();
    }
}
