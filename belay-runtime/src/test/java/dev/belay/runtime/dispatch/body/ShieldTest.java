package dev.belay.runtime.dispatch.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An interrupt reaches a body in its own code, and never inside the journal. */
class ShieldTest {

    private final Shield shield = new Shield();

    private <T> T onBody(java.util.concurrent.Callable<T> code) throws Exception {
        var task = new FutureTask<>(code);
        Thread thread = Thread.ofVirtual().unstarted(task);
        shield.guard(thread);
        thread.start();
        return task.get(30, TimeUnit.SECONDS);
    }

    @Test
    void anInterruptIsKeptUntilTheBodyIsBack() throws Exception {
        assertThat(onBody(() -> {
            boolean within = shield.inside(() -> {
                shield.interrupt();
                return Thread.currentThread().isInterrupted();
            });
            return !within && Thread.currentThread().isInterrupted();
        })).isTrue();
    }

    @Test
    void anInterruptOfBeforeIsKeptToo() throws Exception {
        assertThat(onBody(() -> {
            shield.interrupt();
            boolean within = shield.inside(() -> Thread.currentThread().isInterrupted());
            return !within && Thread.currentThread().isInterrupted();
        })).isTrue();
    }

    @Test
    void aStepIsTheBodysOwnCode() throws Exception {
        assertThat(onBody(() -> shield.inside(() -> {
            try {
                boolean step = shield.outside(() -> {
                    shield.interrupt();
                    return Thread.currentThread().isInterrupted();
                });
                return step && !Thread.currentThread().isInterrupted();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }) && Thread.currentThread().isInterrupted())).isTrue();
    }
}
