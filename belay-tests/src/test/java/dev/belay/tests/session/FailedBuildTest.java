package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Issue: a runtime that could not be built left its store open, and what it had taken of it to nobody. */
@Timeout(60)
class FailedBuildTest {

    private static final Model YES = model(request -> text("yes"));

    private final SharedMemory sessions = new SharedMemory();

    /** A turn that somebody has left. */
    private void leaveATurn() throws InterruptedException {
        var asked = new CountDownLatch(1);
        try (Belay belay = Belay.builder().model(model(request -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("never");
        })).store(sessions.open()).drain(Duration.ZERO).build()) {
            belay.session("s").turn("Go.").id("in").submit();
            asked.await();
        }
    }

    @Test
    void whatCannotBeginClosesItsStoreAndLeavesTheWorkToOthers() throws Exception {
        leaveATurn();
        var closed = new AtomicInteger();
        var failing = new StoreDriver(Intercepted.store(sessions.open(), (what, real) -> {
            Object answer = real.call();
            if (what.equals("close")) {
                closed.incrementAndGet();
            }
            if (what.contains("wait_due")) {
                throw new JournalException("the disk hiccups", null);
            }
            return answer;
        }));
        assertThatThrownBy(() -> Belay.builder().model(YES).store(failing.store()).build())
                .isInstanceOf(JournalException.class)
                .hasMessage("the disk hiccups");

        assertThat(closed).hasPositiveValue();
        assertThatThrownBy(() -> failing.head(new SessionId("s"))).isInstanceOf(JournalException.class)
                .extracting("code")
                .isEqualTo("journal_closed");
        try (Belay belay = Belay.builder().model(YES).store(sessions.open()).build()) {
            assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("yes");
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsClosedToo() {
        var closed = new AtomicInteger();
        Store failing = Intercepted.store(sessions.open(),
                (what, real) -> {
                    if (what.equals("version")) {
                        throw new JournalException("not now", null);
                    }
                    if (what.equals("close")) {
                        closed.incrementAndGet();
                    }
                    return real.call();
                });
        assertThatThrownBy(() -> Belay.builder().model(YES).store(failing).build()).hasMessage("not now");
        assertThat(closed).hasPositiveValue();
    }

    @Test
    void whatIsNotCompleteLeavesTheStoreToWhoeverGaveIt() throws Exception {
        Store store = sessions.open();
        assertThatThrownBy(() -> Belay.builder().model("other", YES).store(store).build())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("model_missing"));
        try (Belay belay = Belay.builder().model(YES).store(store).build()) {
            assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("yes");
        }
    }
}
