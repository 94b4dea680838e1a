package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract G.3 and V.3: a resumable body that runs out of time in a {@code ONCE} step is held, asked about and settled as a plain body is. */
@Timeout(120)
class TimedOutStepsTest {

    private static final String OUTCOME = "effect round/1/call/0/outcome/";

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final AtomicInteger tickets = new AtomicInteger();
    private final AtomicInteger paid = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private volatile CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private boolean deaf;
    private boolean mails;
    private Callable<?> late = () -> "goes on";
    private final CompletableFuture<Thread> first = new CompletableFuture<>();
    private ToolDefinition flow = tool("flow", ToolEffect.ONCE).resumable(true)
            .timeouts(new Timeouts(Duration.ofSeconds(5), null));

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    /** The step {@code pay} does not end in time when it runs first. */
    private BelayBuilder with(BelayBuilder builder) {
        return builder.time(time)
                .parkAfter(Duration.ZERO)
                .tools(StaticToolProvider.builder().raw(flow, (arguments, context) -> {
                    entered.incrementAndGet();
                    Json ticket = context.durable()
                            .run("ticket", Json.EMPTY_OBJECT,
                                    input -> Json.string("T" + tickets.incrementAndGet()));
                    Json receipt = context.durable().run("pay", ticket, input -> {
                        if (paid.incrementAndGet() == 1) {
                            first.complete(Thread.currentThread());
                            begun.countDown();
                            hang();
                            late.call();
                        }
                        return Json.string("paid " + input.asString());
                    });
                    return mails ? context.durable().run("mail", receipt, input -> input) : receipt;
                }).build());
    }

    private void hang() throws InterruptedException {
        while (true) {
            try {
                released.await();
                return;
            } catch (InterruptedException e) {
                if (!deaf) {
                    throw e;
                }
            }
        }
    }

    private Belay open() {
        return bench.open(calling(List.of(call("c1", "flow"))), this::with);
    }

    private InputHandle begun(Belay belay) throws InterruptedException {
        InputHandle input = belay.session("s").turn("go").id("in").submit();
        begun.await();
        return input;
    }

    /** A turn whose call waits because its step has timed out. */
    private Belay held() throws Exception {
        flow = flow.onDoubt(OnDoubt.HOLD);
        Belay belay = open();
        var unused = begun(belay);
        time.during(() -> {
            bench.awaitWriteThat(write -> write.startsWith("park ")); // from now on its records are refused
            return true;
        });
        return belay;
    }

    private TurnResult.Ended ended(Belay belay) throws Exception {
        return time.during(belay.session("s").input("in").orElseThrow()::awaitCommit);
    }

    private static Doubt only(Belay belay) {
        return belay.doubts().open(0, 9).getFirst();
    }

    @Test
    void aBodyThatTimesOutInAStepIsHeldAndEndsWithWhatHappened() throws Exception {
        Belay belay = held();
        assertThat(belay.session("s").input("in").orElseThrow().result()).isEmpty();
        assertThat(belay.pending(null, 9).items()).singleElement().satisfies(wait -> {
            assertThat(wait.kind()).isEqualTo(PendingWait.Kind.DOUBT);
            assertThat(wait.tool()).isEqualTo("flow");
        });
        assertThat(only(belay).about().code()).isEqualTo("tool_timeout");
        assertThat(belay.doubts().happened(only(belay).id(), Json.string("R-7"), "seen"))
                .isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: R-7");
        assertThat(ended(belay).doubts()).isEmpty();
        assertThat(entered).hasValue(1);
    }

    @Test
    void aHeldBodyThatDidNotHappenRunsOnceMoreAndKnowsItsSteps() throws Exception {
        Belay belay = held();
        assertThat(belay.doubts().didNotHappen(only(belay).id(), "no trace")).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: paid T1");
        assertThat(tickets).as("the step before has a value").hasValue(1);
        assertThat(paid).hasValue(2);
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aHeldBodyIsNotRunAgainWhileItsThreadMayRun() throws Exception {
        deaf = true;
        Belay belay = held();
        assertThat(belay.doubts().didNotHappen(only(belay).id(), "no trace")).isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).contains("Error (tool_timeout)").contains("no trace");
        assertThat(paid).hasValue(1);
    }

