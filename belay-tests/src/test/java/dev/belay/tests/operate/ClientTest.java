package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.PATIENCE;
import static dev.belay.tests.operate.OperatorBench.until;
import static dev.belay.tests.session.SessionBench.asking;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.1, V.6 and V.7: a client beside a runtime, and what its verbs do. */
class ClientTest {

    private static final Actor ANNA = new Actor("anna", "command");
    private static final SessionId S = new SessionId("s");

    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of("."));

    private void on(String where) {
        bench = new OperatorBench(where, folder);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** A runtime whose model asks a person once. */
    private Belay asker() {
        return bench.worker(calling(List.of(call("c", "ask"))),
                builder -> builder.tools(asking(bench.tokens, ToolEffect.IDEMPOTENT)));
    }

    private List<String> audit(BelayClient client) {
        return client.audit(0, 99)
                .stream()
                .map(AuditEntry::note)
                .map(note -> note.by().name() + " " + note.verb() + " " + note.target())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void inputOfAClientIsAnsweredByAWorkerAndAwaitedByTheClient(String where) throws Exception {
        on(where);
        bench.worker();
        try (BelayClient client = bench.client()) {
            InputHandle given = client.session("s").turn("Hello.").submit();
            assertThat(given.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done");
            assertThat(client.session("s").messages()).hasSize(2);
            assertThat(client.session("s").turn("Again.").run().ended().text()).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void clientTakesNothingOverAndItsSubmitOnlyMakesTheTurnReady(String where) throws Exception {
        on(where);
        bench.worker().close();
        BelayClient client = bench.client();
        InputHandle given = client.session("s").turn("Hello.").submit();
        assertThat(client.waitingFor()).containsOnlyKeys("default");
        assertThat(given.turn()).contains(1L);
        assertThat(given.result()).isEmpty();
        assertThatThrownBy(() -> client.session("t").begin("Go.")).extracting("code")
                .isEqualTo("runtime_not_started");
        bench.worker();
        assertThat(given.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void clientResolvesAParkedCall(String where) throws Exception {
        on(where);
        Belay worker = asker();
        InputHandle given = worker.session("s").turn("Go.").submit();
        String token = bench.token();
        try (BelayClient client = bench.client()) {
            assertThat(client.resolve(token, Resolution.ok(Json.string("yes"))))
                    .isEqualTo(new Delivery.Accepted());
            assertThat(client.resolve(token, Resolution.ok(Json.string("yes"))))
                    .isEqualTo(new Delivery.Same());
        }
        assertThat(given.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: yes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void parkedTurnIsAbandonedWithANoteAndAgainIsAlready(String where) throws Exception {
        on(where);
        Belay worker = asker();
        worker.session("s").turn("Go.").id("in").submit();
        bench.token();
        until(() -> worker.session("s").waits().stream().anyMatch(wait -> wait.resolution() == null));
        try (BelayClient client = bench.client()) {
            BelayClient anna = client.as(ANNA);
            until(() -> !(anna.abandon(S, 1, "no answer") instanceof VerbResult.NotPossible));
            assertThat(anna.abandon(S, 1, "no answer")).isEqualTo(VerbResult.ALREADY);
            TurnResult.Ended ended = client.session("s").input("in").orElseThrow().awaitCommit();
            assertThat(((TurnResult.Stopped) ended).cause()).isEqualTo(TurnEnd.Cause.ABANDONED);
            assertThat(audit(client)).containsExactly("anna abandon s/1");
            AuditEntry entry = client.audit(0, 1).getFirst();
            assertThat(entry.note().details()).isEqualTo(Json.of("{\"reason\":\"no answer\"}"));
            assertThat(client.audit(entry.place(), 9)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void readyTurnIsAbandonedARunningOneIsNot(String where) throws Exception {
        on(where);
        bench.worker().close();
        BelayClient client = bench.client();
        client.session("s").turn("Hello.").submit();
        assertThat(client.abandon(S, 1, "not wanted")).isEqualTo(VerbResult.DONE);
        var entered = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        bench.worker(model(request -> {
            entered.countDown();
            await(go);
            return text("done");
        }), builder -> builder);
        InputHandle second = client.session("s").turn("Again.").submit();
        entered.await();
        assertThat(client.abandon(S, 2, "not wanted")).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(client.abandon(S, 3, "not there")).isInstanceOf(VerbResult.NotPossible.class);
        go.countDown();
        assertThat(second.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done");
        assertThat(audit(client)).containsExactly("program abandon s/1");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void stuckTurnIsRetriedByAClient(String where) throws Exception {
        on(where);
        bench.worker().close();
        BelayClient client = bench.client();
        client.session("s").turn("Hello.").id("in").submit();
        Belay worker = bench.sticking();
        until(() -> !client.stuck().isEmpty());
        worker.close();
        assertThat(client.retry(client.stuck().getFirst())).isEqualTo(VerbResult.DONE);
        assertThat(client.stuck()).isEmpty();
        bench.worker(model(request -> text("mended")), builder -> builder);
        assertThat(client.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("mended");
        assertThat(audit(client)).containsExactly("program retry s/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void stuckBatchesOfAnyAgentAreListedRetriedAndAbandonedByAClient(String where) throws Exception {
        on(where);
        Belay worker = bench.worker(model(request -> text("done")),
                builder -> builder.tools(asking(bench.tokens, ToolEffect.IDEMPOTENT))
                        .agent("lawyer", a -> a.model(model(request -> text("law")))
                                .tools(asking(bench.tokens, ToolEffect.IDEMPOTENT))));
        List<CallRequest> calls = List.of(new CallRequest("ask", "{}"));
        BelayClient client = bench.client();
        client.calls().submit("a", calls); // of the agent default, and run by the worker
        worker.agent("lawyer").calls().submit("b", calls);
        worker.agent("lawyer").calls().submit("c", calls);
        until(() -> client.pending(null, 9).items().size() == 3);
        try (var store = new StoreDriver(bench.store())) {
            for (String name : List.of("a", "b", "c")) {
                until(() -> store.stop(new ScopeId(name), "for the test", Instant.now()));
            }
        }
        assertThat(client.stuckCalls(null, 2).items()).extracting(batch -> batch.id().value())
                .containsExactly("a", "b");
        assertThat(client.stuckCalls(client.stuckCalls(null, 2).next(), 2).items())
                .extracting(batch -> batch.id().value())
                .containsExactly("c");
        DurableCalls anna = client.as(ANNA).calls();
        assertThat(anna.abandon("a", "not wanted")).isEqualTo(VerbResult.DONE);
        assertThat(anna.abandon("a", "not wanted")).isEqualTo(VerbResult.ALREADY);
        assertThat(anna.abandon("b", "not wanted")).isEqualTo(VerbResult.DONE);
        assertThat(anna.retry("c")).isEqualTo(VerbResult.DONE);
        assertThat(anna.retry("c")).isEqualTo(VerbResult.ALREADY);
        assertThat(anna.retry("b")).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(client.calls().stuck()).isEmpty();
        for (PendingWait wait : client.pending(null, 9).items()) {
            client.resolve(client.reissue(wait.keyId()).token(), Resolution.ok(Json.string("yes")));
        }
        assertThat(worker.agent("lawyer").calls().join("c").orElseThrow().getFirst().text()).isEqualTo("yes");
        assertThat(client.calls().join("a").orElseThrow().getFirst().text()).contains("not wanted");
        assertThat(audit(client)).contains("anna abandon batch a", "anna abandon batch b",
                "anna retry batch c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void verbsOfASessionSayWhatTheyDidAndAreNoted(String where) throws Exception {
        on(where);
        bench.worker().session("s").turn("Hello.").run();
        BelayClient client = bench.client();
        Session session = client.as(ANNA).session("s");
        assertThat(session.close()).isEqualTo(VerbResult.DONE);
        assertThat(session.close()).isEqualTo(VerbResult.ALREADY);
        assertThat(session.open()).isEqualTo(VerbResult.DONE);
        assertThat(session.config().agent("lawyer")).isEqualTo(VerbResult.DONE);
        assertThat(session.config().agent("lawyer")).isEqualTo(VerbResult.ALREADY);
        assertThat(session.cancel("no turn")).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(session.withdraw("unknown")).isInstanceOf(VerbResult.NotPossible.class);
        var lines = new StringBuilder();
        session.export(lines);
        assertThat(session.fork("fork").messages()).hasSize(2);
        assertThat(client.importSession(new StringReader(lines.toString()), "copy").messages()).hasSize(2);
        assertThat(session.delete()).isEqualTo(VerbResult.DONE);
        assertThat(session.delete()).isEqualTo(VerbResult.ALREADY);
        assertThat(session.close()).isInstanceOf(VerbResult.NotPossible.class);
        assertThat(audit(client)).containsExactly("anna close s", "anna open s", "anna give to lawyer s",
                "anna fork fork", "program import copy", "anna delete s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aRowOfTheAuditLogNamesTheUserOfTheOperatingSystemBesideTheActor(String where) throws Exception {
        on(where);
        bench.worker().session("s").turn("Hello.").run();
        BelayClient client = bench.client();
        client.as(ANNA).session("s").close();
        assertThat(client.audit(0, 9)).singleElement()
                .satisfies(row -> assertThat(row.note().user()).isEqualTo(System.getProperty("user.name")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void inputIsWithdrawnUnlessATurnRunsElsewhere(String where) throws Exception {
        on(where);
        var entered = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        Belay worker = bench.worker(model(request -> {
            entered.countDown();
            await(go);
            return text("done");
        }), builder -> builder);
        InputHandle first = worker.session("s").turn("Hello.").submit();
        entered.await();
        BelayClient client = bench.client();
        client.session("s").turn("Second.").id("second").submit();
        assertThat(worker.session("s").withdraw("second")).as("no model has seen it")
                .isEqualTo(VerbResult.DONE);
        assertThat(client.session("s").cancel("enough")).isEqualTo(VerbResult.DONE);
        assertThat(client.session("s").cancel("enough")).isEqualTo(VerbResult.ALREADY);
        go.countDown();
        assertThat(first.await(PATIENCE)).isPresent();
        assertThat(client.session("s").input("second")).isEmpty();
        assertThat(audit(client)).containsExactly("program withdraw s/second", "program cancel s/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void clientPausesWhatAWorkerWouldBeginAndLetsItGoOn(String where) throws Exception {
        on(where);
        bench.worker().session("s").turn("Hello.").run();
        Instant before = Instant.now();
        BelayClient anna = bench.client().as(ANNA);
        assertThat(anna.pause(Target.session("s"), "look first")).isEqualTo(VerbResult.DONE);
        assertThat(anna.pause(Target.session("s"), "look first")).isEqualTo(VerbResult.ALREADY);
        InputHandle input = anna.session("s").turn("Again.").submit();
        // a turn of another session that comes later is answered: the worker has looked
        assertThat(anna.session("other").turn("Hello.").run().ended().text()).isEqualTo("done");
        assertThat(input.result()).isEmpty();
        assertThat(anna.unpause(Target.session("s"), "looked")).isEqualTo(VerbResult.DONE);
        assertThat(input.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done");
        assertThat(audit(anna)).containsExactly("anna pause session/s", "anna unpause session/s");
        assertThat(anna.audit(0, 9)).allSatisfy(entry -> {
            assertThat(entry.note().by().door()).isEqualTo("command");
            assertThat(entry.at()).isBetween(before.minusMillis(1), Instant.now());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void clientThatDiesInAnyWriteOfAnAbandonLeavesATurnThatAnotherAbandons(String where) throws Exception {
        on(where);
        bench.worker().close();
        BelayClient client = bench.client();
        for (String write : List.of("stop ", "cancel ", "abandon ")) {
            for (JournalProbe.Moment moment : JournalProbe.Moment.values()) {
                String name = write.trim() + "-" + moment;
                client.session(name).turn("Hello.").id("in").submit();
                BelayClient dying = bench.client((at, what) -> {
                    if (at == moment && what.startsWith(write)) {
                        throw new StackOverflowError("the client dies at " + at + " " + what);
                    }
                });
                assertThatThrownBy(() -> dying.abandon(new SessionId(name), 1, "not wanted"))
                        .as(name)
                        .isInstanceOf(StackOverflowError.class);
                boolean done = write.equals("abandon ") && moment == JournalProbe.Moment.AFTER;
                assertThat(client.abandon(new SessionId(name), 1, "not wanted")).as(name)
                        .isEqualTo(done ? VerbResult.ALREADY : VerbResult.DONE);
                TurnResult.Ended ended = client.session(name).input("in").orElseThrow().awaitCommit();
                assertThat(((TurnResult.Stopped) ended).cause()).isEqualTo(TurnEnd.Cause.ABANDONED);
                assertThat(client.stuck()).isEmpty();
                assertThat(audit(client)).filteredOn(entry -> entry.endsWith(name + "/1"))
                        .as("noted once")
                        .hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void acceptedAnswerIsTheOutcomeOfACallWhoseTurnIsAbandoned(String where) throws Exception {
        on(where);
        Belay worker = bench.worker(calling(List.of(call("c", "ask"), call("d", "ask"))),
                builder -> builder.tools(asking(bench.tokens, ToolEffect.IDEMPOTENT)));
        worker.session("s").turn("Go.").submit();
        String token = bench.token();
        String other = bench.token();
        BelayClient client = bench.client();
        assertThat(client.resolve(token, Resolution.ok(Json.string("yes"))))
                .isEqualTo(new Delivery.Accepted());
        until(() -> client.pending(null, 9).items().size() == 1
                && !(client.abandon(S, 1, "no second answer") instanceof VerbResult.NotPossible));
        assertThat(client.session("s").calls(1))
                .extracting(made -> made.outcome().map(ToolOutcome::text).orElse(""))
                .contains("yes")
                .anyMatch(text -> text.contains("in_doubt"));
        assertThat(client.resolve(other, Resolution.ok(Json.string("too late"))))
                .isInstanceOf(Delivery.Lost.class);
    }
}
