package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one node or client does to the work of another (L.8, E.2, V.1, V.2, V.5). */
@Timeout(120)
class PostgresNodesTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");

    private final TestPostgres.Place place = TestPostgres.place();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Semaphore begun = new Semaphore(0);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger paid = new AtomicInteger();
    private final AtomicInteger moving = new AtomicInteger();
    private final Queue<Long> fences = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() throws Exception {
        mayEnd.countDown();
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
        try (var store = JdbcStore.postgres(place.source(), place.options())) {
            assertThat(store.inconsistencies(9)).as("what the test has left").isEmpty();
        }
    }

    private ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("wait", "Waits.", ANY), (in, context) -> {
                    begun.release();
                    mayEnd.await();
                    return "waited";
                })
                .raw(ToolDefinition.raw("look", "Looks.", ANY).effect(ToolEffect.READ),
                        (in, context) -> "seen")
                .raw(ToolDefinition.raw("pay", "Pays.", ANY), (in, context) -> {
                    begun.release();
                    paid.incrementAndGet();
                    return "paid";
                })
                .raw(ToolDefinition.raw("move", "Moves.", ANY).exclusive("account:1"), (in, context) -> {
                    assertThat(moving.incrementAndGet()).as("bodies that hold the account").isEqualTo(1);
                    fences.add(context.fence().value());
                    moving.decrementAndGet();
                    return "moved";
                })
                .build();
    }

    private Belay node() {
        return node(UnaryOperator.identity());
    }

    private Belay node(UnaryOperator<BelayBuilder> more) {
        Belay belay = more.apply(Belay.builder()
                .tools(tools())
                .process("listen", (context, input) -> {
                    context.emit("began", Json.NULL);
                    return context.awaitSignal("go");
                })
                .parkAfter(Duration.ZERO)
                .store(JdbcStore.postgres(place.source(), place.options()))).build();
        opened.add(belay);
        return belay;
    }

    private static List<CallRequest> one(String tool) {
        return List.of(new CallRequest(tool, "{}"));
    }

    @Test
    void aBodyIsCancelledFromAnotherNode() throws Exception {
        Belay runs = node();
        Belay other = node();
        runs.calls().submit("batch", one("wait"));
        begun.acquire();

        assertThat(other.calls().cancel("batch", "enough")).isEqualTo(new CancelReceipt.Requested());
        assertThat(runs.calls().join("batch").orElseThrow().getFirst().code()).contains("tool_cancelled");
    }

    @Test
    void aSignalOfAClientReachesAProcessOfANodeAndItsEventsAreReadAnywhere() throws Exception {
        Belay runs = node();
        Belay other = node();
        var process = runs.processes().start(ProcessStart.body("listen", Json.NULL).id("p"));
        try (var client = Belay.client(JdbcStore.existing(place.source(), place.options()))) {
            TestPostgres.until("it to wait", () -> client.processes()
                    .get("p")
                    .status() == ProcessStatus.WAITING);
            client.processes().get("p").signal("go", Json.string("now"));
            assertThat(process.awaitEnd().summary()).contains("now");
            assertThat(other.processes().get("p").events(0, 9)).extracting("type").contains("began");
            assertThat(client.processes().get("p").events(0, 9)).extracting("type").contains("began");
        }
    }

    @Test
    void aPauseOfAClientHoldsOnEveryNodeUntilAnotherNodeEndsIt() throws Exception {
        Belay one = node();
        Belay two = node();
        try (var client = Belay.client(JdbcStore.existing(place.source(), place.options()))) {
            assertThat(client.pause(Target.tool("pay"), "no money")).isEqualTo(VerbResult.DONE);
            assertThat(client.pause(Target.tool("move"), "seen")).isEqualTo(VerbResult.DONE);
        }
        awaitPauses(one);
        awaitPauses(two);
        one.calls().submit("first", one("pay"));
        two.calls().submit("second", one("pay"));
        assertThat(one.calls().run("free", one("look")).outcomes()).extracting(ToolOutcome::text)
                .containsExactly("seen");
        for (String batch : List.of("first", "second")) {
            TestPostgres.until("it to wait for the pause", () -> one.calls()
                    .state(batch)
                    .orElseThrow()
                    .status() == ScopeState.Status.PARKED);
        }
        assertThat(paid).hasValue(0);
        assertThat(two.unpause(Target.tool("pay"), "money")).isEqualTo(VerbResult.DONE);

        assertThat(one.calls().join("first").orElseThrow()).extracting(ToolOutcome::text)
                .containsExactly("paid");
        assertThat(two.calls().join("second").orElseThrow()).extracting(ToolOutcome::text)
                .containsExactly("paid");
    }

    /** A node sees the pauses of others at its next look: a call of another tool, which was paused after, then waits there. */
    private static void awaitPauses(Belay node) throws Exception {
        TestPostgres.until("a node to see the pauses", () -> {
            String name = "probe-" + UUID.randomUUID();
            node.calls().submit(name, one("move"));
            var status = new AtomicReference<ScopeState.Status>();
            TestPostgres.until("the call to end or to wait", () -> {
                status.set(node.calls().state(name).orElseThrow().status());
                return status.get() == ScopeState.Status.PARKED || status.get() == ScopeState.Status.ENDED;
            });
            return status.get() == ScopeState.Status.PARKED;
        });
    }

    @Test
    void bodiesOfTwoNodesDoNotHoldAResourceAtOnceAndTheirFencesGrow() throws Exception {
        List<Belay> nodes = List.of(node(), node());
        for (int i = 0; i < 20; i++) {
            nodes.get(i % 2).calls().submit("batch-" + i, one("move"));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(nodes.get(i % 2).calls().join("batch-" + i).orElseThrow())
                    .extracting(ToolOutcome::text)
                    .containsExactly("moved");
        }
        assertThat(List.copyOf(fences)).hasSize(20).isSorted().doesNotHaveDuplicates();
    }

    /** What has begun ends there, what has not goes on at the other node, and no call is in doubt. */
    @Test
    void aNodeThatIsDrainedUnderLoadLeavesItsWorkToTheOther() throws Exception {
        Belay leaves = node();
        Belay stays = node();
        List<String> names = IntStream.range(0, 40).mapToObj(n -> "batch-" + n).toList();
        var three = List.of(new CallRequest("pay", "{\"n\":1}"), new CallRequest("look", "{}"),
                new CallRequest("pay", "{\"n\":2}"));
        names.forEach(name -> leaves.calls().submit(name, three));
        begun.acquire();
        leaves.close();

        for (String name : names) {
            assertThat(stays.calls().join(name).orElseThrow()).as(name)
                    .extracting(ToolOutcome::text)
                    .containsExactly("paid", "seen", "paid");
        }
        assertThat(paid).hasValue(80);
        assertThat(stays.doubts().open(0, 9)).isEmpty();
    }

    /** The wall clock of one node shows another year; leases go by the clock of the database. */
    @Test
    void aClockThatJumpsOnOneNodeTakesNoScopeOfAnother() throws Exception {
        Belay runs = node();
        var time = new FakeTime();
        Belay jumps = node(builder -> builder.time(time));
        runs.calls().submit("batch", one("wait"));
        begun.acquire();
        var fence = runs.calls().state("batch").orElseThrow().fence();
        for (int i = 0; i < 20; i++) {
            time.jump(Duration.ofDays(i % 2 == 0 ? 400 : -800));
            time.advance(Duration.ofSeconds(1)); // it looks for work
            assertThat(jumps.calls().run("own-" + i, one("pay")).outcomes()).extracting(ToolOutcome::text)
                    .containsExactly("paid");
        }
        assertThat(runs.calls().state("batch").orElseThrow().fence()).isEqualTo(fence);
        mayEnd.countDown();
        assertThat(jumps.calls().join("batch").orElseThrow()).extracting(ToolOutcome::text)
                .containsExactly("waited");
        assertThat(runs.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void whatIsRecordedIsReadOnAnyNodeAndChunksAreAGapElsewhere() throws Exception {
        Belay runs = node(
                builder -> builder.model(new ScriptedModel().call("look", "{}").reply("It is so.")));
        Belay other = node(builder -> builder.model(new ScriptedModel()));
        EventCursor begin = runs.session("s").events().cursor();
        runs.session("s").turn("How is it?").run();

        var here = runs.session("s").events(begin);
        assertThat(here.next(Duration.ZERO).orElseThrow()).isNotInstanceOf(TurnEvent.Gap.class);
        var there = other.session("s").events(EventCursor.parse(begin.toString()));
        assertThat(there.next(Duration.ZERO)).contains(new TurnEvent.Gap(-1));
        assertThat(there.next(Duration.ZERO)).isEmpty();
        assertThat(other.session("s").messages()).isEqualTo(runs.session("s").messages()).hasSize(4);
        assertThat(other.session("s").calls(1)).extracting("tool").containsExactly("look");
        assertThat(other.session("s").turns(1, 9)).isEqualTo(runs.session("s").turns(1, 9)).hasSize(1);
    }
}
