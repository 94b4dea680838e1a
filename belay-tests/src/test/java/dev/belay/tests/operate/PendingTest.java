package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.PATIENCE;
import static dev.belay.tests.operate.OperatorBench.until;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionEntry.State;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.4, V.8 and V.9: what waits, and for what; lists in pages. */
class PendingTest {

    private static final Instant DEADLINE = Instant.parse("2999-01-01T00:00:00Z");

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

    private Belay worker() {
        return bench.worker(calling(List.of(new CallPart("c", "ask", "{\"who\":\"anna\"}"))),
                builder -> builder
                        .tools(StaticToolProvider.builder()
                                .raw(tool("ask", ToolEffect.READ), (arguments, context) -> {
                                    bench.tokens.add(context.completionKey().token());
                                    return ToolResult.pending(PendingCompletion.DEFAULT.until(DEADLINE)
                                            .announcing("asked anna"));
                                })
                                .raw(tool("listen", ToolEffect.IDEMPOTENT).resumable(true),
                                        (arguments, context) -> context.durable()
                                                .awaitEvent(context.durable().externalEventKey("bell")))
                                .build()));
    }

    /** All pages of a list. */
    private static <T> List<T> all(Function<@Nullable String, Page<T>> list) {
        List<T> all = new ArrayList<>();
        String next = null;
        do {
            Page<T> page = list.apply(next);
            all.addAll(page.items());
            next = page.next();
        } while (next != null);
        return all;
    }

