package dev.belay.runtime.session.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.SessionId;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ListenersTest {

    private static final SessionId SESSION = new SessionId("s");

    @Test
    void aSlowListenerMissesTheOldestAndIsToldHowMany() throws Exception {
        BlockingQueue<TurnEvent> heard = new LinkedBlockingQueue<>();
        var inside = new CountDownLatch(1);
        var goes = new CountDownLatch(1);
        var listeners = new Listeners(List.of((session, event) -> {
            heard.add(event);
            inside.countDown();
            try {
                goes.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        listeners.tell(SESSION, new TurnEvent.TurnStarted(1, "in"));
        inside.await();
        for (int turn = 2; turn < Listeners.MOST_PENDING + 5; turn++) {
            listeners.tell(SESSION, new TurnEvent.TurnStarted(turn, "in"));
        }
        listeners.tell(SESSION, new TurnEvent.Text(9, 1, "is not told"));
        goes.countDown();
        assertThat(heard.take().turn()).isEqualTo(1);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new TurnEvent.Gap(3));
        for (int turn = 5; turn < Listeners.MOST_PENDING + 5; turn++) {
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new TurnEvent.TurnStarted(turn, "in"));
        }
        assertThat(heard).isEmpty();
    }
}
