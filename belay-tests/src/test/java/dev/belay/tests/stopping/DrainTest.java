package dev.belay.tests.stopping;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract V.2: close waits for what runs, begins nothing more, and cuts off what does not end. */
@Timeout(60)
class DrainTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final SharedMemory memory = new SharedMemory();
    private final FakeTime time = new FakeTime();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger bodies = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();

    private final Model paying = model(request -> {
        asked.incrementAndGet();
        return SessionBench.lastReplies(request).equals("nothing")
                ? calls(List.of(call("a", "pay")))
                : text("done: " + SessionBench.lastReplies(request));
    });

    private Belay open(Model model, StaticToolProvider tools) {
        return Belay.builder()
                .model(model)
                .tools(tools)
                .store(memory.open())
                .time(time)
                .parkAfter(Duration.ZERO)
                .drain(LONG)
                .build();
    }

    /** A tool whose body waits for the test. */
    private StaticToolProvider held(ToolEffect effect) {
        return StaticToolProvider.builder().raw(tool("pay", effect), (in, context) -> {
            bodies.incrementAndGet();
            running.countDown();
            mayEnd.await();
            return "paid";
        }).build();
    }

    private static <T> FutureTask<T> beside(Callable<T> task) {
        var future = new FutureTask<>(task);
        Thread.ofPlatform().daemon().start(future);
        return future;
    }

    private static FutureTask<Boolean> closing(Belay belay) {
        FutureTask<Boolean> closing = beside(() -> {
            belay.close();
            return true;
        });
        await(() -> belay.health().life() == Health.Life.DRAINING);
        return closing;
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    private ScopeState state(String session, long turn) {
        try (var store = new StoreDriver(memory.open())) {
            var scope = TurnScope.id(store.head(new SessionId(session)).orElseThrow().incarnation(), turn);
            return store.state(scope).orElseThrow();
        }
    }

    private String answer(String session, Belay belay) throws InterruptedException {
        var result = belay.session(session).input("i").orElseThrow().awaitCommit();
        assertThat(result.text()).as(result.summary()).isNotEmpty();
        return result.text();
    }

    @Test
    void whatRunsIsRecordedAndItsTurnIsGivenBackUncounted() throws Exception {
        Belay belay = open(paying, held(ToolEffect.ONCE));
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        assertThat(belay.health().bodies()).isEqualTo(1);
        mayEnd.countDown();
        closed.get();
        assertThat(asked).as("no round begins while it drains").hasValue(1);
        assertThat(state("s", 1)).extracting(ScopeState::status, ScopeState::entries)
                .containsExactly(ScopeState.Status.READY, 0);
        try (Belay next = open(paying, held(ToolEffect.ONCE))) {
            assertThat(answer("s", next)).isEqualTo("done: paid");
        }
        assertThat(bodies).hasValue(1);
    }

    @Test
    void bodyThatTookItsKeyAndAnswersWithinTheDrainIsRecordedWithoutADoubt() throws Exception {
        var keyed = StaticToolProvider.builder().raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
            bodies.incrementAndGet();
            context.completionKey();
            running.countDown();
            mayEnd.await();
            return "paid";
        }).build();
        Belay belay = open(paying, keyed);
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown();
        closed.get();
        try (Belay next = open(paying, keyed)) {
            assertThat(answer("s", next)).isEqualTo("done: paid");
            assertThat(next.doubts().open(0, 9)).isEmpty();
        }
        assertThat(bodies).hasValue(1);
    }

    @Test
    void anAnswerThatIsAcceptedWhileTheBodyIsCutOffCounts() throws Exception {
        try (BelayClient client = Belay.client(memory.existing(JournalProbe.NONE))) {
            var keyed = StaticToolProvider.builder().raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
                String token = context.completionKey().token();
                running.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException cutOff) {
                    assertThat(client.resolve(token, Resolution.ok(Json.string("accepted"))))
                            .isEqualTo(new Delivery.Accepted());
                    bodies.incrementAndGet();
                    throw cutOff;
                }
                return "paid";
            }).build();
            Belay belay = open(paying, keyed);
            belay.session("s").turn("Go.").id("i").submit();
            running.await();
            FutureTask<Boolean> closed = closing(belay);
            time.awaitAlarmIn(LONG);
            time.advance(LONG);
            closed.get();
            assertThat(bodies).as("accepted by the client").hasValue(1);
            try (Belay next = open(paying, keyed)) {
                assertThat(answer("s", next)).isEqualTo("done: accepted");
                assertThat(next.doubts().open(0, 9)).isEmpty();
            }
        }
    }

    @Test
    void turnIsGivenBackBeforeTheOthersHaveEnded() throws Exception {
        var other = new CountDownLatch(1);
        Model two = model(request -> {
            if (said(request).equals("Wait.")) {
                running.countDown();
                uninterrupted(other);
                return text("waited");
            }
            return paying.complete(request, event -> {});
        });
        Belay belay = open(two, held(ToolEffect.ONCE));
        belay.session("slow").turn("Wait.").submit();
        belay.session("s").turn("Go.").id("i").submit();
        await(() -> bodies.get() == 1);
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown();
        await(() -> state("s", 1).status() == ScopeState.Status.READY);
        try (Belay next = open(paying, held(ToolEffect.ONCE))) {
            assertThat(answer("s", next)).isEqualTo("done: paid");
        }
        assertThat(closed.isDone()).isFalse();
        other.countDown();
        closed.get();
    }

    private static String said(ModelRequest request) {
        return ((UserMessage) request.messages().getFirst()).text();
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void inputsAreRefusedWhileItDrains() throws Exception {
        Belay belay = open(paying, held(ToolEffect.ONCE));
        belay.session("s").turn("Go.").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        assertThatThrownBy(() -> belay.session("t").turn("Go.").submit())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_closed"));
        assertThatThrownBy(() -> belay.calls().submit("b", List.of()))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_closed"));
        mayEnd.countDown();
        closed.get();
    }

    @Test
    void childTurnThatABodyWaitsForGoesOn() throws Exception {
        var begun = new CountDownLatch(1);
        Model both = model(request -> {
            if (said(request).equals("Go.")) {
                return paying.complete(request, event -> {});
            }
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(call("b", "look")))
                    : text("child: " + SessionBench.lastReplies(request));
        });
        StaticToolProvider tools = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
                    running.countDown();
                    mayEnd.await();
                    return child(context, "first") + "; " + child(context, "second");
                })
                .raw(tool("look", ToolEffect.READ), (in, context) -> {
                    begun.countDown();
                    return "seen";
                })
                .build();
        Belay belay = open(both, tools);
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown(); // only now does the body begin its child turns
        closed.get();
        begun.await();
        assertThat(asked).as("the parent's next round does not begin").hasValue(1);
        try (Belay next = open(both, tools)) {
            assertThat(answer("s", next)).isEqualTo("done: child: seen; child: seen");
        }
    }

    private static String child(ToolContext context, String name) throws InterruptedException {
        return ((SessionToolContext) context).sessions().create("c").turn(name, "Help.").await().text();
    }

    @Test
    void processThatABodyWaitsForGoesOn() throws Exception {
        StaticToolProvider tools = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
                    running.countDown();
                    mayEnd.await();
                    return ((SessionToolContext) context).processes()
                            .start("p", ProcessStart.tool("look", Json.EMPTY_OBJECT))
                            .awaitEnd()
                            .toString();
                })
                .raw(tool("look", ToolEffect.READ), (in, context) -> "seen")
                .build();
        Belay belay = open(paying, tools);
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown();
        closed.get();
        try (Belay next = open(paying, tools)) {
            assertThat(answer("s", next)).contains("seen");
        }
    }

    @Test
    void wakesBecomeReadyAndAreNotTaken() throws Exception {
        Queue<String> tokens = new ConcurrentLinkedQueue<>();
        StaticToolProvider tools = StaticToolProvider.builder()
                .raw(tool("ask", ToolEffect.ONCE), (in, context) -> {
                    tokens.add(context.completionKey().token());
                    return dev.belay.tool.ToolResult.pending();
                })
                .raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
                    running.countDown();
                    mayEnd.await();
                    return "paid";
                })
                .build();
        Model both = model(request -> said(request).equals("Ask.")
                ? calling(List.of(call("q", "ask"))).complete(request, event -> {})
                : paying.complete(request, event -> {}));
        Belay belay = open(both, tools);
        belay.session("asks").turn("Ask.").id("i").submit();
        await(() -> !tokens.isEmpty() && state("asks", 1).status() == ScopeState.Status.PARKED);
        belay.session("s").turn("Go.").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        belay.resolve(tokens.element(), Resolution.ok(Json.string("yes")));
        assertThat(state("asks", 1).status()).isEqualTo(ScopeState.Status.READY);
        try (Belay next = open(both, tools)) {
            assertThat(answer("asks", next)).contains("yes");
        }
        assertThat(closed.isDone()).isFalse();
        mayEnd.countDown();
        closed.get();
    }

    @Test
    void onceCallThatIsCutOffIsInDoubtBecauseItWasStopped() throws Exception {
        Belay belay = open(paying, held(ToolEffect.ONCE));
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        time.awaitAlarmIn(LONG);
        time.advance(LONG);
        closed.get();
        assertThat(state("s", 1)).extracting(ScopeState::status, ScopeState::entries)
                .containsExactly(ScopeState.Status.READY, 0);
        try (Belay next = open(paying, held(ToolEffect.ONCE))) {
            assertThat(answer("s", next)).contains("the program that ran it was stopped");
        }
        assertThat(bodies).as("it is not repeated").hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "IDEMPOTENT"})
    void callThatMayBeRepeatedRunsAgainElsewhere(ToolEffect effect) throws Exception {
        Belay belay = open(paying, held(effect));
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        belay.close(Duration.ZERO);
        mayEnd.countDown();
        try (Belay next = open(paying, held(effect))) {
            assertThat(answer("s", next)).isEqualTo("done: paid");
        }
        assertThat(bodies).hasValue(2);
    }

    @Test
    void answerThatABodyGivesToTheInterruptCounts() throws Exception {
        StaticToolProvider tools = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
                    running.countDown();
                    try {
                        mayEnd.await();
                        return "never";
                    } catch (InterruptedException stopped) {
                        return "paid in haste";
                    }
                })
                .build();
        Belay belay = open(paying, tools);
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        belay.close(Duration.ZERO);
        try (Belay next = open(paying, tools)) {
            assertThat(answer("s", next)).isEqualTo("done: paid in haste");
        }
    }

    @Test
    void onceCallThatWaitsForAPlaceRunsElsewhereWithoutADoubt() throws Exception {
        Model two = calling(List.of(call("a", "pay"), call("b", "pay")));
        Belay belay = Belay.builder()
                .model(two)
                .tools(held(ToolEffect.ONCE))
                .caps(CallCaps.NONE.withRuntime(1))
                .store(memory.open())
                .drain(LONG)
                .build();
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        await(() -> started("s") == 2);
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown();
        closed.get();
        assertThat(bodies).hasValue(1);
        try (Belay next = open(two, held(ToolEffect.ONCE))) {
            assertThat(answer("s", next)).isEqualTo("done: paid, paid");
        }
        assertThat(bodies).hasValue(2);
    }

    private long started(String session) {
        try (var store = new StoreDriver(memory.open())) {
            var scope = TurnScope.id(store.head(new SessionId(session)).orElseThrow().incarnation(), 1);
            return store.effects(scope)
                    .stream()
                    .filter(row -> row.kind().equals("attempt"))
                    .count();
        }
    }

    @Test
    void secondCallerWaitsForTheFirst() throws Exception {
        Belay belay = open(paying, held(ToolEffect.ONCE));
        belay.session("s").turn("Go.").submit();
        running.await();
        FutureTask<Boolean> first = closing(belay);
        FutureTask<Boolean> second = beside(() -> {
            belay.close(Duration.ZERO);
            return first.isDone() || belay.health().life() == Health.Life.CLOSED;
        });
        assertThat(second.isDone()).isFalse();
        mayEnd.countDown();
        assertThat(second.get()).isTrue();
        first.get();
        belay.close();
    }
}
