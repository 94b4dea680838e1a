package dev.belay.tests.session;

import static dev.belay.tests.session.Desk.ASK;
import static dev.belay.tests.session.Desk.LOOK;
import static dev.belay.tests.session.Desk.PAY;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import dev.belay.tests.session.DeskTools.Pay;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract N.10 where it is hardest: races, faults of the store, and loops that do not keep to what they did before. */
@Timeout(60)
class OpenTurnFaultsTest {

    private final SessionBench bench = new SessionBench();
    private final List<Belay> opened = new CopyOnWriteArrayList<>();
    private final Desk desk = new Desk();

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
        bench.close();
    }

    private Belay open(Model model) {
        return bench.open(model, builder -> builder.parkAfter(Duration.ZERO));
    }

    /** What happens around a call of the store. */
    @FunctionalInterface
    private interface Around {
        void at(boolean before, String method);

        default void after(String method) {
            at(false, method);
        }

        default void before(String method) {
            at(true, method);
        }
    }

    /** A runtime whose store tells of its calls. */
    private Belay watched(Model model, Around around) {
        Store store = Intercepted.store(new SharedMemory().open(), (what, real) -> {
            around.before(what);
            Object result = real.call();
            around.after(what);
            return result;
        });
        Belay belay = Belay.builder().model(model).store(store).parkAfter(Duration.ZERO).build();
        opened.add(belay);
        return belay;
    }

    private static Around once(String method, Runnable action) {
        var left = new AtomicInteger(1);
        return (before, name) -> {
            if (!before && name.startsWith(method) && left.getAndDecrement() == 1) {
                action.run();
            }
        };
    }

    @Test
    void aKeyThatIsSettledWhileTheTurnIsBeingPutAwayWakesItsLoop() throws Exception {
        var belay = new AtomicReference<Belay>();
        belay.set(watched(calling(List.of(ASK)),
                once("park ",
                        () -> belay.get().resolve(desk.tokens.remove(), Resolution.ok(Json.string("yes"))))));
        belay.get().onReady("desk", desk::loop);
        try (OpenTurn turn = belay.get().session("s").begin("Go.", "in", "desk")) {
            assertThat(desk.loop(turn)).isEqualTo("parked");
        }
        assertThat(belay.get().session("s").input("in").orElseThrow().awaitCommit().text())
                .isEqualTo("done: yes");
    }

    @Test
    void aTurnThatIsBegunAgainWhileItIsBeingPutAwayGoesOnThere() throws Exception {
        var belay = new AtomicReference<Belay>();
        var second = new LinkedBlockingQueue<OpenTurn>();
        belay.set(watched(calling(List.of(LOOK)),
                once("park ", () -> second.add(belay.get().session("s").begin("Go.", "in")))));
        OpenTurn first = belay.get().session("s").begin("Go.", "in");
        first.close();
        try (OpenTurn again = second.take()) {
            assertThat(desk.loop(again)).isEqualTo("done: saw sky");
        }
        assertThatThrownBy(() -> first.step().answer()).extracting("code").isEqualTo("turn_lost");
    }

    @Test
    void oneCallThatIsRunByTwoThreadsRunsOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            Belay belay = open(calling(List.of(PAY)));
            desk.ran.clear();
            try (OpenTurn turn = belay.session("s" + i).begin("Go.", "in")) {
                var round = Desk.round(turn);
                Queue<ToolReply> replies = new ConcurrentLinkedQueue<>();
                Thread other = Thread.ofVirtual().start(() -> replies.add(desk.execute(round.expectOne())));
                replies.add(desk.execute(round.expectOne()));
                other.join();
                assertThat(replies).extracting(reply -> reply.outcome().text())
                        .containsExactly("paid 5", "paid 5");
                round.commit(List.of(replies.remove()));
                assertThat(desk.loop(turn)).isEqualTo("done: paid 5");
            }
            assertThat(desk.ran).hasSize(1);
        }
    }

    @Test
    void closingWaitsForACallThatRuns() throws Exception {
        Belay belay = open(calling(List.of(PAY)));
        var begun = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var replied = new LinkedBlockingQueue<String>();
        OpenTurn turn = belay.session("s").begin("Go.", "in");
        ToolCall<DeskTools> call = Desk.round(turn).expectOne();
        Thread caller = Thread.ofVirtual()
                .start(() -> replied.add(call.run((Pay) call.input(), ctx -> {
                    begun.countDown();
                    release.await();
                    return "paid late";
                }).outcome().text()));
        begun.await();
        Thread closing = Thread.ofVirtual().start(turn::close);
        release.countDown();
        closing.join();
        caller.join();
        assertThat(replied).containsExactly("paid late");
        try (OpenTurn again = belay.session("s").begin("Go.", "in")) {
            assertThat(desk.loop(again)).isEqualTo("done: paid late");
        }
        assertThat(desk.ran).as("the recorded call is answered").isEmpty();
    }

    @Test
    void aTurnThatCannotBeSeatedIsGivenBack() {
        var failures = new AtomicInteger();
        Belay belay = watched(calling(List.of(LOOK)), (before, method) -> {
            if (before && method.contains(", message ") && failures.getAndDecrement() > 0) {
                throw new JournalException("the disk hiccups", null);
            }
        });
        try (OpenTurn turn = belay.session("s").begin("Go.", "first")) {
            desk.loop(turn);
        }
        belay.session("other").begin("Go.", "in").close();
        for (int i = 0; i < 2; i++) {
            belay.session("fill" + i).begin("x", "in").close();
        }
        failures.set(1);
        OpenTurn turn = begunAtLast(belay);
        assertThat(desk.loop(turn)).isEqualTo("done: saw sky");
        turn.close();
    }

    private static OpenTurn begunAtLast(Belay belay) {
        try {
            return belay.session("s").begin("Again.", "second");
        } catch (JournalException hiccup) {
            return belay.session("s").begin("Again.", "second");
        }
    }

    @Test
    void aStoreThatFailsForAMomentOnlyMakesTheLoopWait() {
        for (String method : List.of("effect .*", "park .*", "commit .*", "read scope .*, effect .*")) {
            var failures = new AtomicInteger();
            var asked = new AtomicInteger();
            Model model = model(request -> {
                asked.incrementAndGet();
                return calling(List.of(LOOK), List.of(PAY)).complete(request);
            });
            Belay belay = watched(model, (before, name) -> {
                if (before && name.matches(method) && failures.getAndDecrement() > 0) {
                    throw new JournalException("the disk hiccups", null);
                }
            });
            desk.ran.clear();
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                var first = Desk.round(turn);
                failures.set(1);
                desk.commit(first);
                assertThat(desk.loop(turn)).as(method).isEqualTo("done: paid 5");
                failures.set(method.startsWith("commit") ? 1 : 0);
            }
            assertThat(belay.session("s").head().orElseThrow().revision()).as(method).isEqualTo(1);
            assertThat(desk.ran).as(method).contains("pay 5 64");
            assertThat(desk.ran.stream().filter("pay 5 64"::equals)).as(method).hasSize(1);
            assertThat(belay.session("s").input("in").orElseThrow().result().orElseThrow().rounds())
                    .as(method)
                    .isEqualTo(3);
        }
    }

    @Test
    void anAnswerThatCannotBeCommittedIsTold() {
        Belay belay = open(model(request -> text("hello")));
        OpenTurn turn = belay.session("s").begin("Go.", "in");
        turn.step().answer();
        belay.close();
        assertThatThrownBy(turn::close).extracting("code").isEqualTo("turn_lost");
    }

    @Test
    void aTurnCannotBeBegunInARuntimeThatIsClosed() {
        Belay belay = open(model(request -> text("hello")));
        belay.close();
        assertThatThrownBy(() -> belay.session("s").begin("Go.", "in")).extracting("code")
                .isEqualTo("journal_closed");
    }

    @Test
    void aSessionThatIsDeletedUnderItsLoopIsLost() {
        Belay belay = open(calling(List.of(LOOK), List.of(PAY)));
        OpenTurn turn = belay.session("s").begin("Go.", "in");
        var round = Desk.round(turn);
        belay.session("s").delete();
        assertThatThrownBy(() -> {
            desk.commit(round);
            desk.loop(turn);
        }).extracting("code").isEqualTo("turn_lost");
        turn.close();
    }

    @Test
    void aListenerThatUsesTheTurnIsToldSo() {
        Belay belay = open(new ScriptedModel().reply("h"));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> turn.step().listener(event -> turn.abandon("now")).answer())
                    .hasMessageContaining("cannot use the turn itself");
        }
    }

    /** Repeated: a thread that closing forgets to wake is forgotten in one of eight runs. */
    @RepeatedTest(20)
    void aCallThatWaitsForItsResourceEndsWithTheRuntime() throws Exception {
        var holds = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Belay holder = open(calling(List.of(new CallPart("l", "lock", "{\"id\":\"1\"}"))));
        Thread holding = Thread.ofVirtual().start(() -> {
            OpenTurn turn = holder.session("a").begin("Go.", "in");
            ToolCall<DeskTools> call = Desk.round(turn).expectOne();
            call.run((DeskTools.Lock) call.input(), ctx -> {
                holds.countDown();
                release.await();
                return "held";
            });
        });
        holds.await();
        Belay waiter = open(calling(List.of(new CallPart("l", "lock", "{\"id\":\"1\"}"))));
        OpenTurn turn = waiter.session("b").begin("Go.", "in");
        ToolCall<DeskTools> call = Desk.round(turn).expectOne();
        var ended = new LinkedBlockingQueue<Throwable>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                desk.execute(call);
            } catch (Throwable e) {
                ended.add(e);
            }
        });
        while (waiting.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        waiter.close();
        waiting.join();
        assertThat(ended).singleElement().extracting("code").isIn("journal_closed", "turn_lost");
        release.countDown();
        holding.join();
    }
}
