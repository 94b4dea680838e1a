package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.tests.Intercepted;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Issue: whoever awaited an input whose turn was committed while it looked waited for the turn behind that one. */
@Timeout(120)
class OvertakenAwaitTest {

    private final CountDownLatch firstAsked = new CountDownLatch(1);
    private final CountDownLatch firstMayAnswer = new CountDownLatch(1);
    private final CountDownLatch thirdAsked = new CountDownLatch(1);
    private final CountDownLatch thirdMayAnswer = new CountDownLatch(1);
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    /** Answers the second question at once, and the others when it may. */
    private Model answering() {
        return model(request -> {
            String said = request.messages()
                    .stream()
                    .filter(UserMessage.class::isInstance)
                    .map(message -> ((UserMessage) message).text())
                    .reduce("", (one, next) -> next);
            switch (said) {
                case "one" -> hold(firstAsked, firstMayAnswer);
                case "three" -> hold(thirdAsked, thirdMayAnswer);
                default -> {
                }
            }
            return text("heard " + said);
        });
    }

    private static void hold(CountDownLatch asked, CountDownLatch mayAnswer) {
        asked.countDown();
        try {
            mayAnswer.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The turn of the input is committed and the next one begins, between the first look and the second. */
    @Test
    void theTurnThatTookTheInputIsFoundAndNotTheOneBehindIt() throws Exception {
        Thread waiter = Thread.currentThread();
        var behind = new AtomicReference<>(new ScopeId("none"));
        try (Belay belay = Belay.builder()
                .model(answering())
                .store(Intercepted.store(InMemoryStore.open(), (what, real) -> {
                    if (!Thread.currentThread().equals(waiter)) {
                        return real.call();
                    }
                    if (what.matches("read scope " + behind.get().value() + ",.*scope_result.*")) {
                        thirdMayAnswer.countDown();
                        throw new AssertionError("it waits for the turn behind its own, which is committed");
                    }
                    Object answer = real.call();
                    if (what.matches("read session s, (session_past|arrival) s")) {
                        meanwhile.getAndSet(() -> {}).run();
                    }
                    return answer;
                }))
                .build()) {
            Session session = belay.session("s");
            session.turn("one").id("1").submit();
            firstAsked.await();
            session.turn("two").id("2").submit();
            InputHandle second = session.input("2").orElseThrow();
            meanwhile.set(() -> {
                firstMayAnswer.countDown();
                while (second.result().isEmpty()) {
                    LockSupport.parkNanos(SessionBench.A_MOMENT);
                }
                session.turn("three").id("3").submit();
                try {
                    thirdAsked.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                behind.set(TurnScope.id(session.head().orElseThrow().incarnation(), 3));
            });

            assertThat(second.awaitCommit().text()).isEqualTo("heard two");
            thirdMayAnswer.countDown();
        }
    }
}