    @Test
    void aHeldBodyEndsWithItsLateAnswer() throws Exception {
        deaf = true;
        Belay belay = held();
        released.countDown();
        TurnResult.Ended result = ended(belay);
        assertThat(result.text()).isEqualTo("done: paid T1");
        assertThat(result.doubts()).isEmpty();
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aHeldBodyEndsWithALateFailureOfItsOwn() throws Exception {
        deaf = true;
        late = () -> {
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.EXECUTION, "card_declined", "no money"));
        };
        Belay belay = held();
        released.countDown();
        assertThat(ended(belay).text()).contains("Error (card_declined)");
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aLateBodyThatThrowsHasNotAnswered() throws Exception {
        late = () -> {
            throw new IOException("closed");
        };
        notAnswered();
    }

    @Test
    void aLateBodyThatNeedsAnotherStepHasNotAnswered() throws Exception {
        mails = true;
        notAnswered();
    }

    private void notAnswered() throws Exception {
        deaf = true;
        Belay belay = held();
        released.countDown();
        first.join().join();
        assertThat(belay.doubts().happened(only(belay).id(), Json.string("R-7"), "seen"))
                .isEqualTo(VerbResult.DONE);
        assertThat(ended(belay).text()).isEqualTo("done: R-7");
    }

    @Test
    void aHeldBodyThatIsCancelledStaysInDoubt() throws Exception {
        Belay belay = held();
        belay.session("s").input("in").orElseThrow().cancel("enough");
        assertThat(ended(belay).doubts()).containsExactly(only(belay).id());
    }

    @Test
    void theReconcilerOfABodyThatTimesOutInAStepIsAskedFiveTimes() throws Exception {
        var asked = new AtomicInteger();
        flow = flow.reconciler(recorded -> {
            asked.incrementAndGet();
            throw new IllegalStateException("the bank does not answer");
        });
        Belay belay = open();
        TurnResult.Ended result = time.during(begun(belay)::awaitCommit);
        assertThat(asked).hasValue(5);
        assertThat(result.text()).contains("Error (tool_timeout)");
        assertThat(result.doubts()).containsExactly(only(belay).id());
        assertThat(entered).hasValue(1);
    }

    @Test
    void theReconcilerMayAnswerAtALaterQuestion() throws Exception {
        var asked = new AtomicInteger();
        flow = flow.reconciler(recorded -> {
            if (asked.incrementAndGet() < 3) {
                throw new IllegalStateException("the bank does not answer");
            }
            return Reconciliation.happened(new ToolOutcome.Success(Json.string("R-7")));
        });
        Belay belay = open();
        assertThat(time.during(begun(belay)::awaitCommit).text()).isEqualTo("done: R-7");
        assertThat(belay.doubts().open(0, 9)).isEmpty();
    }

    @Test
    void aTurnThatIsAbandonedWhileTheReconcilerIsAskedLeavesADoubt() throws Exception {
        flow = flow.reconciler(recorded -> {
            throw new IllegalStateException("the bank does not answer");
        });
        SessionBench.Dying first = bench.dying(calling(List.of(call("c1", "flow"))),
                (moment, write) -> moment == Moment.AFTER && write.startsWith(OUTCOME + "1 COMPLETED"),
                this::with);
        first.belay.session("s").turn("go").id("in").submit();
        begun.await();
        time.during(() -> {
            first.awaitDeath();
            return true;
        });
        Belay belay = bench.open(calling(List.of(call("c1", "flow"))),
                builder -> with(builder).start(false));
        assertThat(belay.abandon(new SessionId("s"), 1, "no use")).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().doubts())
                .containsExactly(only(belay).id());
        assertThat(only(belay).about().call().name()).isEqualTo("flow");
        assertThat(only(belay).about().why()).contains("no use");
    }

    @Test
    void aBodyInDoubtIsNotEnteredAgainAfterItsProcessDied() throws Exception {
        SessionBench.Dying first = bench.dying(calling(List.of(call("c1", "flow"))),
                Death.at(Moment.AFTER, OUTCOME + "1 IN_DOUBT"), this::with);
        first.belay.session("s").turn("go").id("in").submit();
        begun.await();
        time.during(() -> {
            first.awaitDeath();
            return true;
        });
        Belay belay = open();
        TurnResult.Ended result = ended(belay);
        assertThat(result.text()).contains("Error (tool_timeout)");
        assertThat(entered).hasValue(1);
        assertThat(belay.doubts().open(0, 9)).hasSize(1);
        assertThat(result.doubts()).containsExactly(only(belay).id());
    }
}
