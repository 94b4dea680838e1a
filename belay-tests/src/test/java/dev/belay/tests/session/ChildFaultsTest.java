package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract T.1: what is cancelled with a call, and nothing else, whatever the store and the others do meanwhile. */
class ChildFaultsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final StoreDriver store = new StoreDriver(InMemoryStore.open());
    private final FakeTime time = new FakeTime();
    private final Delegation delegation = new Delegation(call("a", "delegate"), call("b", "ask"));
    private final AtomicReference<SessionId> child = new AtomicReference<>();
    private final AtomicReference<Belay> belay = new AtomicReference<>();
    private final AtomicInteger failures = new AtomicInteger();

    @AfterEach
    void close() {
        delegation.mayAnswer.countDown();
        Belay open = belay.get();
        if (open != null) {
            open.close();
        }
    }

    private interface Body {
        Object run(ChildSession made, ToolContext context) throws Exception;
    }

    private Belay open(Body body) {
        Store failing = Intercepted.store(store.store(), (what, real) -> {
            if (what.startsWith("cancel ") && isChild(new ScopeId(what.substring("cancel ".length())))
                    && failures.getAndDecrement() > 0) {
                throw new JournalException("locked for a moment", null);
            }
            return real.call();
        });
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT).timeouts(new Timeouts(MINUTE, null)),
                        (in, context) -> {
                            ChildSession made = ((SessionToolContext) context).sessions().create("helper");
                            child.set(made.id());
                            return body.run(made, context);
                        })
                .raw(tool("ask", ToolEffect.IDEMPOTENT), (in, context) -> {
                    context.completionKey();
                    return ToolResult.pending();
                })
                .build();
        belay.set(Belay.builder()
                .model(model(delegation::answer))
                .tools(tools)
                .time(time)
                .store(failing)
                .build());
        return belay.get();
    }

    private boolean isChild(ScopeId scope) {
        SessionId made = child.get();
        return made != null && store.head(made)
                .filter(head -> TurnScope.id(head.incarnation(), 1).equals(scope))
                .isPresent();
    }

    private TurnResult.Ended ofChild() throws InterruptedException {
        return belay.get().session(child.get()).input("t").orElseThrow().awaitCommit();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStoreThatFailsForAMomentLetsNoChildRunOn(boolean late) throws Exception {
        failures.set(2);
        Belay runtime = open((made, context) -> made.turn("t", "Help.").await().text());
        InputHandle parent = runtime.session("s").turn("Go.").submit();
        delegation.asked.await();
        if (late) {
            time.awaitAlarmIn(MINUTE);
            time.advance(MINUTE);
        } else {
            parent.cancel("enough");
        }
        while (ended().isEmpty()) {
            time.advance(Duration.ofSeconds(1)); // the pauses before the store is asked again
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        assertThat(ofChild().summary()).contains("the call that started it was stopped");
        assertThat(failures.get()).isNotPositive();
    }

    /** A turn whose call makes a child while the store fails a few times, and what the model is told of it. */
    private String told(ToolEffect effect, String method, int times, AtomicInteger runs) throws Exception {
        var alone = new Delegation(call("a", "delegate"));
        alone.mayAnswer.countDown();
        var left = new AtomicInteger(times);
        Store failing = Intercepted.store(store.store(), (what, real) -> {
            if (what.startsWith(method + " ") && runs.get() > 0 && left.getAndDecrement() > 0) {
                throw new JournalException("the server starts", null);
            }
            return real.call();
        });
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", effect), (in, context) -> {
                    runs.incrementAndGet();
                    return ((SessionToolContext) context).sessions()
                            .create("helper")
                            .turn("t", "Help.")
                            .await()
                            .text();
                })
                .build();
        belay.set(Belay.builder()
                .model(model(alone::answer))
                .tools(tools)
                .store(failing)
                .build());
        return belay.get().session("s").turn("Go.").run().ended().text();
    }

    /** L.4: a body cannot answer for a store that fails for a moment; it is entered again. */
    @ParameterizedTest
    @ValueSource(strings = {"create", "accept"})
    void aStoreThatFailsForAMomentIsNoAnswerOfABodyThatMakesAChild(String method) throws Exception {
        var runs = new AtomicInteger();
        assertThat(told(ToolEffect.IDEMPOTENT, method, 2, runs)).isEqualTo("helped");
        assertThat(runs).hasValue(3);
    }

    /** It may have done something before it asked for the child, and must not run again. */
    @Test
    void aBodyThatMustNotBeRepeatedIsInDoubtIfTheStoreFailsWithinIt() throws Exception {
        var runs = new AtomicInteger();
        assertThat(told(ToolEffect.ONCE, "create", 1, runs)).contains("in_doubt")
                .doesNotContain("the server starts");
        assertThat(runs).hasValue(1);
        assertThat(belay.get().doubts().open(0, 9)).hasSize(1);
    }

    private List<TurnResult.Ended> ended() {
        return belay.get().session(child.get()).input("t").orElseThrow().result().stream().toList();
    }

    @Test
    void aFailureThatTheBodyGivesIsAnAnswerAlsoIfItMayHaveHappened() throws Exception {
        Belay runtime = open((made, context) -> {
            made.turn("t", "Help.");
            delegation.asked.await();
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "half_done", "half")
                    .thatMayHaveHappened());
        });
        InputHandle parent = runtime.session("s").turn("Go.").submit();
        delegation.asked.await();
        while (runtime.session("s").waits().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).isEqualTo("the turn was cancelled: enough");
        delegation.mayAnswer.countDown();
        assertThat(ofChild().summary()).isEqualTo("helped");
    }

    @Test
    void aTurnThatSomebodyElseStartedIsNotEndedByWhatJoinsIt() throws Exception {
        Belay runtime = open((made, context) -> {
            belay.get().session(made.id()).turn("Me first.").id("other").submit();
            delegation.asked.await();
            return made.turn("t", "Help.").await().text();
        });
        InputHandle parent = runtime.session("s").turn("Go.").submit();
        delegation.asked.await();
        while (runtime.session(child.get()).input("t").isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).isEqualTo("the turn was cancelled: enough");
        delegation.mayAnswer.countDown();
        assertThat(runtime.session(child.get()).input("other").orElseThrow().awaitCommit())
                .isInstanceOf(TurnResult.Finished.class);
        assertThat(runtime.session(child.get()).input("t")).as("taken back").isEmpty();
    }

    @Test
    void aDetachedTurnThatIsFoundAgainStaysDetached() throws Exception {
        Belay runtime = open((made, context) -> {
            made.detached().turn("t", "Help.");
            return made.turn("t", "Help.").await().text();
        });
        InputHandle parent = runtime.session("s").turn("Go.").submit();
        delegation.asked.await();
        parent.cancel("enough");
        assertThat(parent.awaitCommit().summary()).isEqualTo("the turn was cancelled: enough");
        delegation.mayAnswer.countDown();
        assertThat(ofChild().summary()).isEqualTo("helped");
    }

    @Test
    void aCallThatIsCancelledFromOutsideTakesItsChildAlong() throws Exception {
        var token = new AtomicReference<String>();
        Belay runtime = open((made, context) -> {
            made.turn("t", "Help.");
            token.set(context.completionKey().token());
            return ToolResult.pending();
        });
        runtime.session("s").turn("Go.").submit();
        delegation.asked.await();
        while (runtime.session("s").waits().size() < 2) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        runtime.resolve(token.get(), new Resolution.Cancelled("not ours any more"));
        assertThat(ofChild().summary()).contains("stopped: not ours any more");
    }
}