    private static List<PendingWait> pending(BelayClient client) {
        return all(after -> client.pending(after, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whatWaitsIsListedAcrossSessionsProcessesAndBatchesInPages(String where) throws Exception {
        on(where);
        Belay worker = worker();
        List<InputHandle> inputs = new ArrayList<>();
        for (String name : List.of("c", "a", "b")) {
            inputs.add(worker.session(name).turn("Go.").submit());
            bench.token();
            until(() -> pending(worker).size() == inputs.size());
        }
        worker.processes().start(ProcessStart.external("elsewhere", Json.TRUE).id("p"));
        until(() -> pending(worker).size() == 4);
        worker.calls().submit("batch", List.of(new CallRequest("listen", "{}")));
        until(() -> pending(worker).size() == 5);

        BelayClient client = bench.client();
        List<PendingWait> waits = pending(client);
        assertThat(waits).extracting(wait -> wait.kind() + " " + wait.session() + " " + wait.process() + " "
                + wait.tool() + " " + wait.arguments())
                .containsExactly("COMPLETION c null ask {\"who\":\"anna\"}",
                        "COMPLETION a null ask {\"who\":\"anna\"}",
                        "COMPLETION b null ask {\"who\":\"anna\"}",
                        "COMPLETION null p null null", "EVENT null null listen {}");
        PendingWait first = waits.getFirst();
        assertThat(first.turn()).isEqualTo(1);
        assertThat(first.deadline()).isEqualTo(DEADLINE);
        assertThat(first.announcement()).isEqualTo("asked anna");
        assertThat(first.since()).isBeforeOrEqualTo(Instant.now());
        assertThat(waits.getLast().scope()).hasToString("batch");

        assertThat(client.resolve(client.reissue(waits.getLast().keyId()).token(),
                Resolution.ok(Json.string("rings")))).isEqualTo(new Delivery.Accepted());
        worker.session("b").delete();
        worker.processes().get("p").complete(Json.TRUE);
        until(() -> pending(client).size() == 2);
        assertThat(worker.calls().join("batch").orElseThrow().getFirst().text()).isEqualTo("rings");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void processThatWaitsForATurnWaitsForAnInput(String where) throws Exception {
        on(where);
        Belay worker = worker();
        worker.processes().start(ProcessStart.turn("s", "Go.").id("p"));
        String token = bench.token();
        until(() -> pending(worker).size() == 2);
        assertThat(pending(worker))
                .extracting(wait -> wait.kind() + " " + wait.session() + " " + wait.process())
                .containsExactlyInAnyOrder("COMPLETION s null", "INPUT null p");
        worker.resolve(token, Resolution.ok(Json.string("yes")));
        assertThat(worker.processes().get("p").awaitEnd().toString()).contains("yes");
        assertThat(pending(worker)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void reissuedKeyIsTheKeyThatWasHandedOut(String where) throws Exception {
        on(where);
        Belay worker = worker();
        InputHandle input = worker.session("s").turn("Go.").submit();
        String token = bench.token();
        until(() -> !pending(worker).isEmpty());
        BelayClient client = bench.client();
        String id = pending(client).getFirst().keyId();
        assertThat(client.reissue(id).token()).isEqualTo(token);
        assertThat(client.reissue(id).id()).isEqualTo(id);
        assertThat(client.audit(0, 9)).extracting(AuditEntry::note)
                .extracting(note -> note.verb() + " " + note.target())
                .containsExactly("reissue " + id, "reissue " + id);
        assertThatThrownBy(() -> client.reissue("w0")).extracting("code").isEqualTo("unknown_wait");
        assertThatThrownBy(() -> client.reissue(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.resolve("", Resolution.ok(Json.TRUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the key is empty");
        assertThat(client.resolve("b1.wrong", Resolution.ok(Json.TRUE))).isEqualTo(new Delivery.Unknown());
        client.resolve(token, Resolution.ok(Json.string("yes")));
        assertThat(input.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: yes");
        assertThatThrownBy(() -> client.reissue(id)).as("settled")
                .extracting("code")
                .isEqualTo("unknown_wait");
        assertThat(pending(client)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void sessionsAreListedByAgentStateLabelAndPrefix(String where) throws Exception {
        on(where);
        Belay worker = worker();
        worker.session("wait-1").turn("Go.").submit();
        bench.token();
        BelayClient client = bench.client();
        until(() -> states(client, SessionFilter.ALL).contains("wait-1 WAITING COMPLETION"));
        worker.close();
        for (int number = 0; number < 7; number++) {
            client.session("ready-" + number).turn("Go.").submit();
        }
        client.session("ready-3").labels(Map.of("team", "billing", "tier", "1"));
        client.session("ready-4").labels(Map.of("team", "sales"));
        client.session("ready-5").config().agent("lawyer");
        client.abandon(client.session("ready-6").id(), 1, "not wanted");
        client.session("ready-6").close();

        assertThat(states(client, SessionFilter.ALL.state(State.WAITING)))
                .containsExactly("wait-1 WAITING COMPLETION");
        assertThat(states(client, SessionFilter.ALL.prefix("ready-"))).hasSize(7)
                .contains("ready-5 READY PROCESS", "ready-6 CLOSED null");
        assertThat(states(client, SessionFilter.ALL.prefix("ready-1")))
                .containsExactly("ready-1 READY PROCESS");
        assertThat(states(client, SessionFilter.ALL.prefix("rf"))).isEmpty();
        assertThat(states(client, SessionFilter.ALL.label("team", "billing"))).singleElement()
                .asString()
                .startsWith("ready-3");
        assertThat(states(client, SessionFilter.ALL.label("team", "billing").label("tier", "2"))).isEmpty();
        assertThat(states(client, SessionFilter.ALL.agent("lawyer"))).singleElement()
                .asString()
                .startsWith("ready-5");
        assertThat(states(client, SessionFilter.ALL.agent("default").state(State.CLOSED)))
                .containsExactly("ready-6 CLOSED null");
        SessionEntry waiting = client.sessions(SessionFilter.ALL.prefix("wait"), null, 1).items().getFirst();
        assertThat(Objects.requireNonNull(waiting.waits()).until()).isEqualTo(DEADLINE);
        assertThatThrownBy(() -> client.sessions(null, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> states(BelayClient client, SessionFilter filter) {
        return all(after -> client.sessions(filter, after, 2)).stream()
                .map(entry -> entry.head().id() + " " + entry.state() + " "
                        + (entry.waits() == null ? null : entry.waits().what()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void stuckTurnsAreListedInPages(String where) throws Exception {
        on(where);
        bench.worker().close();
        BelayClient client = bench.client();
        for (int number = 0; number < 5; number++) {
            client.session("s" + number).turn("Go.").submit();
        }
        Belay worker = bench.sticking();
        until(() -> client.stuck().size() == 5);
        assertThat(all(after -> client.stuck(after, 2))).extracting(turn -> turn.session().value())
                .containsExactlyInAnyOrder("s0", "s1", "s2", "s3", "s4");
        assertThat(client.stuck(null, 2).items()).hasSize(2);
        assertThat(states(client, SessionFilter.ALL.state(State.STUCK))).hasSize(5)
                .allMatch(entry -> entry.endsWith("STUCK OPERATOR"));
        worker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void stuckProcessesAreListedInPagesOfTheirOwn(String where) throws Exception {
        on(where);
        Belay worker = worker();
        worker.calls().submit("a batch", List.of(new CallRequest("ask", "{}")));
        worker.session("s").turn("Go.").submit();
        worker.calls().submit("z batch", List.of(new CallRequest("ask", "{}")));
        for (int number = 0; number < 5; number++) {
            worker.processes().start(ProcessStart.external("elsewhere", Json.TRUE).id("p" + number));
        }
        until(() -> pending(worker).size() == 8);
        try (var store = new StoreDriver(bench.store())) {
            for (PendingWait wait : pending(worker)) {
                until(() -> store.stop(wait.scope(), "for the test", Instant.now()));
            }
        }
        assertThat(all(after -> worker.processes().stuck(after, 2)))
                .extracting(process -> process.id().value())
                .containsExactly("p0", "p1", "p2", "p3", "p4");
        assertThat(worker.processes().stuck(null, 2).items()).hasSize(2);
        assertThat(worker.processes().stuck()).hasSize(5);
        assertThat(worker.calls().stuck()).extracting(batch -> batch.id().value())
                .containsExactlyInAnyOrder("a batch", "z batch");
        assertThat(all(after -> worker.stuck(after, 1))).extracting(turn -> turn.session().value())
                .containsExactly("s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void readyTurnOfAnAgentThatIsNotDefinedHereSaysSo(String where) throws Exception {
        on(where);
        Belay worker = bench.worker();
        worker.session("s").turn("Go.").run();
        worker.session("s").config().agent("lawyer");
        worker.session("s").turn("Go.").submit();
        assertThat(states(worker, SessionFilter.ALL)).containsExactly("s READY AGENT");
    }
}
