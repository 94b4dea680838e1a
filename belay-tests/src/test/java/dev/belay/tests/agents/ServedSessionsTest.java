package dev.belay.tests.agents;

import static dev.belay.tests.session.SessionBench.asking;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Incarnation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract U.3: a runtime may be limited to named sessions and their children. */
class ServedSessionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<BelayClient> opened = new ArrayList<>();
    private final SharedMemory memory = new SharedMemory();
    private final Queue<String> tokens = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        opened.forEach(BelayClient::close);
    }

    private Store store(String where) {
        return where.equals("memory") ? memory.open() : JdbcStore.sqlite(folder.resolve("belay.db"));
    }

    private Belay open(String where, UnaryOperator<BelayBuilder> with) {
        return with(with.apply(Belay.builder().parkAfter(Duration.ZERO).store(store(where))).build());
    }

    private <T extends BelayClient> T with(T one) {
        opened.add(one);
        return one;
    }

    private static Model telling(String name) {
        return model(request -> text(name));
    }

    private static String end(InputHandle input) throws InterruptedException {
        return input.await(PATIENCE).orElseThrow().ended().text();
    }

    private void awaitParked(BelayClient client) {
        while (client.pending(null, 1).items().isEmpty()) {
            LockSupport.parkNanos(200_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void limitedRuntimeAcceptsForOtherSessionsAndAnswersOnlyItsOwn(String where) throws Exception {
        Belay limited = open(where, builder -> builder.model(telling("limited")).sessions("mine"));
        InputHandle other = limited.session("other").turn("1").submit();
        assertThat(end(limited.session("mine").turn("1").submit())).isEqualTo("limited");
        assertThat(end(limited.session("mine").turn("2").submit())).isEqualTo("limited");
        assertThat(other.turn()).as("begun, and not taken").contains(1L);
        assertThat(limited.waitingFor()).containsOnlyKeys("default");
        assertThat(limited.health().sessions()).containsExactly("mine");
        assertThat(limited.health().late()).isZero();
        assertThat(limited.calls().run("b", List.of(new CallRequest("none", "{}"))).outcomes()).hasSize(1);

        Belay all = open(where, builder -> builder.model(telling("all")));
        assertThat(end(all.session("other").input(other.inputId()).orElseThrow())).isEqualTo("all");
        assertThat(limited.waitingFor()).isEmpty();
        assertThat(all.health().sessions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void turnOfAnotherSessionThatALimitedRuntimeWakesIsNotTakenByIt(String where) throws Exception {
        UnaryOperator<BelayBuilder> asks = builder -> builder.model(calling(List.of(call("a", "ask"))))
                .tools(asking(tokens, ToolEffect.READ));
        Belay all = open(where, asks);
        InputHandle other = all.session("other").turn("1").submit();
        awaitParked(all);
        all.close();
        Belay limited = open(where, builder -> builder.model(telling("limited")).sessions("mine"));
        limited.resolve(tokens.element(), Resolution.ok(Json.string("yes")));
        assertThat(end(limited.session("mine").turn("1").submit())).isEqualTo("limited");
        assertThat(limited.waitingFor()).containsOnlyKeys("default");
        Belay again = open(where, asks);
        assertThat(end(again.session("other").input(other.inputId()).orElseThrow())).isEqualTo("done: yes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void limitedRuntimeTakesTurnsOfItsSessionsAndOfChildrenThatAreReady(String where) throws Exception {
        Model boss = model(request -> {
            boolean child = request.messages()
                    .stream()
                    .anyMatch(
                            message -> message instanceof UserMessage user
                                    && user.text().equals("the child"));
            return roundsSinceUser(request) > 0
                    ? text(lastReplies(request))
                    : calls(List.of(call("a", child ? "ask" : "delegate")));
        });
        var delegate = StaticToolProvider.builder()
                .raw(SessionBench.tool("delegate", ToolEffect.IDEMPOTENT),
                        (in, context) -> ((SessionToolContext) context).sessions()
                                .create("c")
                                .turn("t", "the child")
                                .await()
                                .text())
                .build();
        UnaryOperator<BelayBuilder> limits = builder -> builder.model(boss)
                .tools(delegate)
                .tools(asking(tokens, ToolEffect.READ))
                .sessions("mine");
        Belay first = open(where, limits);
        InputHandle input = first.session("mine").turn("1").submit();
        awaitParked(first);
        first.close(Duration.ZERO);
        BelayClient client = with(Belay.client(store(where)));
        client.resolve(tokens.element(), Resolution.ok(Json.string("yes"))); // makes the child's turn ready
        Belay second = open(where, limits);
        assertThat(end(second.session("mine").input(input.inputId()).orElseThrow())).isEqualTo("yes");
        assertThat(second.waitingFor()).isEmpty();
    }

    /** The second input comes while the first turn runs, so the commit of that begins the second turn. */
    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void runtimeThatIsStartedForOneTurnLeavesTheNextToAnother(String where) throws Exception {
        var held = new CountDownLatch(1);
        Belay one = open(where, builder -> builder.start(false)
                .process("mark", (context, in) -> in)
                .model(
                        model(request -> {
                            try {
                                held.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return text("one");
                        })));
        InputHandle first = one.session("mine").turn("1").submit();
        one.start("mine", first.turn().orElseThrow());
        BelayClient client = with(Belay.client(store(where)));
        InputHandle second = client.session("mine").turn("2").queue().submit();
        held.countDown();
        assertThat(end(first)).isEqualTo("one");
        one.processes().start(ProcessStart.body("mark", Json.EMPTY_OBJECT)).awaitEnd(); // it still works
        assertThat(second.turn()).as("begun, and not taken").contains(2L);
        assertThat(second.result()).isEmpty();
        Belay another = open(where, builder -> builder.model(telling("another")));
        assertThat(end(another.session("mine").input(second.inputId()).orElseThrow())).isEqualTo("another");
    }

    private static void accept(Store store, String session, boolean take) {
        new StoreDriver(store).accept(new SessionId(session), new Incarnation(1, session.hashCode()),
                new Arrival("in", Arrival.Kind.INPUT, "ab".repeat(32), Json.EMPTY_OBJECT), -1, take,
                Instant.EPOCH);
    }

    /** More than one look finds: they would be found again and again, and those behind them never. */
    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void manyTurnsOfOtherSessionsDoNotHideThoseOfALimitedRuntime(String where) throws Exception {
        try (Store dies = store(where)) {
            for (int i = 0; i < 300; i++) {
                accept(dies, "left " + i, true);
                accept(dies, "ready " + i, false);
            }
            accept(dies, "mine", true);
            accept(dies, "mine, too", false);
        }
        try (var limited = new StoreDriver(store(where))) {
            limited.serve(Set.of(TurnScope.kind("default")));
            limited.limit(Map.of("mine", Long.MAX_VALUE, "mine, too", 1L));
            assertThat(limited.takeReady(256, 5, Instant.EPOCH))
                    .extracting(claim -> claim.input().value().get("session").orElseThrow().asString())
                    .containsExactlyInAnyOrder("mine", "mine, too");
        }
    }

    @Test
    void turnThatADeadProcessLeftIsTakenOverOnlyWhereItsSessionIsServed() throws Exception {
        var asked = new CountDownLatch(2);
        var dead = new CountDownLatch(1);
        Belay dies = with(Belay.builder().model(model(request -> {
            asked.countDown();
            try {
                asked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return text("never");
        })).store(memory.open((moment, name) -> {
            if (moment == JournalProbe.Moment.BEFORE && name.contains("round/")) {
                dead.countDown();
                throw new StackOverflowError("the process dies");
            }
        })).build());
        InputHandle mine = dies.session("mine").turn("1").submit();
        InputHandle other = dies.session("other").turn("1").submit();
        dead.await();
        Belay limited = open("memory", builder -> builder.model(telling("limited")).sessions("mine"));
        assertThat(end(limited.session("mine").input(mine.inputId()).orElseThrow())).isEqualTo("limited");
        assertThat(limited.waitingFor()).containsOnlyKeys("default");
        Belay all = open("memory", builder -> builder.model(telling("all")));
        assertThat(end(all.session("other").input(other.inputId()).orElseThrow())).isEqualTo("all");
    }
}
