package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Wait;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** What no program serves rests after a minute, and not before. */
class UnservedRestTest {

    private static final Duration MOST_OF_A_MINUTE = Duration.ofSeconds(59);

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final List<TurnEvent> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private static CompletableFuture<TurnResult> waits(InputHandle input) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return input.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private TurnResult.Resting afterAMinute(CompletableFuture<TurnResult> result) throws Exception {
        time.awaitAlarmIn(Duration.ofSeconds(61));
        time.advance(MOST_OF_A_MINUTE);
        assertThat(result).isNotDone();
        time.advance(Duration.ofSeconds(3));
        return (TurnResult.Resting) result.get(30, TimeUnit.SECONDS);
    }

    private Belay open(boolean starts) {
        return bench.open(calling(), builder -> builder.time(time)
                .start(starts)
                .listener((session, event) -> heard.add(event)));
    }

    @Test
    void aTurnThatNoProgramTakesRestsAfterAMinute() throws Exception {
        Belay belay = open(false);
        InputHandle input = belay.session("s").turn("Go.").submit();

        TurnResult.Resting rest = afterAMinute(waits(input));

        assertThat(rest.waits()).singleElement()
                .satisfies(wait -> assertThat(wait.kind()).isEqualTo(Wait.Kind.AGENT));
        var next = CompletableFuture.supplyAsync(() -> {
            try {
                return rest.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        belay.start();
        assertThat(next.get(30, TimeUnit.SECONDS).answer()).isEqualTo("done: nothing");
        assertThat(heard).filteredOn(TurnEvent.Resting.class::isInstance).hasSize(1);
    }

    @Test
    void aPausedTurnRestsAfterAMinute() throws Exception {
        Belay belay = open(true);
        belay.pause(Pause.Target.EVERYTHING, "moving");
        InputHandle input = belay.session("s").turn("Go.").submit();

        TurnResult.Resting rest = afterAMinute(waits(input));

        assertThat(rest.waits()).singleElement()
                .satisfies(wait -> assertThat(wait.kind()).isEqualTo(Wait.Kind.PAUSE));
        belay.unpause(Pause.Target.EVERYTHING, "moved");
        assertThat(rest.await().answer()).isEqualTo("done: nothing");
    }

    @Test
    void aPauseIsOneLineForAllItsTurns() throws Exception {
        Belay belay = open(true);
        List<CompletableFuture<TurnResult>> waiting = new ArrayList<>();
        belay.pause(Pause.Target.EVERYTHING, "moving");
        try (var log = HeardLog.of("dev.belay.turn", Level.INFO)) {
            for (String session : List.of("s", "t", "u")) {
                waiting.add(waits(belay.session(session).turn("Go.").submit()));
                time.advance(Duration.ofSeconds(1));
            }
            OperatorBench.until(() -> {
                time.advance(Duration.ofSeconds(62));
                return waiting.stream().allMatch(CompletableFuture::isDone);
            });
            OperatorBench
                    .until(() -> heard.stream().filter(TurnEvent.Resting.class::isInstance).count() == 3);
            assertThat(log.from(" rests; ")).hasSize(1);
        }
    }

    @Test
    void aPauseIsToldAlthoughNothingWaitsForTheTurn() throws Exception {
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        Belay belay = bench.open(calling(List.of(call("a", "work"))), builder -> builder.time(time)
                .parkAfter(Duration.ZERO)
                .tools(StaticToolProvider.builder()
                        .raw(tool("work", ToolEffect.IDEMPOTENT), (in, context) -> {
                            begun.countDown();
                            mayEnd.await();
                            return "worked";
                        })
                        .build())
                .listener((session, event) -> heard.add(event)));
        InputHandle input = belay.session("s").turn("Go.").submit();
        begun.await();
        belay.pause(Pause.Target.EVERYTHING, "moving");
        mayEnd.countDown();
        time.awaitAlarmIn(Duration.ofSeconds(61));
        time.advance(Duration.ofSeconds(61));
        OperatorBench.until(() -> heard.stream().anyMatch(TurnEvent.Resting.class::isInstance));

        assertThat(heard).filteredOn(TurnEvent.Resting.class::isInstance).hasSize(1);
        belay.unpause(Pause.Target.EVERYTHING, "moved");
        assertThat(input.awaitCommit().text()).isEqualTo("done: worked");
    }
}
