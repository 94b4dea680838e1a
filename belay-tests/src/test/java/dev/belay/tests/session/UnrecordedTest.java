package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Contract P.5: a model call that is lost with its process is unrecorded, not guessed; and nothing else is called so. */
class UnrecordedTest {

    private static final StaticToolProvider LOOK = StaticToolProvider.builder()
            .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
            .build();
    private static final Model MODEL = calling(List.of(call("a", "look")));
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** After which a turn is stuck: five entries without a new record, after the first, which has recorded the round before. */
    private static final int ENTRIES = 6;
    private static final Usage TWO_ROUNDS = Usage.of(17, 8);

    private final SharedMemory sessions = new SharedMemory();

    private Belay open(Model model) {
        return Belay.builder().model(model).tools(LOOK).store(sessions.open((moment, name) -> {})).build();
    }

    /** A process that is dead from a write on: it writes nothing more and gives nothing back. */
    private void dieBefore(String write) throws InterruptedException {
        var dead = new AtomicBoolean();
        var died = new CountDownLatch(1);
        var store = sessions.open((moment, name) -> {
            if (dead.get() || (moment == Moment.BEFORE && name.equals(write))) {
                dead.set(true);
                died.countDown();
                throw new StackOverflowError("dead before " + write);
            }
        });
        try (store; Belay dying = Belay.builder().model(MODEL).tools(LOOK).store(store).build()) {
            dying.session("s").turn("Go.").id("in").submit();
            died.await();
        } catch (StackOverflowError earlier) {
            // what another process left has killed it before it was asked
        }
    }

    private TurnResult.Ended finish() throws InterruptedException {
        try (Belay next = open(MODEL)) {
            return next.session("s").turn("Go.").id("in").run().ended();
        }
    }

    @Test
    void aModelThatWasAskedByAProcessThatDiedIsMarkedAndWhatItCostIsNotGuessed() throws Exception {
        dieBefore("effect round/2 COMPLETED");
        TurnResult.Ended result = finish();
        assertThat(result.unrecorded()).isEqualTo(1);
        assertThat(result.usage()).as("of the rounds that are recorded").isEqualTo(TWO_ROUNDS);
    }

    @Test
    void theFirstRoundIsMarkedToo() throws Exception {
        dieBefore("effect round/1 COMPLETED");
        assertThat(finish().unrecorded()).isEqualTo(1);
    }

    @Test
    void aTurnThatWasPausedAfterItsProcessHadDiedIsMarkedToo() throws Exception {
        dieBefore("effect round/2 COMPLETED");
        try (Belay next = Belay.builder()
                .model(MODEL)
                .tools(LOOK)
                .store(sessions.open())
                .start(false)
                .build()) {
            next.pause(Target.session("s"), "wait");
            next.start();
            while (Objects.requireNonNull(next.sessions(null, 1).items().getFirst().waits())
                    .what() != WaitsFor.For.PAUSE) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            next.unpause(Target.session("s"), "go on");
            assertThat(next.session("s").turn("Go.").id("in").run().ended().unrecorded()).isEqualTo(1);
        }
    }

    @Test
    void eachProcessThatDiesWithAnAnswerIsCountedOnceForItsRound() throws Exception {
        dieBefore("effect round/1 COMPLETED");
        dieBefore("effect round/2 COMPLETED");
        assertThat(finish().unrecorded()).isEqualTo(2);
    }

    @Test
    void whoeverHearsTheTurnIsToldThatTheRoundIsRepeated() throws Exception {
        dieBefore("effect round/2 COMPLETED");
        try (Belay next = open(MODEL)) {
            var unused = next.session("s").turn("Go.").id("in").run();
            var from = new EventCursor(next.session("s").events().cursor().stream(), 0);
            SessionEvents events = next.session("s").events(from);
            List<TurnEvent> heard = new ArrayList<>();
            do {
                heard.add(events.next(PATIENCE).orElseThrow());
            } while (!(heard.getLast() instanceof TurnEvent.Committed));
            assertThat(heard).filteredOn(TurnEvent.RoundRestarted.class::isInstance)
                    .singleElement()
                    .satisfies(event -> assertThat(((TurnEvent.RoundRestarted) event).round()).isEqualTo(2));
        }
    }

