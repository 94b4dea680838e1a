package dev.belay.tests.stopping;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.5: a pause is a row that every program sees; inputs are accepted, what runs goes on, and nothing paused begins. */
@Timeout(60)
class PauseTest {

    private static final Actor ANN = new Actor("ann", "test");

    private final SharedMemory memory = new SharedMemory();
    private final List<Belay> opened = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger bodies = new AtomicInteger();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Model plain = model(request -> text("answer " + asked.incrementAndGet()));
    private final Model paying = model(request -> {
        asked.incrementAndGet();
        return calling(List.of(call("a", "pay"))).complete(request, event -> {});
    });

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        mayEnd.countDown();
        opened.forEach(belay -> belay.close(Duration.ZERO));
    }

    private Store store(String where) {
        return where.equals("memory") ? memory.open() : JdbcStore.sqlite(folder.resolve("belay.db"));
    }

    private Belay open(String where, UnaryOperator<BelayBuilder> with) {
        Belay belay = with.apply(Belay.builder().parkAfter(Duration.ZERO).store(store(where))).build();
        opened.add(belay);
        return belay;
    }

    /** Tools of which the first body waits for the test. */
    private StaticToolProvider pay(String exclusive) {
        var definition = tool("pay", ToolEffect.ONCE);
        return StaticToolProvider.builder()
                .raw(exclusive.isEmpty() ? definition : definition.exclusive(exclusive), (in, context) -> {
                    if (bodies.incrementAndGet() == 1) {
                        running.countDown();
                        mayEnd.await();
                    }
                    return "paid";
                })
                .raw(tool("look", ToolEffect.READ), (in, context) -> "seen")
                .build();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    private ScopeState.Status status(String where, String session) {
        try (var store = new StoreDriver(store(where))) {
            var scope = TurnScope.id(store.head(new SessionId(session)).orElseThrow().incarnation(), 1);
            return store.state(scope).orElseThrow().status();
        }
    }

    private static List<Target> targets() {
        return List.of(Target.EVERYTHING, Target.agent("default"), Target.session("s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void inputsAreAcceptedAndWaitUntilItIsUnpaused(String where) throws Exception {
        Belay belay = open(where, builder -> builder.model(plain));
        belay.session("s").turn("First.").run();
        int before = asked.get();
        for (Target target : targets()) {
            assertThat(belay.as(ANN).pause(target, "audit")).isEqualTo(VerbResult.DONE);
            InputHandle input = belay.session("s").turn("Go.").submit();
            assertThat(input.await(Duration.ofMillis(20))).as("%s", target).isEmpty();
            assertThat(asked).as("%s", target).hasValue(before);
            assertThat(belay.health().isReady()).as("a pause is no illness").isTrue();
            assertThat(belay.as(ANN).unpause(target, "over")).isEqualTo(VerbResult.DONE);
            assertThat(input.awaitCommit().text()).isEqualTo("answer " + ++before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void everyProgramOnTheStoreHoldsAndGoesOn(String where) throws Exception {
        Belay one = open(where, builder -> builder.model(plain));
        one.session("s").turn("First.").run();
        for (Target target : targets()) {
            int before = asked.get();
            one.as(ANN).pause(target, "audit");
            Belay two = open(where, builder -> builder.model(plain));
            InputHandle input = two.session("s").turn("Go.").submit();
            assertThat(input.await(Duration.ofMillis(20))).as("%s", target).isEmpty();
            assertThat(asked).as("%s", target).hasValue(before);
            one.as(ANN).unpause(target, "over");
            assertThat(input.awaitCommit().text()).isEqualTo("answer " + (before + 1));
            two.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void programThatRunsSeesAPauseOfAnotherAtItsNextLook(String where) throws Exception {
        Belay one = open(where, builder -> builder.model(plain));
        Belay two = open(where, builder -> builder.model(plain));
        one.as(ANN).pause(Target.EVERYTHING, "audit");
        await(() -> two.health().paused());
        InputHandle input = two.session("s").turn("Go.").submit();
        assertThat(input.await(Duration.ofMillis(20))).isEmpty();
        two.as(ANN).unpause(Target.EVERYTHING, "over");
        await(() -> !one.health().paused());
        assertThat(input.awaitCommit().text()).isEqualTo("answer 1");
    }

    @Test
    void pausedSessionIsNotFoundByALookForWork() throws Exception {
        Belay belay = open("memory", builder -> builder.model(plain));
        belay.session("s").turn("First.").run();
        belay.session("t").turn("First.").run();
        belay.as(ANN).pause(Target.session("s"), "audit");
        InputHandle held = belay.session("s").turn("Go.").submit();
        assertThat(belay.session("t").turn("Go.").run().ended().text()).isEqualTo("answer 3");
        try (var store = new StoreDriver(memory.open())) {
            await(() -> store.readyKinds().isEmpty());
        }
        belay.as(ANN).unpause(Target.session("s"), "over");
        assertThat(held.awaitCommit().text()).isEqualTo("answer 4");
    }

    @Test
    void whatRunsGoesOnAndTheNextRoundWaits() throws Exception {
        Belay belay = open("memory", builder -> builder.model(paying).tools(pay("")));
        InputHandle input = belay.session("s").turn("Go.").submit();
        running.await();
        belay.as(ANN).pause(Target.session("s"), "audit");
        mayEnd.countDown();
        await(() -> status("memory", "s") == ScopeState.Status.PARKED);
        assertThat(asked).hasValue(1);
        assertThat(bodies).hasValue(1);
        belay.as(ANN).unpause(Target.session("s"), "over");
        assertThat(input.awaitCommit().text()).isEqualTo("done: paid");
    }

    @Test
    void turnThatIsHeldOftenIsNotStuck() throws Exception {
        Belay belay = open("memory", builder -> builder.model(paying).tools(pay("")));
        InputHandle input = belay.session("s").turn("Go.").submit();
        running.await();
        belay.as(ANN).pause(Target.session("s"), "audit");
        mayEnd.countDown();
        for (int i = 0; i < 8; i++) {
            await(() -> status("memory", "s") == ScopeState.Status.PARKED);
            belay.as(ANN).pause(Target.agent("default"), "more");
            belay.as(ANN).unpause(Target.session("s"), "over");
            belay.as(ANN).pause(Target.session("s"), "again");
            belay.as(ANN).unpause(Target.agent("default"), "less");
            await(() -> status("memory", "s") == ScopeState.Status.PARKED);
        }
        belay.as(ANN).unpause(Target.session("s"), "over");
        assertThat(input.awaitCommit().text()).isEqualTo("done: paid");
        assertThat(belay.stuck()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void pausedToolParksItsCallAlsoAcrossARestart(String where) throws Exception {
        mayEnd.countDown();
        Belay belay = open(where, builder -> builder.model(paying).tools(pay("")));
        belay.as(ANN).pause(Target.tool("pay"), "fraud");
        belay.session("s").turn("Go.").id("i").submit();
        await(() -> status(where, "s") == ScopeState.Status.PARKED);
        belay.close();
        Belay next = open(where, builder -> builder.model(paying).tools(pay("")));
        assertThat(next.pauses()).extracting(Pause::target, Pause::by, Pause::reason)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(Target.tool("pay"), ANN, "fraud"));
        assertThat(bodies).hasValue(0);
        next.as(ANN).unpause(Target.tool("pay"), "over");
        assertThat(next.session("s").input("i").orElseThrow().awaitCommit().text()).isEqualTo("done: paid");
    }

    /** It takes a key, so that its start is recorded, and its program ends before it has. */
    private StaticToolProvider payAgain() {
        return StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.IDEMPOTENT), (in, context) -> {
                    context.completionKey();
                    if (bodies.incrementAndGet() == 1) {
                        running.countDown();
                        mayEnd.await();
                    }
                    return "paid";
                })
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void callThatAnEndedProgramHasBegunIsNotRepeatedWhileItsToolIsPaused(String where) throws Exception {
        Belay belay = open(where, builder -> builder.model(paying).tools(payAgain()));
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        belay.as(ANN).pause(Target.tool("pay"), "fraud");
        belay.close(Duration.ZERO);
        Belay next = open(where, builder -> builder.model(paying).tools(payAgain()));
        await(() -> status(where, "s") == ScopeState.Status.PARKED);
        assertThat(bodies).hasValue(1);
        next.as(ANN).unpause(Target.tool("pay"), "over");
        assertThat(next.session("s").input("i").orElseThrow().awaitCommit().text()).isEqualTo("done: paid");
        assertThat(bodies).hasValue(2);
    }

    @Test
    void siblingsOfAPausedCallRunInTheOnlyPlace() throws Exception {
        mayEnd.countDown();
        Model both = calling(List.of(call("a", "pay"), call("b", "look")));
        Belay belay = open("memory",
                builder -> builder.model(both).tools(pay("")).caps(CallCaps.NONE.withRuntime(1)));
        belay.as(ANN).pause(Target.tool("pay"), "fraud");
        InputHandle input = belay.session("s").turn("Go.").submit();
        await(() -> status("memory", "s") == ScopeState.Status.PARKED);
        try (var store = new StoreDriver(memory.open())) {
            var scope = TurnScope.id(store.head(new SessionId("s")).orElseThrow().incarnation(), 1);
            assertThat(store.effects(scope)).filteredOn(row -> row.kind().equals("attempt"))
                    .as("the paused call has no record")
                    .hasSize(1);
        }
        belay.as(ANN).unpause(Target.tool("pay"), "over");
        assertThat(input.awaitCommit().text()).isEqualTo("done: paid, seen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1M"})
    void callThatIsPausedInAQueueGivesUpItsPlaceAndHoldsNoResource(Duration holdsItsThread) throws Exception {
        Belay belay = open("memory",
                builder -> builder.model(paying).tools(pay("till")).parkAfter(holdsItsThread));
        InputHandle first = belay.session("s").turn("Go.").submit();
        running.await();
        InputHandle second = belay.session("t").turn("Go.").submit();
        await(() -> asked.get() == 2 && belay.health().turns() == 2);
        belay.as(ANN).pause(Target.tool("pay"), "fraud");
        await(() -> status("memory", "t") == ScopeState.Status.PARKED);
        mayEnd.countDown();
        assertThat(first.awaitCommit().text()).as("what runs goes on").isEqualTo("done: paid");
        assertThat(bodies).hasValue(1);
        belay.as(ANN).unpause(Target.tool("pay"), "over");
        assertThat(second.awaitCommit().text()).isEqualTo("done: paid");
    }

    @Test
    void batchesOfCallsWaitToo() throws Exception {
        mayEnd.countDown();
        Belay belay = open("memory", builder -> builder.tools(pay("")));
        belay.as(ANN).pause(Target.EVERYTHING, "audit");
        belay.calls().submit("b", List.of(new CallRequest("pay", "{}")));
        try (var store = new StoreDriver(memory.open())) {
            assertThat(store.state(new ScopeId("b")).orElseThrow().status())
                    .isEqualTo(ScopeState.Status.READY);
        }
        assertThat(bodies).hasValue(0);
        belay.as(ANN).unpause(Target.EVERYTHING, "over");
        assertThat(belay.calls().join("b").orElseThrow()).hasSize(1);
    }

    @Test
    void cancelledTurnEndsAlthoughItIsPaused() throws Exception {
        mayEnd.countDown();
        Belay belay = open("memory", builder -> builder.model(paying).tools(pay("")));
        belay.as(ANN).pause(Target.tool("pay"), "fraud");
        InputHandle input = belay.session("s").turn("Go.").submit();
        await(() -> status("memory", "s") == ScopeState.Status.PARKED);
        input.cancel("enough");
        assertThat(input.awaitCommit().summary()).contains("enough");
        assertThat(bodies).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void cancelledTurnEndsAlthoughItsSessionIsPaused(String where) throws Exception {
        Belay belay = open(where, builder -> builder.model(paying).tools(pay("")));
        InputHandle input = belay.session("s").turn("Go.").submit();
        running.await();
        belay.as(ANN).pause(Target.session("s"), "fraud");
        mayEnd.countDown();
        await(() -> status(where, "s") == ScopeState.Status.PARKED);
        input.cancel("enough");
        assertThat(input.awaitCommit().summary()).contains("enough");
        assertThat(asked).as("no further round").hasValue(1);
    }

    @Test
    void beginAnswersPaused() throws Exception {
        Belay belay = open("memory", builder -> builder.model(plain));
        belay.session("s").turn("First.").run();
        for (Target target : targets()) {
            belay.as(ANN).pause(target, "audit");
            assertThatThrownBy(() -> belay.session("s").begin("Go.")).isInstanceOfSatisfying(
                    BelayException.class, e -> {
                        assertThat(e.code()).isEqualTo("paused");
                        assertThat(e).hasMessageContaining(target.toString());
                    });
            belay.as(ANN).unpause(target, "over");
        }
        belay.session("s").begin("Go.").close();
    }

    @Test
    void pauseOfASessionThatIsDeletedHoldsANewOneOfItsName() throws Exception {
        Belay belay = open("memory", builder -> builder.model(plain));
        belay.session("s").turn("First.").run();
        belay.as(ANN).pause(Target.session("s"), "audit");
        assertThat(belay.session("s").delete()).isEqualTo(VerbResult.DONE);
        assertThat(belay.pauses()).hasSize(1);
        InputHandle input = belay.session("s").turn("Go.").submit();
        assertThat(input.await(Duration.ofMillis(20))).isEmpty();
        assertThat(asked).hasValue(1);
        belay.as(ANN).unpause(Target.session("s"), "over");
        assertThat(input.awaitCommit().text()).isEqualTo("answer 2");
    }

    @Test
    void nextStepOfALoopAnswersPausedAndGoesOnAfterwards() throws Exception {
        Belay belay = open("memory", builder -> builder.model(plain));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            belay.as(ANN).pause(Target.session("s"), "audit");
            assertThatThrownBy(() -> turn.step().answer()).extracting("code").isEqualTo("paused");
            assertThat(asked).hasValue(0);
            belay.as(ANN).unpause(Target.session("s"), "over");
            turn.step().answer();
            assertThat(turn.finish().text()).isEqualTo("answer 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void verbsAreIdempotentAndLeaveARowOfTheAuditLogWhenTheyDidSomething(String where) throws Exception {
        Belay belay = open(where, builder -> builder.model(plain));
        Target tool = Target.tool("pay");
        assertThat(belay.as(ANN).unpause(tool, "early")).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.as(ANN).pause(tool, "fraud")).isEqualTo(VerbResult.DONE);
        assertThat(belay.as(ANN).pause(tool, "twice")).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.as(ANN).pause(Target.session("unknown"), "why"))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(belay.as(ANN).unpause(tool, "over")).isEqualTo(VerbResult.DONE);
        assertThat(belay.pauses()).isEmpty();
        try (var store = new StoreDriver(store(where))) {
            assertThat(store.audit(0, 9)).extracting(entry -> entry.note().verb() + " "
                    + entry.note().target() + " "
                    + entry.note().details().get("reason").orElse(Json.NULL).asString())
                    .containsExactly("pause tool/pay fraud", "unpause tool/pay over");
        }
    }

    @Test
    void listSaysThatReadyWorkWaitsForAPause() {
        Belay belay = Belay.builder()
                .model(SessionBench.model(request -> SessionBench.text("late")))
                .store(memory.open())
                .start(false)
                .build();
        belay.session("s").turn("Go.").submit();
        belay.as(ANN).pause(Target.agent("default"), "audit");
        assertThat(belay.sessions(null, 9).items()).singleElement()
                .satisfies(entry -> assertThat(Objects.requireNonNull(entry.waits()).what())
                        .isEqualTo(WaitsFor.For.PAUSE));
        belay.close();
    }
}
