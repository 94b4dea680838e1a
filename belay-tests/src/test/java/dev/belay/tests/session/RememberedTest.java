package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is remembered of sessions is bounded by its weight; what is forgotten is read again, and nothing else changes. */
class RememberedTest {

    private static final Model COUNTING = model(request -> text("message " + request.messages().size()));

    private final AtomicInteger read = new AtomicInteger();

    private Store counted(SharedMemory memory) {
        return Intercepted.store(memory.open(), (what, real) -> {
            if (what.contains(", message ")) {
                read.incrementAndGet();
            }
            return real.call();
        });
    }

    private static String say(Belay belay, String session, int characters) throws InterruptedException {
        return belay.session(session).turn("x".repeat(characters)).run().ended().text();
    }

    @Test
    void runtimeThatRemembersNothingReadsEachTurnAndAnswersAlike() throws Exception {
        try (Belay belay = Belay.builder()
                .model(COUNTING)
                .remembered(0)
                .store(counted(new SharedMemory()))
                .build()) {
            assertThat(say(belay, "s", 10)).isEqualTo("message 1");
            assertThat(say(belay, "s", 10)).isEqualTo("message 3");
            assertThat(say(belay, "s", 10)).isEqualTo("message 5");
            assertThat(read.get()).isEqualTo(2);
        }
    }

    @Test
    void heavySessionsAreForgottenAndLightOnesRemembered() throws Exception {
        try (Belay belay = Belay.builder()
                .model(COUNTING)
                .remembered(2_000_000)
                .store(counted(new SharedMemory()))
                .build()) {
            for (int i = 0; i < 50; i++) {
                say(belay, "light" + i, 10);
            }
            for (int i = 0; i < 50; i++) {
                assertThat(say(belay, "light" + i, 10)).isEqualTo("message 3");
            }
            assertThat(read.get()).as("all are remembered").isZero();
            for (int i = 0; i < 20; i++) {
                say(belay, "heavy" + i, 100_000);
            }
            assertThat(say(belay, "heavy0", 10)).isEqualTo("message 3");
            assertThat(say(belay, "light0", 10)).isEqualTo("message 5");
            assertThat(read.get()).as("two megabytes do not hold twenty heavy sessions").isEqualTo(2);
        }
    }

    @Test
    void lessThanNothingIsRefused() {
        assertThatThrownBy(() -> Belay.builder().remembered(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 0 bytes");
    }
}