    @Test
    void aTurnThatIsCancelledBeforeItGoesOnIsMarkedToo() throws Exception {
        dieBefore("effect round/2 COMPLETED");
        try (var store = new StoreDriver(sessions.open())) {
            var head = store.head(new SessionId("s")).orElseThrow();
            store.cancel(TurnScope.id(head.incarnation(), 1), "enough", false, head.changedAt());
        }
        TurnResult.Ended result = finish();
        assertThat(result.summary()).contains("enough");
        assertThat(result.unrecorded()).isEqualTo(1);
    }

    /** A process that finds the turn stuck, because those before it died at a write. */
    private Belay stuckIn(String write) throws InterruptedException {
        for (int times = 0; times < ENTRIES; times++) {
            dieBefore(write);
        }
        Belay next = open(MODEL);
        while (next.stuck().isEmpty()) {
            assertThat(next.session("s").input("in").orElseThrow().result()).as("it went on").isEmpty();
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        return next;
    }

    @Test
    void aTurnThatWasStuckAndIsAbandonedIsMarkedToo() throws Exception {
        try (Belay belay = stuckIn("effect round/2 COMPLETED")) {
            assertThat(belay.abandon(belay.stuck().getFirst(), "enough")).isEqualTo(VerbResult.DONE);
            assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().unrecorded()).isEqualTo(1);
        }
    }

    @Test
    void aTurnThatWasStuckAndIsRetriedIsMarkedToo() throws Exception {
        try (Belay belay = stuckIn("effect round/2 COMPLETED")) {
            assertThat(belay.retry(belay.stuck().getFirst())).isEqualTo(VerbResult.DONE);
            assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().unrecorded()).isEqualTo(1);
        }
    }

    @Test
    void aTurnThatWasStuckInACallHasLostNoAnswer() throws Exception {
        try (Belay belay = stuckIn("effect round/1/call/0/attempt/1 COMPLETED")) {
            assertThat(belay.abandon(belay.stuck().getFirst(), "enough")).isEqualTo(VerbResult.DONE);
            assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().unrecorded()).isZero();
        }
    }

    @Test
    void aProcessThatDiedInACallHasLostNoAnswer() throws Exception {
        dieBefore("effect round/1/call/0/attempt/1 COMPLETED");
        assertThat(finish().unrecorded()).isZero();
    }

    @Test
    void aQuestionThatIsCutBecauseTheRuntimeClosesIsMarked() throws Exception {
        var asked = new CountDownLatch(1);
        Belay closing = open(SessionBench.model(request -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new ModelException(ModelException.Kind.INTERRUPTED, "cut");
        }));
        closing.session("s").turn("Go.").id("in").submit();
        asked.await();
        closing.close(Duration.ZERO);
        assertThat(finish().unrecorded()).isEqualTo(1);
    }

    @Test
    void aTurnThatWaitedAndWentOnElsewhereHasLostNothing() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var asks = SessionBench.asking(tokens, ToolEffect.IDEMPOTENT);
        Model model = calling(List.of(call("a", "ask")));
        Belay one = Belay.builder()
                .model(model)
                .tools(asks)
                .parkAfter(Duration.ZERO)
                .store(sessions.open((moment, name) -> {}))
                .build();
        one.session("s").turn("Go.").id("in").submit();
        String token = tokens.take();
        one.close();
        try (Belay two = Belay.builder()
                .model(model)
                .tools(asks)
                .store(sessions.open((moment, name) -> {}))
                .build()) {
            two.resolve(token, Resolution.ok(Json.string("yes")));
            assertThat(two.session("s").turn("Go.").id("in").run().ended().unrecorded()).isZero();
        }
    }

    @Test
    void aLoopOfOnesOwnThatWasClosedBetweenStepsHasLostNothing() throws Exception {
        try (Belay belay = open(MODEL)) {
            try (OpenTurn turn = belay.session("s").begin("Go.", "mine")) {
                assertThat(turn.step().tools(Desk.TOOLS).run()).isNotNull();
            }
            try (OpenTurn turn = belay.session("s").begin("Go.", "mine")) {
                assertThat(turn.step().tools(Desk.TOOLS).run()).isNotNull();
                assertThat(turn.abandon("enough").unrecorded()).isZero();
            }
        }
    }
}
