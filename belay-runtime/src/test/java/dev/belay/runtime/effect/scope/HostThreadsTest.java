package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host that closes waits for every thread it has started, and for none that it has not. */
@Timeout(120)
class HostThreadsTest {

    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private final HostThreads threads = new HostThreads(task -> new Thread(task) {

        // another thread closes the host just before this one starts
        @Override
        public void start() {
            Thread closer = Thread.ofPlatform().start(() -> {
                try {
                    threads.awaitAll(Duration.ofSeconds(20));
                } catch (Throwable e) {
                    fault.set(e);
                }
            });
            while (closer.getState() == Thread.State.NEW || closer.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            super.start();
        }
    });

    @Test
    void closingWhileAThreadIsStartedDoesNoHarm() throws InterruptedException {
        threads.start(() -> {}).join();
        threads.awaitAll(Duration.ofSeconds(20));
        assertThat(fault).hasValue(null);
    }
}
