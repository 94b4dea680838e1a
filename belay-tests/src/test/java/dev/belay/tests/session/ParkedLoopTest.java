package dev.belay.tests.session;

import static dev.belay.tests.session.Desk.ASK;
import static dev.belay.tests.session.Desk.LOOK;
import static dev.belay.tests.session.Desk.PAY;
import static dev.belay.tests.session.Desk.TOOLS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.ToolReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract N.10: turns of a program's own loop that wait, and loops with a name that go on with them. */
class ParkedLoopTest {

    private final SessionBench bench = new SessionBench();
    private final Desk desk = new Desk();

    @AfterEach
    void close() {
        bench.close();
    }

    private String run(Belay belay, String inputId) {
        try (OpenTurn turn = belay.session("s").begin("Go.", inputId)) {
            return desk.loop(turn);
        }
    }

    private Belay open(Model model) {
        return bench.open(model, builder -> builder.parkAfter(Duration.ZERO));
    }

    @Test
    void aCallThatParksParksTheTurnAndItGoesOnWhenTheKeyIsSettled() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(LOOK, ASK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThat(desk.loop(turn)).isEqualTo("parked");
            assertThatThrownBy(() -> turn.step().tools(TOOLS).run()).extracting("code")
                    .isEqualTo("turn_parked");
        }
        assertThat(belay.openTurns(null, 9)).extracting(OpenTurnState::phase)
                .containsExactly(OpenTurnState.Phase.WAITING);
        assertThat(run(belay, "in")).as("too early").isEqualTo("parked");
        assertThat(belay.session("s").messages()).isEmpty();
        belay.resolve(desk.tokens.take(), new Resolution.Ok(Json.string("yes")));
        assertThat(belay.openTurns(null, 9)).extracting(OpenTurnState::phase)
                .containsExactly(OpenTurnState.Phase.READY);
        assertThat(run(belay, "in")).isEqualTo("done: saw sky, yes");
        assertThat(desk.ran).containsExactly("look sky", "ask ok?");
    }

    @Test
    void aRoundWhoseKeyIsSettledBeforeItIsParkedIsCommitted() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(ASK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = Desk.round(turn);
            ToolReply reply = desk.execute(round.expectOne());
            assertThat(reply.isWaiting()).isTrue();
            assertThatThrownBy(reply::outcome).extracting("code").isEqualTo("call_waits");
            belay.resolve(desk.tokens.take(), new Resolution.Ok(Json.string("yes")));
            assertThat(round.commit(List.of(reply))).isInstanceOf(RoundEnd.Committed.class);
            assertThat(desk.loop(turn)).isEqualTo("done: yes");
        }
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void aNamedLoopIsCalledWhenEveryKeyIsSettledOnAnyNode() throws Exception {
        Model model = SessionBench.calling(List.of(ASK));
        Belay one = open(model);
        try (OpenTurn turn = one.session("s").begin("Go.", "in", "desk")) {
            assertThat(desk.loop(turn)).isEqualTo("parked");
        }
        Belay without = open(model);
        Belay with = open(model);
        var ended = new LinkedBlockingQueue<String>();
        with.onReady("desk", turn -> ended.add(desk.loop(turn)));
        without.resolve(desk.tokens.take(), new Resolution.Ok(Json.string("yes")));
        assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("done: yes");
        InputHandle handle = without.session("s").input("in").orElseThrow();
        assertThat(handle.awaitCommit().text()).isEqualTo("done: yes");
    }

    @Test
    void aNamedLoopTakesWhatADeadProcessLeft() throws Exception {
        Model model = SessionBench.calling(List.of(PAY));
        SessionBench.Dying one = bench.dying(model,
                Death.at(Moment.AFTER, "effect round/1/call/0/attempt/1 COMPLETED"), builder -> builder);
        Thread.ofVirtual().start(() -> {
            try (OpenTurn turn = one.belay.session("s").begin("Go.", "in", "desk")) {
                desk.loop(turn);
            }
        });
        one.awaitDeath();
        Belay two = open(model);
        two.onReady("desk", desk::loop);
        assertThat(two.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("done: paid 5");
        assertThat(desk.ran).hasSize(1);
        assertThatThrownBy(() -> two.onReady("desk", desk::loop)).extracting("code")
                .isEqualTo("duplicate_loop");
    }

    @Test
    void aNamedLoopThatThrowsIsTriedAgainAndThenTheTurnIsStuck() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(ASK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in", "desk")) {
            desk.loop(turn);
        }
        var tries = new AtomicInteger();
        belay.onReady("desk", turn -> {
            tries.incrementAndGet();
            throw new IllegalStateException("broken loop");
        });
        belay.resolve(desk.tokens.take(), new Resolution.Ok(Json.string("yes")));
        InputHandle handle = belay.session("s").input("in").orElseThrow();
        assertThatThrownBy(handle::awaitCommit).extracting("code").isEqualTo("session_stuck");
        assertThat(tries).hasValue(5);
        assertThat(belay.stuck()).singleElement()
                .satisfies(stuck -> assertThat(stuck.because())
                        .contains("the last time it ended by")
                        .endsWith("broken loop"));
        assertThat(belay.openTurns(null, 9)).extracting(OpenTurnState::phase)
                .containsExactly(OpenTurnState.Phase.STUCK);
        assertThatThrownBy(() -> belay.session("s").begin("Go.", "in", "desk"))
                .extracting("code")
                .isEqualTo("session_stuck");
        assertThat(belay.abandon(belay.openTurns(null, 9).getFirst(), "broken")).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void aNamedLoopThatReturnsWithoutAnEndLeavesTheTurnOpen() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(ASK)));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in", "desk")) {
            desk.loop(turn);
        }
        var called = new CountDownLatch(1);
        belay.onReady("desk", turn -> called.countDown());
        belay.resolve(desk.tokens.take(), new Resolution.Ok(Json.string("yes")));
        called.await();
        String text = whenFree(() -> {
            try (OpenTurn turn = belay.session("s").begin("Go.", "in", "desk")) {
                return desk.loop(turn);
            }
        });
        assertThat(text).isEqualTo("done: yes");
    }

    @Test
    void aParkedTurnThatIsCancelledTellsItsLoop() throws Exception {
        Belay belay = open(SessionBench.calling(List.of(ASK)));
        assertThat(run(belay, "in")).isEqualTo("parked");
        belay.session("s").input("in").orElseThrow().cancel("too late");
        assertThatThrownBy(() -> run(belay, "in")).extracting("code").isEqualTo("turn_cancelled");
        assertThat(belay.session("s").messages().toString()).contains("Cancelled: too late");
    }

    private static String whenFree(java.util.function.Supplier<String> action) {
        while (true) {
            try {
                return action.get();
            } catch (BelayException busy) {
                if (!busy.code().equals("turn_busy")) {
                    throw busy;
                }
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
        }
    }
}
