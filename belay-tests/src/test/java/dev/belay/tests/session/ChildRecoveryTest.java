package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract T.1: children are cancelled with the call that started them, also if the process that ran it is gone. */
class ChildRecoveryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();
    private final Delegation delegation = new Delegation(call("a", "delegate"));
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicReference<SessionId> child = new AtomicReference<>();
    private final AtomicReference<UnaryOperator<ChildSession>> kind = new AtomicReference<>(made -> made);

    @AfterEach
    void close() {
        delegation.mayAnswer.countDown();
        bench.close();
    }

    /** What a body does once it has started a turn. */
    private interface Use {
        Object of(ChildSession.Turn turn, ToolContext context) throws Exception;
    }

    private UnaryOperator<BelayBuilder> with(ToolDefinition delegate, Use use) {
        var tools = StaticToolProvider.builder().raw(delegate, (in, context) -> {
            entered.incrementAndGet();
            ChildSession made = ((SessionToolContext) context).sessions().create("helper");
            child.set(made.id());
            return use.of(kind.get().apply(made).turn("t", "Help."), context);
        }).build();
        return builder -> builder.tools(tools).time(time);
    }

    /** A process that dies when the parent's cancellation was recorded and no thread has acted on it. */
    private void cancelAndDie(UnaryOperator<BelayBuilder> more) throws InterruptedException {
        var dying = bench.dying(model(delegation::answer),
                (moment, write) -> moment == Moment.AFTER && write.startsWith("cancel "), more);
        InputHandle parent = dying.belay.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        assertThatThrownBy(() -> parent.cancel("enough")).isInstanceOf(StackOverflowError.class);
        dying.awaitDeath();
    }

    private static TurnResult.Ended parent(Belay belay) throws InterruptedException {
        return belay.session("s").input("in").orElseThrow().awaitCommit();
    }

    private TurnResult.Ended ofChild(Belay belay) throws InterruptedException {
        return belay.session(child.get()).input("t").orElseThrow().awaitCommit();
    }

    @ParameterizedTest
    @CsvSource({"READ, false", "IDEMPOTENT, false", "ONCE, false", "IDEMPOTENT, true"})
    void aChildIsCancelledWithItsParentByTheNextProcess(ToolEffect effect, boolean resumable)
            throws Exception {
        var more = with(tool("delegate", effect).resumable(resumable),
                (turn, context) -> turn.await().text());
        cancelAndDie(more);
        Belay next = bench.open(model(delegation::answer), more);
        assertThat(parent(next).summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(ofChild(next).summary())
                .isEqualTo("the turn was cancelled: the call that started it was stopped: enough");
        assertThat(entered.get()).as("bodies entered").isEqualTo(resumable ? 2 : 1);
    }

    /** A body that cannot take its resource is not entered, and starts nothing that could be cancelled. */
    @Test
    void theChildOfAResumableBodyThatIsNotEnteredAgainIsCancelledToo() throws Exception {
        var more = with(tool("delegate", ToolEffect.IDEMPOTENT).resumable(true).exclusive("desk"),
                (turn, context) -> turn.await().text());
        cancelAndDie(more);
        Belay next = bench.open(model(delegation::answer), more);
        assertThat(parent(next).summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(ofChild(next).summary()).contains("stopped: enough");
    }

    @ParameterizedTest
    @EnumSource(ToolEffect.class)
    void aChildThatIsDetachedRunsOnInTheNextProcess(ToolEffect effect) throws Exception {
        kind.set(ChildSession::detached);
        var more = with(tool("delegate", effect), (turn, context) -> turn.await().text());
        cancelAndDie(more);
        Belay next = bench.open(model(delegation::answer), more);
        assertThat(parent(next).summary()).isEqualTo("the turn was cancelled: enough");
        delegation.mayAnswer.countDown();
        assertThat(ofChild(next).summary()).isEqualTo("helped");
    }

    @Test
    void whatSomebodyElseSaysToTheChildIsNotCancelledWithTheCall() throws Exception {
        kind.set(ChildSession::detached);
        var more = with(tool("delegate", ToolEffect.IDEMPOTENT), (turn, context) -> turn.await().text());
        cancelAndDie(more);
        delegation.mayAnswer.countDown();
        Belay next = bench.open(model(delegation::answer), more);
        InputHandle other = next.session(child.get()).turn("And you?").id("other").submit();
        assertThat(parent(next).summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(other.awaitCommit().text()).isEqualTo("helped");
    }

    /** The turn goes on behind the doubt, so its cancellation comes when the call has its outcome. */
    @Test
    void theChildOfACallInDoubtIsCancelledWithItsTurn() throws Exception {
        var goesOn = new CountDownLatch(1);
        var model = model(request -> {
            if (SessionBench.roundsSinceUser(request) == 0) {
                return delegation.answer(request);
            }
            goesOn.countDown();
            return Delegation.untilInterrupted();
        });
        var more = with(tool("delegate", ToolEffect.ONCE), (turn, context) -> turn.await().text());
        var dying = bench.dying(model, (moment, write) -> write.startsWith("accept last "), more);
        dying.belay.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        assertThatThrownBy(() -> dying.belay.session("last").turn("Go.").submit())
                .isInstanceOf(StackOverflowError.class);
        dying.awaitDeath();
        Belay next = bench.open(model, more);
        goesOn.await();
        next.session("s").input("in").orElseThrow().cancel("enough");
        assertThat(parent(next).summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(ofChild(next).summary())
                .isEqualTo("the turn was cancelled: the call that started it was stopped: enough");
    }

    @Test
    void theChildOfAParkedCallIsCancelledWithIt() throws Exception {
        Belay belay = bench.open(model(delegation::answer), with(tool("delegate", ToolEffect.IDEMPOTENT),
                (turn, context) -> {
                    context.completionKey();
                    return ToolResult.pending();
                }));
        InputHandle parent = belay.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        bench.awaitWrite("effect round/1/call/0/attempt/1 COMPLETED");
        parent.cancel("enough");
        assertThat(parent(belay).summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(ofChild(belay).summary()).contains("stopped: enough");
    }

    @Test
    void theChildOfAParkedCallIsCancelledWhenThatIsNotCompletedInTime() throws Exception {
        Belay belay = bench.open(model(delegation::answer), with(tool("delegate", ToolEffect.IDEMPOTENT),
                (turn, context) -> {
                    context.completionKey();
                    return ToolResult.pending(PendingCompletion.DEFAULT.until(time.now().plus(MINUTE)));
                }));
        belay.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        bench.awaitWrite("effect round/1/call/0/attempt/1 COMPLETED");
        time.awaitAlarmIn(MINUTE);
        time.advance(MINUTE);
        assertThat(parent(belay).summary()).contains("tool_completion_timeout");
        assertThat(ofChild(belay).summary()).contains("was not completed in time");
    }

    @Test
    void theChildOfAnAttemptThatFailedIsCancelledWithTheCall() throws Exception {
        var failure = ToolFailure.of(ToolFailure.Kind.EXTERNAL, "busy", "busy")
                .withRetry(RetryAdvice.ALLOWED);
        Belay belay = bench.open(model(delegation::answer), with(
                tool("delegate", ToolEffect.IDEMPOTENT).retry(new RetryPolicy(3, MINUTE, 1, MINUTE)),
                (turn, context) -> {
                    throw new ToolException(failure);
                }));
        InputHandle parent = belay.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        bench.awaitWrite("effect round/1/call/0/attempt/1 COMPLETED");
        parent.cancel("enough");
        assertThat(parent(belay).summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(ofChild(belay).summary()).contains("stopped: enough");
    }

    /** The child waits for somebody outside meanwhile, so that it is not entered as often as its parent. */
    @Test
    void theChildrenOfATurnThatIsAbandonedAreCancelledWithIt() throws Exception {
        var isParked = new AtomicReference<BooleanSupplier>(() -> false);
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT), (in, context) -> {
                    ChildSession made = ((SessionToolContext) context).sessions().create("helper");
                    child.set(made.id());
                    made.turn("t", "Help.");
                    while (!isParked.get().getAsBoolean()) {
                        LockSupport.parkNanos(SessionBench.A_MOMENT);
                    }
                    return "begun";
                })
                .raw(tool("ask", ToolEffect.IDEMPOTENT), (in, context) -> {
                    context.completionKey();
                    return ToolResult.pending();
                })
                .build();
        var model = model(request -> calls(List.of(
                ((UserMessage) request.messages().getFirst()).text().equals("Go.")
                        ? call("a", "delegate")
                        : call("a", "ask"))));
        var death = SessionBench.Death.at(Moment.BEFORE, "effect round/1/call/0/attempt/1 COMPLETED");
        var first = bench.dying(model, (moment, write) -> isParked.get().getAsBoolean()
                && moment == Moment.BEFORE && write.equals(death.write()),
                builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        isParked.set(() -> first.written().stream().anyMatch(write -> write.startsWith("park ")));
        first.belay.session("s").turn("Go.").id("in").submit();
        first.awaitDeath();
        while (bench.dies(model, death, tools)) {
            // four more like the first
        }
        Belay belay = bench.open(model, builder -> builder.tools(tools));
        assertThat(belay.abandon(belay.stuck().getFirst(), "nobody knows why")).isEqualTo(VerbResult.DONE);
        assertThat(ofChild(belay).summary()).contains("the turn was abandoned: nobody knows why");
    }

    @Test
    void theChildrenOfALoopThatIsGivenUpAreCancelledWithIt() throws Exception {
        var model = model(request -> ((UserMessage) request.messages().getFirst()).text().equals("Go.")
                ? calls(List.of(Desk.LOOK))
                : delegation.answer(request));
        var dying = bench.dying(model, SessionBench.Death.at(Moment.BEFORE,
                "effect round/1/call/0/attempt/1 COMPLETED"), builder -> builder);
        var call = Desk.round(dying.belay.session("s").begin("Go.", "in")).calls().getFirst();
        assertThatThrownBy(() -> call.run((DeskTools.Look) call.input(), context -> {
            ChildSession made = ((SessionToolContext) context).sessions().create("helper");
            child.set(made.id());
            made.turn("t", "Help.");
            delegation.asked.await();
            return "begun";
        }));
        dying.awaitDeath();
        Belay next = bench.open(model, builder -> builder);
        assertThat(next.abandon(next.openTurns(null, 1).getFirst(), "nobody knows why"))
                .isEqualTo(VerbResult.DONE);
        assertThat(ofChild(next).summary()).contains("the turn was abandoned: nobody knows why");
    }

    /** Cancels a parent once its child has begun, and reads how both have ended. */
    private static final class CancelledParent implements Crashes.Scenario<List<String>> {

        private final ToolEffect effect;
        private final AtomicReference<SessionId> begun = new AtomicReference<>();

        CancelledParent(ToolEffect effect) {
            this.effect = effect;
        }

        @Override
        public Model model() {
            return SessionBench.model(request -> {
                if (((UserMessage) request.messages().getFirst()).text().equals("Go.")) {
                    // another call each time: one that may have happened is not made again
                    return calls(List.of(
                            new CallPart("a", "delegate", "{\"n\":" + request.messages().size() + "}")));
                }
                return Delegation.untilInterrupted();
            });
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder.tools(StaticToolProvider.builder()
                    .raw(tool("delegate", effect), (in, context) -> {
                        ChildSession made = ((SessionToolContext) context).sessions().create("helper");
                        ChildSession.Turn turn = made.turn("t", "Help.");
                        begun.set(made.id());
                        return turn.await().text();
                    })
                    .build());
        }

        @Override
        public void begin(Belay belay) throws Exception {
            InputHandle parent = belay.session("s").turn("Go.").id("in").submit();
            while (begun.get() == null && parent.result().isEmpty()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            parent.cancel("enough");
        }

        @Override
        public List<String> end(Belay belay) throws Exception {
            String parent = ChildRecoveryTest.parent(belay).summary();
            return begun.get() == null
                    ? List.of(parent)
                    : List.of(parent,
                            belay.session(begun.get())
                                    .input("t")
                                    .orElseThrow()
                                    .awaitCommit()

                                    .summary());
        }
    }

    @ParameterizedTest
    @EnumSource(ToolEffect.class)
    void whereverTheProcessDiesAChildIsCancelledWithItsParent(ToolEffect effect) throws Exception {
        List<Crashes.Play<List<String>>> plays = new Crashes<>(() -> new CancelledParent(effect)).play();
        assertThat(plays.getFirst().end()).containsExactly("the turn was cancelled: enough",
                "the turn was cancelled: the call that started it was stopped: enough");
        assertThat(plays).allSatisfy(
                play -> assertThat(play.end()).as(play.where()).isEqualTo(plays.getFirst().end()));
    }
}
