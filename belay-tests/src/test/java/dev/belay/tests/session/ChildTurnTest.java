package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Timeouts;
import dev.belay.toolset.budget.Prices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract T.1: a turn of a child is awaited, heard, and cancelled with the call that started it unless it is detached. */
class ChildTurnTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final Delegation delegation = new Delegation(call("a", "delegate"));
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicReference<SessionId> child = new AtomicReference<>();
    private volatile boolean detached;

    @AfterEach
    void close() {
        delegation.mayAnswer.countDown();
        bench.close();
    }

    /** What a body does with a turn that it has started. */
    private interface Use {
        Object of(ChildSession.Turn turn) throws Exception;
    }

    private StaticToolProvider delegating(boolean resumable, Use use) {
        return StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT).resumable(resumable)
                        .timeouts(new Timeouts(MINUTE, null)), (in, context) -> use.of(begun(context)))
                .build();
    }

    private ChildSession.Turn begun(ToolContext context) {
        ChildSession made = ((SessionToolContext) context).sessions().create("helper");
        child.set(made.id());
        return begun(detached ? made.detached() : made);
    }

    private ChildSession.Turn begun(ChildSession made) {
        ChildSession.Turn turn = made.turn("t", "Help.");
        started.countDown();
        return turn;
    }

    private Belay open(boolean resumable, Use use) {
        return bench.open(model(delegation::answer),
                builder -> builder.tools(delegating(resumable, use)).time(time).parkAfter(Duration.ZERO));
    }

    private TurnResult.Ended ofChild(Belay belay) throws InterruptedException {
        return belay.session(child.get()).input("t").orElseThrow().awaitCommit();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChildThatIsAwaitedIsCancelledWithItsParent(boolean resumable) throws Exception {
        Belay belay = open(resumable, turn -> turn.await().text());
        var parent = belay.session("s").turn("Go.").submit();
        delegation.asked.await();
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).contains("enough");
        assertThat(ofChild(belay).summary())
                .isEqualTo("the turn was cancelled: the call that started it was stopped: enough");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBodyMayCancelTheTurnOfItsChild(boolean resumable) throws Exception {
        Belay belay = open(resumable, turn -> {
            delegation.asked.await();
            turn.cancel("enough");
            return turn.await().summary();
        });
        assertThat(belay.session("s").turn("Go.").run().ended().text())
                .contains("the turn was cancelled: enough");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChildThatIsDetachedRunsOn(boolean resumable) throws Exception {
        detached = true;
        Belay belay = open(resumable, turn -> turn.await().text());
        var parent = belay.session("s").turn("Go.").submit();
        delegation.asked.await();
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).contains("enough");
        delegation.mayAnswer.countDown();
        assertThat(ofChild(belay).summary()).isEqualTo("helped");
    }

    @Test
    void aChildThatNobodyAwaitsIsCancelledWithItsParentToo() throws Exception {
        Belay belay = open(false, turn -> {
            new CountDownLatch(1).await();
            return "never";
        });
        var parent = belay.session("s").turn("Go.").submit();
        delegation.asked.await();
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).contains("enough");
        assertThat(ofChild(belay).summary()).contains("stopped: enough");
    }

    @Test
    void aChildThatIsStartedWhileItsCallIsStoppedIsCancelledToo() throws Exception {
        var accepting = new CountDownLatch(1);
        var mayAccept = new CountDownLatch(1);
        var accepted = new CountDownLatch(1);
        var store = Intercepted.store(new SharedMemory().open(), (what, real) -> {
            if (!what.matches("accept .* t")) {
                return real.call();
            }
            accepting.countDown();
            while (mayAccept.getCount() > 0) {
                LockSupport.parkNanos(SessionBench.A_MOMENT); // as a store, whom no interrupt stops
            }
            return real.call();
        });
        try (Belay belay = Belay.builder()
                .model(model(delegation::answer))
                .tools(delegating(false, turn -> {
                    accepted.countDown();
                    return "begun";
                }))
                .time(time)
                .store(store)
                .build()) {
            var parent = belay.session("s").turn("Go.").submit();
            accepting.await();
            parent.cancel("enough");
            while (parent.result().isEmpty()) {
                time.advance(Duration.ofSeconds(1));
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            mayAccept.countDown();
            accepted.await();
            assertThat(ofChild(belay).summary()).contains("stopped: enough");
        }
    }

    @Test
    void aSiblingWhoseSessionIsGoneDoesNotKeepTheOthersAlive() throws Exception {
        var gone = new AtomicReference<SessionId>();
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT), (in, context) -> {
                    ChildSession first = ((SessionToolContext) context).sessions().create("gone");
                    first.turn("t", "Help.");
                    gone.set(first.id());
                    return begun(context).await().text();
                })
                .build();
        Belay belay = bench.open(model(delegation::answer), builder -> builder.tools(tools));
        var parent = belay.session("s").turn("Go.").submit();
        delegation.asked.await();
        started.await();
        assertThat(belay.session(gone.get()).delete()).isEqualTo(VerbResult.DONE);
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).contains("enough");
        assertThat(ofChild(belay).summary()).contains("stopped: enough");
    }

    @Test
    void aChildIsCancelledWhenItsCallTakesTooLong() throws Exception {
        Belay belay = open(false, turn -> turn.await().text());
        var parent = belay.session("s").turn("Go.").submit();
        delegation.asked.await();
        time.advance(MINUTE);
        assertThat(parent.awaitCommit().summary()).startsWith("Error (tool_timeout)");
        assertThat(ofChild(belay).summary()).contains("did not finish within PT1M");
    }

    @Test
    void aChildOfACallThatAnswersInSpiteOfACancellationRunsOn() throws Exception {
        Belay belay = open(false, turn -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                return "anyway";
            }
            return "never";
        });
        var parent = belay.session("s").turn("Go.").submit();
        delegation.asked.await();
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).contains("enough");
        assertThat(belay.session("s").messages().getLast().toString()).contains("anyway");
        delegation.mayAnswer.countDown();
        assertThat(ofChild(belay).summary()).isEqualTo("helped");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChildWhoseCallHasAnsweredRunsOn(boolean resumable) throws Exception {
        Belay belay = open(resumable, turn -> "begun");
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("begun");
        delegation.mayAnswer.countDown();
        assertThat(ofChild(belay).summary()).isEqualTo("helped");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChildGoesOnWhenTheRuntimeOfItsParentCloses(boolean resumable) throws Exception {
        Belay one = open(resumable, turn -> turn.await().text());
        one.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        one.close();
        delegation.mayAnswer.countDown();
        Belay two = open(resumable, turn -> turn.await().text());
        assertThat(two.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("helped");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverStartsAChildHearsIt(boolean resumable) throws Exception {
        delegation.mayAnswer.countDown();
        List<String> heard = new CopyOnWriteArrayList<>();
        Model speaking = new Model() {
            @Override
            public String id() {
                return "speaking";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                ModelResponse response = delegation.answer(request);
                listener.on(new ModelEvent.TextDelta(response.text()));
                return response;
            }
        };
        Belay belay = bench.open(speaking, builder -> builder.tools(delegating(resumable,
                turn -> turn.stream(event -> {
                    if (event instanceof TurnEvent.Text(long turnNumber, int round, String chunk)) {
                        heard.add(chunk);
                    }
                }).text())).time(time));
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("helped");
        assertThat(heard).containsExactly("helped");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAChildSpendsIsSpentByTheTurnThatWaitsForIt(boolean resumable) throws Exception {
        Belay belay = bench.open(model(delegation::answer), builder -> builder.time(time)
                .parkAfter(Duration.ZERO)
                .tools(delegating(resumable, turn -> turn.await().text() + turn.await().text())));
        delegation.mayAnswer.countDown();
        TurnResult.Ended parent = belay.session("s").turn("Go.").run().ended();
        TurnResult.Ended own = belay.session(child.get()).input("t").orElseThrow().awaitCommit();
        assertThat(own.usage()).isEqualTo(Usage.of(10, 5));
        assertThat(parent.usage()).as("two rounds of its own, and once that of the child")
                .isEqualTo(Usage.of(7, 3).plus(Usage.of(10, 5)).plus(own.usage()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAChildOfAnotherAgentCostsIsCostOfTheTurnThatWaitsForItAtThePricesOfThatAgent(boolean resumable)
            throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT).resumable(resumable), (in, context) -> {
                    ChildSession made = ((SessionToolContext) context).sessions().create("helper", "lawyer");
                    child.set(made.id());
                    return made.turn("t", "Help.").await().text();
                })
                .build();
        Belay belay = bench.open(model(delegation::answer), builder -> builder.time(time)
                .parkAfter(Duration.ZERO)
                .tools(tools)
                .prices("default", Prices.of("1000000", "2000000"))
                .agent("lawyer", a -> a.model(model(delegation::answer))
                        .prices("default", Prices.of("10000000", "20000000"))));
        delegation.mayAnswer.countDown();
        TurnResult.Ended parent = belay.session("s").turn("Go.").run().ended();
        assertThat(ofChild(belay).cost()).isEqualByComparingTo("200");
        assertThat(parent.cost()).as("13 and 20 for rounds of its own, 200 for the child")
                .isEqualByComparingTo("233");
    }
}
