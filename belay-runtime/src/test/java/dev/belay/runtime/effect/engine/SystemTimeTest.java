package dev.belay.runtime.effect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of alarms. */
@Timeout(60)
class SystemTimeTest {

    private final SystemTime time = new SystemTime();

    @Test
    void theThreadEndsWhenNoAlarmIsLeft() throws Exception {
        time.after(Duration.ofHours(1), () -> {}).cancel();
        var ringing = new CompletableFuture<Thread>();
        time.after(Duration.ZERO, () -> ringing.complete(Thread.currentThread()));
        assertThat(ringing.get().join(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void anAlarmRingsAfterTheThreadHasEnded() throws Exception {
        var first = new CompletableFuture<Thread>();
        time.after(Duration.ZERO, () -> first.complete(Thread.currentThread()));
        first.get().join();
        var again = new CountDownLatch(1);
        time.after(Duration.ZERO, again::countDown);
        assertThat(again.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
