package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits for a turn or a process may say for how long; what he waits for goes on. */
@Timeout(60)
class AwaitForAWhileTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofDays(400_000);

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        goOn.countDown();
        bench.close();
    }

    private Model slow() {
        return model(request -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return text("done");
        });
    }

    private static FutureTask<Optional<TurnResult>> beside(InputHandle turn, Duration most) {
        var waiting = new FutureTask<>(() -> turn.await(most));
        Thread.ofVirtual().start(waiting);
        return waiting;
    }

    @Test
    void aTurnIsWaitedForNoLongerThanAsked() throws Exception {
        Belay belay = bench.open(slow(), builder -> builder.time(time));
        InputHandle turn = belay.session("s").turn("Go.").submit();
        assertThat(turn.await(Duration.ZERO)).isEmpty();
        assertThat(turn.await(Duration.ofSeconds(-1))).isEmpty();

        var waiting = beside(turn, MINUTE);
        time.awaitAlarmIn(MINUTE);
        time.advance(MINUTE);
        assertThat(waiting.get()).isEmpty();

        goOn.countDown();
        assertThat(turn.await(LONG).orElseThrow().ended().text()).isEqualTo("done");
        assertThat(turn.await(Duration.ZERO)).as("what has ended is there at once").isPresent();
        assertThat(turn.awaitCommit().text()).isEqualTo("done");
    }

    @Test
    void anInputThatWaitsForItsTurnIsWaitedForNoLongerEither() throws Exception {
        Belay belay = bench.open(slow(), builder -> builder.time(time));
        Session session = belay.session("s");
        session.turn("First.").submit();
        InputHandle second = session.turn("Second.").submit();

        var waiting = beside(second, MINUTE);
        time.awaitAlarmIn(MINUTE);
        time.advance(MINUTE);
        assertThat(waiting.get()).isEmpty();

        goOn.countDown();
        assertThat(second.await(LONG)).isPresent();
    }

    @Test
    void aProcessIsWaitedForNoLongerThanAsked() throws Exception {
        Belay belay = bench.open(slow(), builder -> builder.time(time));
        DurableProcess process = belay.processes().start(ProcessStart.external("print", Json.NULL).id("p"));
        assertThat(process.await(Duration.ZERO)).isEmpty();
        process.complete(Json.TRUE);
        assertThat(process.await(LONG)).contains(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void aResumableBodyParksForAsLongAsItWaits() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("watch", ToolEffect.READ).resumable(true), (in, context) -> {
                    var processes = ((SessionToolContext) context).processes();
                    DurableProcess printing = processes.start("x", ProcessStart.external("print", Json.NULL));
                    return printing.await(MINUTE).isPresent() + " " + printing.awaitEnd().summary();
                })
                .build();
        Model watching = model(request -> request.messages()
                .stream()
                .filter(ToolMessage.class::isInstance)
                .findFirst()
                .map(told -> text(told.toString()))
                .orElseGet(() -> calls(List.of(call("a", "watch")))));
        Belay belay = bench.open(watching,
                builder -> builder.tools(tools).time(time).parkAfter(Duration.ZERO));
        InputHandle turn = belay.session("s").turn("Watch.").submit();
        while (bench.writes().stream().noneMatch(write -> write.startsWith("park turn/"))) {
            Thread.onSpinWait();
        }
        time.advance(MINUTE);
        while (belay.processes().list(0, 1).isEmpty() || bench.writes()
                .stream()
                .filter(write -> write.startsWith("park turn/"))
                .count() < 2) {
            Thread.onSpinWait();
        }
        belay.processes()
                .get(belay.processes().list(0, 1).getFirst().id().value())
                .complete(Json.string("printed"));
        assertThat(turn.awaitCommit().text()).contains("false ").contains("printed");
    }
}
