package dev.belay.tests.history;

import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import dev.belay.tests.session.SessionBench;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A long session is opened without its past. Contract O.7: a summary can be stopped. */
class LongSessionTest {

    private static final int TURNS = Integer.getInteger("belay.history.turns",
            Boolean.getBoolean("belay.long") ? 10_000 : 1_000);

    private final HistoryBench bench = new HistoryBench();
    private final AtomicLong asked = new AtomicLong();

    /** Counts the messages that are asked for. */
    private Store counted(SharedMemory memory) {
        return Intercepted.store(memory.open(), (what, real) -> {
            Object answer = real.call();
            if (what.contains(", message ") && answer instanceof List<?> page) {
                asked.addAndGet(page.size());
            }
            return answer;
        });
    }

    private Belay open(SharedMemory memory) {
        return Belay.builder()
                .model(bench.looking(0))
                .instructions("Be brief.")
                .maxContextTokens(2_000)
                .store(counted(memory))
                .build();
    }

    /** Every second one is said again and again, as people do. */
    private static String question(String what, int number) {
        return number % 2 == 0 ? "Go on." : what + " " + number + " word".repeat(40);
    }

    @Test
    void aLongSessionIsOpenedWithoutItsPastAndGoesOnAlike() throws Exception {
        var memory = new SharedMemory();
        try (Belay belay = open(memory)) {
            for (int i = 0; i < TURNS; i++) {
                belay.session("s").turn(question("Question", i)).run();
            }
        }
        asked.set(0);
        int sent = bench.requests.size();
        try (Belay belay = open(memory)) {
            Session session = belay.session("s");
            for (int i = 0; i < 100; i++) {
                assertThat(session.turn(question("More", i)).run()).isInstanceOf(TurnResult.Finished.class);
            }
            assertThat(asked.get()).as("of " + 2 * TURNS + " messages").isLessThan(150);
            List<ModelRequest> since = bench.requests.subList(sent - 1, bench.requests.size());
            long steps = session.history().stream().filter(step -> step.turn() > TURNS).count();
            assertThat(HistoryBench.changedBeginnings(since.stream().map(ModelRequest::messages).toList()))
                    .isEqualTo((int) steps)
                    .isPositive();
            assertThat(session.messages()).hasSize(2 * TURNS + 200);
            for (int turn = TURNS + 1; turn <= TURNS + 100; turn += 9) {
                assertThat(session.request(turn, 1).orElseThrow().messages())
                        .isEqualTo(bench.requests.get(turn - 1).messages());
            }
            try (OpenTurn turn = session.begin("And in a loop of my own?")) {
                turn.step().answer();
            }
            assertThat(session.messages()).hasSize(2 * TURNS + 202);
        }
    }

    /** A model whose summaries take until they are interrupted. */
    private Belay hanging(SharedMemory memory, CountDownLatch entered) {
        return Belay.builder().model(SessionBench.model(request -> {
            if (HistoryBench.isSummary(request)) {
                entered.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ModelException(ModelException.Kind.INTERRUPTED, "interrupted");
                }
            }
            return text("ok");
        })).maxContextTokens(1_000).store(memory.open()).drain(Duration.ZERO).build();
    }

    private static InputHandle fill(Session session, CountDownLatch entered) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            session.turn("Question " + i + " word".repeat(130)).id("in-" + i).run();
        }
        InputHandle last = session.turn("Question 5" + " word".repeat(130)).id("in-5").submit();
        entered.await();
        return last;
    }

    @Test
    void aTurnThatIsCancelledDuringASummaryEndsSoon() throws Exception {
        var entered = new CountDownLatch(1);
        try (Belay belay = hanging(new SharedMemory(), entered)) {
            InputHandle last = fill(belay.session("s"), entered);
            last.cancel("enough");
            assertThat(last.awaitCommit()).isInstanceOfSatisfying(TurnResult.Stopped.class,
                    stop -> assertThat(stop.cause()).isEqualTo(TurnEnd.Cause.CANCELLED));
        }
    }

    @Test
    void aRuntimeThatClosesDuringASummaryLeavesItToTheNext() throws Exception {
        var memory = new SharedMemory();
        var entered = new CountDownLatch(1);
        Belay closing = hanging(memory, entered);
        fill(closing.session("s"), entered);
        closing.close();
        try (Belay belay = Belay.builder()
                .model(bench.looking(0))
                .maxContextTokens(1_000)
                .store(memory.open())
                .build()) {
            assertThat(belay.session("s").input("in-5").orElseThrow().awaitCommit())
                    .isInstanceOf(TurnResult.Finished.class);
            assertThat(bench.summaries).isNotEmpty();
            assertThat(belay.session("s").history()).hasSize(1);
        }
    }
}
