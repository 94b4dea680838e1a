package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract G.1: what comes after its call was settled is told to the model once, at the next round, in whatever turn. */
class LateResultTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final String LATE = "Note (tool_late): pay (call a) was given up in turn 1 and has ended after all: paid";

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        mayAnswer.countDown();
        bench.close();
    }

    /** A body that does not care whether its call is over. */
    private StaticToolProvider deaf() {
        return deaf(false);
    }

    private StaticToolProvider deaf(boolean resumable) {
        return StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE).resumable(resumable)
                        .timeouts(new Timeouts(MINUTE, null)), (in, context) -> {
                            entered.countDown();
                            while (released.getCount() > 0) {
                                try {
                                    released.await();
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                }
                            }
                            return "paid";
                        })
                .raw(tool("look", ToolEffect.READ), (in, context) -> "nothing new")
                .build();
    }

    /** Everything that the model is told by users and notes. */
    private static String heard(ModelRequest request) {
        return request.messages()
                .stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).text())
                .collect(Collectors.joining(" | "));
    }

    private static ModelResponse pays(ModelRequest request) {
        return request.messages().size() == 1 && heard(request).equals("Pay.")
                ? calls(List.of(call("a", "pay")))
                : text(heard(request));
    }

    /** Lets the call of the tool time out. */
    private void giveUp() throws InterruptedException {
        entered.await();
        time.advance(MINUTE);
        interrupted.await();
        time.advance(GRACE);
    }

    /** Lets the body end, and waits until that is known. */
    private void endAfterAll() {
        released.countDown();
        while (bench.writes().stream().noneMatch(write -> write.startsWith("accept s late/"))) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatComesAfterTheTurnIsToldOnceAndStartsNoTurn(boolean resumable) throws Exception {
        Belay belay = bench.open(model(LateResultTest::pays),
                builder -> builder.tools(deaf(resumable)).time(time));
        Session session = belay.session("s");
        var first = session.turn("Pay.").submit();
        giveUp();
        assertThat(first.awaitCommit().text()).isEqualTo("Pay.");
        int doubts = resumable ? 0 : 1; // a resumable body has done nothing outside a step
        assertThat(belay.doubts().open(0, 9)).as("in doubt since its timeout").hasSize(doubts);
        endAfterAll();
        bench.awaitWriteThat(write -> write.startsWith("late "));
        assertThat(belay.doubts().open(0, 9)).as("settled by the answer of the body").isEmpty();
        assertThat(belay.audit(0, 9)).extracting(entry -> entry.note().by().door())
                .hasSize(doubts)
                .allMatch("late"::equals);
        assertThat(session.head().orElseThrow().active()).as("starts no turn").isNull();
        assertThat(session.turn("And?").run().ended().text()).isEqualTo("Pay. | And? | " + LATE);
        assertThat(session.turn("So?").run().ended().text()).as("told once")
                .isEqualTo("Pay. | And? | " + LATE + " | So?");
    }

    @Test
    void whatComesWithinTheTurnIsToldAtItsNextRound() throws Exception {
        Session session = bench.open(model(request -> {
            if (request.messages().size() == 3) {
                asked.countDown();
                awaitQuietly(mayAnswer);
                return calls(List.of(call("b", "look")));
            }
            return pays(request);
        }), belay -> belay.tools(deaf()).time(time)).session("s");
        var turn = session.turn("Pay.").submit();
        giveUp();
        asked.await();
        endAfterAll();
        mayAnswer.countDown();
        assertThat(turn.awaitCommit().text()).isEqualTo("Pay. | " + LATE);
        assertThat(session.turn("And?").run().ended().text()).isEqualTo("Pay. | " + LATE + " | And?");
    }

    @Test
    void anotherProcessTellsIt() throws Exception {
        Session session = bench.open(model(LateResultTest::pays), belay -> belay.tools(deaf()).time(time))
                .session("s");
        var first = session.turn("Pay.").submit();
        giveUp();
        var unused = first.awaitCommit();
        endAfterAll();
        Belay two = bench.open(model(LateResultTest::pays), belay -> belay.tools(deaf()).time(time));
        assertThat(two.session("s").turn("And?").run().ended().text()).isEqualTo("Pay. | And? | " + LATE);
    }

    @Test
    void aLoopOfOnesOwnIsToldAtItsNextStep() throws Exception {
        Session session = bench.open(model(LateResultTest::pays), belay -> belay.tools(deaf()).time(time))
                .session("s");
        var first = session.turn("Pay.").submit();
        giveUp();
        var unused = first.awaitCommit();
        endAfterAll();
        try (OpenTurn turn = session.begin("And?", "mine")) {
            assertThat(turn.step().answer().toString()).contains("Pay. | And? | " + LATE);
        }
    }

    @Test
    void aSessionThatWasMadeAgainHearsNothingOfIt() throws Exception {
        Belay belay = bench.open(model(LateResultTest::pays), builder -> builder.tools(deaf()).time(time));
        var first = belay.session("s").turn("Pay.").submit();
        giveUp();
        var unused = first.awaitCommit();
        assertThat(belay.session("s").deleteEvenInDoubt()).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").turn("Hello.").run().ended().text()).isEqualTo("Hello.");
        released.countDown();
        belay.close();
        Belay two = bench.open(model(LateResultTest::pays), builder -> builder.tools(deaf()).time(time));
        assertThat(two.session("s").turn("And?").run().ended().text()).isEqualTo("Hello. | And?");
    }

    /** A runtime whose store does not always do what it is asked. */
    private Belay intercepted(SharedMemory sessions, StaticToolProvider tools,
            Intercepted.Between between) {
        return Belay.builder()
                .model(model(LateResultTest::pays))
                .tools(tools)
                .time(time)
                .store(Intercepted.store(sessions.open(), between))
                .build();
    }

    @Test
    void aStoreThatFailsForAWhileDoesNotLoseIt() throws Exception {
        var failures = new AtomicInteger(4);
        var told = new CountDownLatch(1);
        var kept = new CountDownLatch(1);
        try (Belay belay = intercepted(new SharedMemory(), deaf(), (what, real) -> {
            boolean notice = what.startsWith("accept s late/");
            if ((notice || what.startsWith("late ")) && failures.decrementAndGet() % 2 != 0) {
                throw new JournalException("the disk is full", null);
            }
            Object result = real.call();
            if (notice) {
                told.countDown();
            } else if (what.startsWith("late ")) {
                kept.countDown();
            }
            return result;
        })) {
            Session session = belay.session("s");
            var first = session.turn("Pay.").submit();
            giveUp();
            var unused = first.awaitCommit();
            released.countDown();
            while (kept.getCount() > 0) {
                time.advance(GRACE);
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            assertThat(told.getCount()).as("told before it is kept").isZero();
            assertThat(failures).as("both had failed once").hasValue(0);
            assertThat(session.turn("And?").run().ended().text()).isEqualTo("Pay. | And? | " + LATE);
        }
    }

    @Test
    void whatAnOwnerThatWasFencedHasDoneIsTold() throws Exception {
        var sessions = new SharedMemory();
        var told = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE), (in, context) -> "paid")
                .build();
        try (Belay belay = intercepted(sessions, tools, (what, real) -> {
            if (what.matches("effect .*call/0/attempt/1 COMPLETED")) {
                return new Written(Refusal.FENCED, 0);
            }
            Object result = real.call();
            if (what.startsWith("accept s late/")) {
                told.countDown();
            }
            return result;
        })) {
            belay.session("s").turn("Pay.").id("in").submit();
            told.await();
        }
        try (Belay two = intercepted(sessions, tools, (what, real) -> real.call())) {
            var result = two.session("s").input("in").orElseThrow().awaitCommit();
            assertThat(result.text()).isEqualTo("Pay. | " + LATE);
            assertThat(two.session("s").messages().get(2).toString()).contains("in_doubt");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
