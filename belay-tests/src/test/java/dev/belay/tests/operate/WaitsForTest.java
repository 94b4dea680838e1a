package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.PATIENCE;
import static dev.belay.tests.operate.OperatorBench.until;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionEntry.State;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.operate.WaitsFor.For;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.9: a list says what something waits for that has no wait of its own, since when and until when. */
class WaitsForTest {

    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of("."));
    private final FakeTime time = new FakeTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);

    @AfterEach
    void close() {
        goOn.release(99);
        bench.close();
    }

    private void on(String where) {
        bench = new OperatorBench(where, folder);
    }

    private static SessionEntry entry(BelayClient client, String session) {
        return client.sessions(SessionFilter.ALL.prefix(session), null, 1).items().getFirst();
    }

    private static @Nullable For what(BelayClient client, String session) {
        WaitsFor waits = entry(client, session).waits();
        return waits == null ? null : waits.what();
    }

    private static WaitsFor waits(BelayClient client, String session) {
        return Objects.requireNonNull(entry(client, session).waits());
    }

    /** Does not answer so often, then does. */
    private Model failing(int times) {
        return model(request -> {
            if (asked.incrementAndGet() <= times) {
                throw new ModelException(Kind.UNAVAILABLE, "overloaded");
            }
            return text("whole");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void outageSaysModelSinceTheFirstFailureUntilTheNextQuestion(String where) throws Exception {
        on(where);
        Belay worker = bench.worker(failing(2), builder -> builder.time(time));
        InputHandle input = worker.session("s").turn("Hello.").submit();
        BelayClient client = bench.client();
        until(() -> what(client, "s") == For.MODEL && entry(client, "s").state() == State.WAITING);
        WaitsFor first = waits(client, "s");
        assertThat(first.since()).isEqualTo(FakeTime.START);
        assertThat(first.detail()).isEqualTo("round 1");
        Instant due = Objects.requireNonNull(first.until());
        assertThat(due).isAfter(FakeTime.START);

        time.advance(Duration.between(FakeTime.START, due));
        until(() -> asked.get() == 2 && what(client, "s") == For.MODEL
                && entry(client, "s").state() == State.WAITING);
        WaitsFor second = waits(client, "s");
        assertThat(second.since()).as("the outage, not the last try").isEqualTo(FakeTime.START);
        assertThat(second.until()).isAfter(due);

        assertThat(time.during(input::awaitCommit).text()).isEqualTo("whole");
        assertThat(what(client, "s")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void outageOfATurnWhoseLoopAProgramOwnsSaysModelToo(String where) {
        on(where);
        Belay worker = bench.worker(failing(9), builder -> builder.time(time));
        OpenTurn turn = worker.session("s").begin("Hello.", "in");
        assertThatThrownBy(() -> turn.step().answer()).extracting("code").isEqualTo("model_unavailable");
        turn.close();
        until(() -> what(worker, "s") == For.MODEL);
        assertThat(waits(worker, "s").detail()).isEqualTo("round 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnThatAsksItsModelSaysModelUntilTheAnswer(String where) throws Exception {
        on(where);
        Model calls = calling(List.of(call("p", "pay")));
        Belay worker = bench.worker(model(request -> {
            begun.release();
            goOn.acquireUninterruptibly();
            return calls.complete(request, event -> {});
        }), builder -> till(builder).time(time));
        InputHandle input = worker.session("s").turn("Hello.").submit();
        BelayClient client = bench.client();
        begun.acquire();
        assertThat(what(client, "s")).as("a quick answer costs no write").isEqualTo(For.WORK);
        until(() -> {
            time.advance(Duration.ofSeconds(1));
            return what(client, "s") == For.MODEL;
        });
        WaitsFor asked = waits(client, "s");
        assertThat(entry(client, "s").state()).isEqualTo(State.RUNNING);
        assertThat(asked.since()).isEqualTo(FakeTime.START);
        assertThat(asked.until()).isNull();
        assertThat(asked.detail()).isEqualTo("round 1");

        goOn.release();
        begun.acquire();
        until(() -> what(client, "s") == For.WORK);
        goOn.release(2);
        assertThat(time.during(input::awaitCommit).text()).isEqualTo("done: paid");
        assertThat(what(client, "s")).isNull();
    }

    /** A sleep after an outage: what the outage left says nothing about it. */
    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void sleepAfterAnOutageSaysTime(String where) throws Exception {
        on(where);
        Model calls = calling(List.of(call("n", "nap")));
        Belay worker = bench.worker(model(request -> {
            if (asked.incrementAndGet() == 1) {
                throw new ModelException(Kind.UNAVAILABLE, "overloaded");
            }
            return calls.complete(request, event -> {});
        }), builder -> builder.time(time)
                .tools(StaticToolProvider.builder()
                        .raw(tool("nap", ToolEffect.READ).resumable(true), (arguments, context) -> {
                            context.durable().sleep("nap", Duration.ofDays(1));
                            return "slept";
                        })
                        .build()));
        InputHandle input = worker.session("s").turn("Hello.").submit();
        until(() -> what(worker, "s") == For.MODEL && entry(worker, "s").state() == State.WAITING);
        Instant due = Objects.requireNonNull(waits(worker, "s").until());
        time.advance(Duration.between(time.now(), due)); // no further: the nap may begin while time still passes
        until(() -> what(worker, "s") == For.TIME);
        assertThat(waits(worker, "s").until()).isEqualTo(due.plus(Duration.ofDays(1)));
        time.advance(Duration.ofDays(2));
        assertThat(input.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: slept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void readyTurnOfAPausedSessionSaysPauseThoughNoProgramHasLooked(String where) throws Exception {
        on(where);
        Belay waiting = bench.worker(calling(), builder -> builder.start(false));
        waiting.session("s").turn("First.").submit();
        waiting.session("s").turn("Second.").queue().submit();
        waiting.pause(Target.session("s"), "audit");
        waiting.abandon(new SessionId("s"), 1, "not wanted");
        assertThat(entry(waiting, "s").state()).as("the next turn, which the commit has begun")
                .isEqualTo(State.READY);
        assertThat(waits(waiting, "s").what()).isEqualTo(For.PAUSE);
        assertThat(waits(waiting, "s").detail()).isEqualTo("session s");
        waiting.unpause(Target.session("s"), "over");
        assertThat(waits(waiting, "s").what()).isEqualTo(For.PROCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnThatAPausedToolHoldsSaysPause(String where) throws Exception {
        on(where);
        Belay worker = payer();
        worker.pause(Target.tool("pay"), "fraud");
        InputHandle input = worker.session("s").turn("Go.").submit();
        until(() -> what(worker, "s") == For.PAUSE);
        assertThat(entry(worker, "s").state()).isEqualTo(State.WAITING);
        goOn.release();
        worker.unpause(Target.tool("pay"), "over");
        assertThat(input.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: paid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void processSaysThatItWaitsForAnAgentOrAPause(String where) throws Exception {
        on(where);
        Belay worker = bench.worker();
        worker.processes().start(ProcessStart.tool("pay", Json.EMPTY_OBJECT).agent("lawyer").id("p"));
        BelayClient client = bench.client();
        assertThat(process(worker)).isEqualTo(For.AGENT);
        assertThat(process(client)).as("may be defined elsewhere").isEqualTo(For.PROCESS);
        client.pause(Target.agent("lawyer"), "holiday");
        assertThat(process(worker)).isEqualTo(For.PAUSE);
        assertThat(process(client)).isEqualTo(For.PAUSE);
    }

    private static For process(BelayClient client) {
        WaitsFor listed = Objects.requireNonNull(client.processes().list(0, 9).getFirst().waits());
        assertThat(client.processes().get("p").info().waits()).isEqualTo(listed);
        return listed.what();
    }

    private BelayBuilder till(BelayBuilder builder) {
        return builder.tools(StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE).exclusive("till"), (arguments, context) -> {
                    begun.release();
                    goOn.acquire();
                    return "paid";
                })
                .build());
    }

    private Belay payer() {
        return bench.worker(calling(List.of(call("p", "pay"))), this::till);
    }

    private static void assertWaitsForTheTill(BelayClient client, String session) {
        until(() -> what(client, session) == For.RESOURCE);
        WaitsFor waits = waits(client, session);
        assertThat(waits.detail()).isEqualTo("till");
        assertThat(waits.until()).isNull();
        assertThat(waits.since()).isBeforeOrEqualTo(Instant.now());
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void callThatWaitsForAResourceSaysWhichUntilItHasIt(String where) throws Exception {
        on(where);
        Belay worker = payer();
        worker.session("a").turn("Go.").submit();
        begun.acquire();
        InputHandle input = worker.session("b").turn("Go.").submit();
        BelayClient client = bench.client();
        assertWaitsForTheTill(client, "b");
        assertThat(what(client, "a")).isEqualTo(For.WORK);

        goOn.release();
        begun.acquire();
        until(() -> what(client, "b") == For.WORK);
        goOn.release();
        assertThat(input.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: paid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void resourceThatAnotherProcessHoldsIsNamedToo(String where) throws Exception {
        on(where);
        payer().session("a").turn("Go.").submit();
        begun.acquire();
        Belay other = bench.worker(calling(), this::till);
        other.calls().submit("batch", List.of(new CallRequest("pay", "{}")));
        var process = other.processes().start(ProcessStart.tool("pay", Json.EMPTY_OBJECT).id("p"));
        BelayClient client = bench.client();
        until(() -> client.processes()
                .list(0, 9)
                .stream()
                .anyMatch(info -> info.waits() != null && info.waits().what() == For.RESOURCE));
        goOn.release(3);
        assertThat(process.awaitEnd().toString()).contains("paid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void callThatIsCancelledWhileItWaitsForAResourceDoesNotSaySoAnyMore(String where) throws Exception {
        on(where);
        Belay worker = payer();
        worker.session("a").turn("Go.").submit();
        begun.acquire();
        InputHandle input = worker.session("b").turn("Go.").submit();
        assertWaitsForTheTill(worker, "b");
        worker.session("b").cancel("not wanted");
        assertThat(input.await(PATIENCE)).isPresent();
        assertThat(what(worker, "b")).isNull();
    }
}
