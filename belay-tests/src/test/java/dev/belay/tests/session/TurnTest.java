package dev.belay.tests.session;

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
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.1, P.2, P.5, F.4: a turn from its input to its commit, and every way it can end. */
class TurnTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider look() {
        return StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "42")
                .build();
    }

    private static TurnResult.Stopped stopped(TurnResult.Ended result) {
        assertThat(result).isInstanceOf(TurnResult.Stopped.class);
        return (TurnResult.Stopped) result;
    }

    @Test
    void aTurnAsksRunsToolsAndAsksAgain() throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", "look"))), builder -> builder.tools(look()));
        TurnResult.Ended result = belay.session("s").turn("What is it?").run().ended();
        assertThat(result).isInstanceOf(TurnResult.Finished.class);
        assertThat(result.text()).isEqualTo("done: 42");
        assertThat(result.turn()).isEqualTo(1);
        assertThat(result.rounds()).isEqualTo(2);
        assertThat(result.usage()).isEqualTo(Usage.of(17, 8));
        assertThat(belay.session("s").messages()).containsExactly(Message.user("What is it?"),
                Message.assistant(call("a", "look")),
                Message.replies(new Part.ReplyPart("a", "look", Part.ReplyPart.Status.OK, "42")),
                Message.assistant("done: 42"));
    }

    @Test
    void theWritesOfATurnAreAcceptRoundsCallsAndCommit() throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", "look"))), builder -> builder.tools(look()));
        belay.session("s").turn("What is it?").id("in").run();
        assertThat(bench.writes()).containsExactly("accept s in", "effect round/1 COMPLETED",
                "effect round/1/call/0/attempt/1 COMPLETED", "effect round/2 COMPLETED", "commit s 1");
    }

    @Test
    void theNextTurnReadsWhatWasSaidBefore() throws Exception {
        List<ModelRequest> asked = new CopyOnWriteArrayList<>();
        Belay belay = bench.open(model(request -> {
            asked.add(request);
            return text("answer " + asked.size());
        }), builder -> builder.instructions("Be short."));
        belay.session("s").turn("one").run();
        TurnResult.Ended second = belay.session("s").turn("two").run().ended();
        assertThat(second.turn()).isEqualTo(2);
        assertThat(asked.getLast().messages()).containsExactly(Message.system("Be short."),
                Message.user("one"), Message.assistant("answer 1"), Message.user("two"));
        assertThat(belay.session("s").messages()).doesNotContain(Message.system("Be short.")).hasSize(4);
    }

    @Test
    void sameInputIdIsTheSameTurn() throws Exception {
        var asked = new AtomicInteger();
        Belay belay = bench.open(model(request -> text("answer " + asked.incrementAndGet())),
                UnaryOperator.identity());
        TurnResult.Ended first = belay.session("s").turn("one").id("in").run().ended();
        TurnResult.Ended again = belay.session("s").turn("one").id("in").run().ended();
        assertThat(again).isEqualTo(first);
        assertThat(asked).hasValue(1);
    }

    @Test
    void sameInputIdWithOtherContentIsAConflict() throws Exception {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        belay.session("s").turn("one").id("in").run();
        assertThatThrownBy(() -> belay.session("s").turn("two").id("in").run())
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("input_conflict"))
                .hasMessageContaining("use another id");
        assertThat(belay.session("s").messages()).hasSize(2);
    }

    @Test
    void aTurnWhoseSessionHasAnotherPastIsStuck() throws Exception {
        var memory = new StoreDriver(new SharedMemory().open());
        Store store = Intercepted.store(memory.store(), (what, real) -> what.startsWith("commit ")
                ? new Committed.Diverged(memory.head(new SessionId("s")).orElseThrow())
                : real.call());
        try (Belay belay = Belay.builder().model(model(request -> text("yes"))).store(store).build()) {
            InputHandle handle = belay.session("s").turn("Hello.").submit();
            assertThatThrownBy(handle::awaitCommit)
                    .hasMessageContaining("the session is at turn 0 with another past")
                    .extracting("code")
                    .isEqualTo("session_stuck");
        }
    }

    @Test
    void theReceiptOfACommitNamesNoTimeAndNoNode() throws Exception {
        List<String> receipts = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            var memory = new SharedMemory(new Random(node));
            try (Belay belay = Belay.builder()
                    .model(calling(List.of(call("a", "look"))))
                    .tools(look())
                    .time(new FakeTime(FakeTime.START.plus(Duration.ofDays(node))))
                    .random(new Random(5))
                    .store(memory.open())
                    .build();
                    var look = new StoreDriver(memory.open())) {
                belay.session("s").turn("Hello.").id("in").run();
                receipts.add(Objects.requireNonNull(look.turn(new SessionId("s"), 1).orElseThrow().end())
                        .receipt());
            }
        }
        assertThat(receipts).hasSize(2);
        assertThat(receipts.getFirst()).isEqualTo(receipts.getLast());
    }

    @Test
    void aRefusalEndsTheTurnAndStaysInTheHistory() throws Exception {
        Belay belay = bench.open(new ScriptedModel().refuse("I would rather not."), UnaryOperator.identity());
        TurnResult.Ended result = belay.session("s").turn("Do it.").run().ended();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo("I would rather not."));
        assertThat(belay.session("s").messages()).hasSize(2);
    }

    @Test
    void aFilteredAnswerWithoutWordsIsARefusalWithWords() throws Exception {
        Belay belay = bench.open(
                model(request -> new ModelResponse(Message.assistant(""), FinishReason.CONTENT_FILTER,
                        Usage.NONE,
                        "m", "")),
                UnaryOperator.identity());
        assertThat(belay.session("s").turn("Do it.").run()).isInstanceOfSatisfying(TurnResult.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo("the answer was filtered"));
        assertThat(((Message.AssistantMessage) belay.session("s").messages().getLast()).refusal())
                .contains("the answer was filtered");
    }

    @Test
    void roundsEndAtTheirBoundWithEvidence() throws Exception {
        Belay belay = bench.open(model(request -> calls(List.of(call("a", "look")))),
                builder -> builder.tools(look()).bounds(TurnBounds.DEFAULT.withMaxRounds(3)));
        TurnResult.Stopped end = stopped(belay.session("s").turn("Go on.").run().ended());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.MAX_ROUNDS);
        assertThat(end.evidence()).isEqualTo(Json.of("{\"rounds\":3}"));
        assertThat(belay.session("s").messages()).hasSize(7);
    }

    @Test
    void aTimeBudgetEndsTheTurnBeforeTheNextQuestion() throws Exception {
        var time = new FakeTime();
        Belay belay = bench.open(model(request -> {
            time.advance(Duration.ofSeconds(61));
            return calls(List.of(call("a", "look")));
        }), builder -> builder.tools(look())
                .time(time)
                .bounds(TurnBounds.DEFAULT.withMaxTime(Duration.ofMinutes(1))));
        TurnResult.Ended result = belay.session("s").turn("Go on.").run().ended();
        assertThat(stopped(result).cause()).isEqualTo(TurnEnd.Cause.TIME_BUDGET);
        assertThat(stopped(result).evidence()).isEqualTo(Json.of("{\"millis\":61000}"));
        assertThat(result.rounds()).isEqualTo(1);
    }

    @Test
    void aModelThatGetsNowhereIsStoppedAfterTwelveRounds() throws Exception {
        var asked = new AtomicInteger();
        Belay belay = bench.open(model(request -> {
            asked.incrementAndGet();
            return calls(List.of(call("a", "no_such_tool")));
        }), UnaryOperator.identity());
        TurnResult.Stopped end = stopped(belay.session("s").turn("Go on.").run().ended());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.NO_PROGRESS);
        assertThat(asked).hasValue(12);
    }

    @Test
    void textOrASuccessfulCallIsProgress() throws Exception {
        var asked = new AtomicInteger();
        Belay belay = bench.open(model(request -> asked.incrementAndGet() % 2 == 0
                ? calls(List.of(call("a", "no_such_tool")))
                : calls(List.of(call("a", "look")))),
                builder -> builder.tools(look())
                        .bounds(TurnBounds.DEFAULT.withIdleRounds(2).withMaxRounds(9)));
        assertThat(stopped(belay.session("s").turn("Go on.").run().ended()).cause())
                .isEqualTo(TurnEnd.Cause.MAX_ROUNDS);
    }

    @Test
    void aTokenBudgetEndsTheTurnBeforeTheNextQuestion() throws Exception {
        Belay belay = bench.open(model(request -> calls(List.of(call("a", "look")))),
                builder -> builder.tools(look()).bounds(TurnBounds.DEFAULT.withMaxTokens(15)));
        TurnResult.Ended result = belay.session("s").turn("Go on.").run().ended();
        assertThat(stopped(result).cause()).isEqualTo(TurnEnd.Cause.TOKEN_BUDGET);
        assertThat(result.rounds()).isEqualTo(2);
        assertThat(stopped(result).evidence()).isEqualTo(Json.of("{\"tokens\":20}"));
    }

    @Test
    void aModelThatFailsForGoodEndsTheTurnWithItsCode() throws Exception {
        Belay belay = bench.open(model(request -> {
            throw new ModelException(ModelException.Kind.AUTHENTICATION, "the key is wrong");
        }), UnaryOperator.identity());
        TurnResult.Stopped end = stopped(belay.session("s").turn("Hello").run().ended());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
        assertThat(end.evidence()).isEqualTo(Json.of("{\"code\":\"model_authentication\"}"));
        assertThat(belay.session("s").messages()).containsExactly(Message.user("Hello"));
    }

    @Test
    void whatAFailedAttemptCostIsCountedOnce() throws Exception {
        var time = new FakeTime();
        var asked = new AtomicInteger();
        Belay belay = bench.open(model(request -> {
            if (asked.incrementAndGet() == 1) {
                throw new ModelException(ModelException.Kind.UNAVAILABLE, "overloaded")
                        .withRetryAfter(java.time.Duration.ZERO)
                        .withPartial(text("half"));
            }
            return text("whole");
        }), builder -> builder.time(time));
        TurnResult.Ended result = time.during(() -> belay.session("s").turn("Hello").run().ended());
        assertThat(result.text()).isEqualTo("whole");
        assertThat(result.usage()).isEqualTo(Usage.of(20, 10));
    }

    @Test
    void aModelThatThrowsSomethingElseEndsTheTurnToo() throws Exception {
        Belay belay = bench.open(model(request -> {
            throw new IllegalStateException("a bug");
        }), UnaryOperator.identity());
        TurnResult.Stopped end = stopped(belay.session("s").turn("Hello").run().ended());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
        assertThat(end.message()).contains("a bug");
    }

    @Test
    void anAnswerThatWasCutIsNoAnswer() throws Exception {
        Belay belay = bench.open(model(request -> new ModelResponse(Message.assistant("The answer i"),
                FinishReason.LENGTH, Usage.NONE, "m", "")), UnaryOperator.identity());
        TurnResult.Stopped end = stopped(belay.session("s").turn("Hello").run().ended());
        assertThat(end.evidence())
                .isEqualTo(Json.of("{\"code\":\"output_limit\",\"partial\":\"The answer i\"}"));
        assertThat(belay.session("s").messages()).hasSize(1);
    }

    /** Asks for the bell without arguments, in an answer that ends for the given reason; then says what it read. */
    private static Model ringing(FinishReason finish) {
        return model(request -> SessionBench.roundsSinceUser(request) == 0
                ? new ModelResponse(Message.assistant(new Part.CallPart("a", "ring", "")), finish, Usage.NONE,
                        "m", "")
                : text("read: " + SessionBench.lastReplies(request)));
    }

    private static StaticToolProvider bell(AtomicInteger rung) {
        return StaticToolProvider.builder()
                .raw(tool("ring", ToolEffect.ONCE), (arguments, context) -> rung.incrementAndGet())
                .build();
    }

    /** Contract N.4, in the runtime's loop. */
    @Test
    void aCallCutBeforeItsArgumentsDoesNotRun() throws Exception {
        var rung = new AtomicInteger();
        Belay whole = bench.open(ringing(FinishReason.TOOL_CALLS), builder -> builder.tools(bell(rung)));
        assertThat(whole.session("whole").turn("Ring").run().ended().text()).isEqualTo("read: 1");
        Belay cut = bench.open(ringing(FinishReason.LENGTH), builder -> builder.tools(bell(rung)));
        assertThat(cut.session("cut").turn("Ring").run().ended().text()).contains("malformed_arguments",
                "ring was cut at the limit of output tokens");
        assertThat(rung).hasValue(1);
    }

    @Test
    void aCallThatWasCutIsStillCutAfterACrash() throws Exception {
        var rung = new AtomicInteger();
        var dying = bench.dying(ringing(FinishReason.LENGTH),
                SessionBench.Death.at(JournalProbe.Moment.AFTER, "effect round/1 COMPLETED"),
                builder -> builder.tools(bell(rung)));
        dying.belay.session("s").turn("Ring").id("in").submit();
        dying.awaitDeath();
        Belay next = bench.open(ringing(FinishReason.TOOL_CALLS), builder -> builder.tools(bell(rung)));
        assertThat(next.session("s").turn("Ring").id("in").run().ended().text())
                .contains("malformed_arguments");
        assertThat(rung).hasValue(0);
    }

    @Test
    void aToolCanEndTheTurnWithAValueOnceTheBatchIsWhole() throws Exception {
        var other = new AtomicInteger();
        var tools = StaticToolProvider.builder()
                .raw(tool("answer", ToolEffect.READ),
                        (arguments, context) -> ToolResult.finish(Json.number(7)))
                .raw(tool("other", ToolEffect.READ), (arguments, context) -> {
                    other.incrementAndGet();
                    return "too";
                })
                .build();
        Belay belay = bench.open(model(request -> calls(List.of(call("a", "answer"), call("b", "other")))),
                builder -> builder.tools(tools));
        TurnResult.Ended result = belay.session("s").turn("Hello").run().ended();
        assertThat(result).isInstanceOfSatisfying(TurnResult.Finished.class,
                finished -> assertThat(finished.value()).contains(Json.number(7)));
        assertThat(result.text()).isEqualTo("7");
        assertThat(other).hasValue(1);
        assertThat(belay.session("s").messages()).hasSize(3);
    }

    @Test
    void theFirstControlInTheModelsOrderWins() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("break_off", ToolEffect.READ), (arguments, context) -> ToolResult.fail(
                        ToolFailure.of(ToolFailure.Kind.EXTERNAL, "no_money", "the account is empty")))
                .raw(tool("answer", ToolEffect.READ),
                        (arguments, context) -> ToolResult.finish(Json.number(7)))
                .build();
        Belay belay = bench.open(
                model(request -> calls(List.of(call("a", "break_off"), call("b", "answer")))),
                builder -> builder.tools(tools));
        TurnResult.Stopped end = stopped(belay.session("s").turn("Hello").run().ended());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.TOOL_ERROR);
        assertThat(end.evidence()).isEqualTo(Json.of("{\"tool\":\"break_off\",\"code\":\"no_money\"}"));
    }

    @Test
    void aDeadlineOfACompletionEndsTheTurnWhereItsToolSaysSo() throws Exception {
        var time = new FakeTime();
        var failing = PendingCompletion.DEFAULT.until(time.now().plus(Duration.ofHours(1)))
                .onTimeout(PendingCompletion.OnTimeout.FAIL_TURN);
        var tools = StaticToolProvider.builder().raw(tool("ask", ToolEffect.READ), (arguments, context) -> {
            context.completionKey();
            return ToolResult.pending(failing);
        }).build();
        Belay belay = bench.open(calling(List.of(call("a", "ask"))),
                builder -> builder.tools(tools).time(time).parkAfter(Duration.ZERO));
        InputHandle handle = belay.session("s").turn("Go.").submit();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        time.advance(Duration.ofHours(1));
        TurnResult.Stopped end = stopped(handle.awaitCommit());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.TOOL_ERROR);
        assertThat(end.evidence())
                .isEqualTo(Json.of("{\"tool\":\"ask\",\"code\":\"tool_completion_timeout\"}"));
        assertThat(end.rounds()).as("the model is not asked again").isEqualTo(1);
    }

    @Test
    void cancelBeforeTheCommitEndsTheTurnAndKeepsWhatWasDone() throws Exception {
        var running = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "42")
                .raw(tool("hang", ToolEffect.READ), (arguments, context) -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return "never";
                })
                .build();
        Belay belay = bench.open(calling(List.of(call("a", "look"), call("b", "hang"))),
                builder -> builder.tools(tools));
        InputHandle handle = belay.session("s").turn("Hello").submit();
        running.await();
        bench.awaitWrite("effect round/1/call/0/attempt/1 COMPLETED");
        assertThat(handle.cancel("the user left")).isInstanceOf(CancelReceipt.Requested.class);
        TurnResult.Stopped end = stopped(handle.awaitCommit());
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.CANCELLED);
        assertThat(end.evidence()).isEqualTo(Json.of("{\"reason\":\"the user left\"}"));
        assertThat(((Message.ToolMessage) belay.session("s").messages().getLast()).replies())
                .extracting(Part.ReplyPart::text)
                .containsExactly("42", "Cancelled: the user left");
        assertThat(handle.cancel("again")).isInstanceOf(CancelReceipt.AlreadyEnded.class);
    }

    @Test
    void cancelInterruptsTheModel() throws Exception {
        var asked = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ModelException(ModelException.Kind.INTERRUPTED, "interrupted");
            }
            return text("never");
        }), UnaryOperator.identity());
        InputHandle handle = belay.session("s").turn("Hello").submit();
        asked.await();
        handle.cancel("enough");
        assertThat(stopped(handle.awaitCommit()).cause()).isEqualTo(TurnEnd.Cause.CANCELLED);
        assertThat(belay.session("s").messages()).containsExactly(Message.user("Hello"));
    }

    @Test
    void aTurnMayAskForAnotherModel() throws Exception {
        Belay belay = bench.open(model(request -> text("slow")),
                builder -> builder.model("fast", model(request -> text("fast"))));
        assertThat(belay.session("s").turn("Hello").model("fast").run().ended().text()).isEqualTo("fast");
        assertThat(belay.session("s").turn("Hello").run().ended().text()).isEqualTo("slow");
        assertThatThrownBy(() -> belay.session("s").turn("Hello").model("none"))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("unknown_model"))
                .hasMessageContaining("[default, fast]");
    }

    @Test
    void aRuntimeWithoutAModelSaysWhatToDo() {
        try (Belay without = Belay.builder().build()) {
            assertThatThrownBy(() -> without.session("s").turn("Hello").run())
                    .hasMessageContaining("call model(");
        }
        assertThatThrownBy(() -> Belay.builder().model("fast", model(request -> text(""))).build())
                .hasMessageContaining("only named ones were given: [fast]");
        assertThatThrownBy(() -> Belay.builder().toolMethods(String.class))
                .hasMessageContaining("not its class: new String(");
    }
}
