package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.DirectModel.DirectRequest;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.toolset.budget.Prices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract P.5, T.2: what a body's own questions used counts once, however its call ended. A round with a call uses 10 tokens, an
 * answer 15, and so does each question of a body.
 */
class SpendingTest {

    private static final RetryPolicy AT_ONCE = new RetryPolicy(3, Duration.ofMillis(1), 1,
            Duration.ofMillis(1));
    private static final long TURN = 25;
    private static final long QUESTION = 15;

    private final SessionBench bench = new SessionBench();
    private final LinkedBlockingQueue<String> tokens = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private interface Body {
        Object run(ToolContext context) throws Exception;
    }

    private Belay acting(ToolDefinition definition, Body body) {
        return bench.open(model(SpendingTest::answer), builder -> builder.parkAfter(Duration.ZERO)
                .tools(StaticToolProvider.builder()
                        .raw(definition, (arguments, context) -> body.run(context))
                        .build()));
    }

    private static ModelResponse answer(ModelRequest request) {
        if (!((UserMessage) request.messages().getFirst()).text().equals("Act.")) {
            return text("so it is");
        }
        return SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "act")))
                : text(SessionBench.lastReplies(request));
    }

    private static String ask(ToolContext context) {
        return context.model().complete(DirectRequest.of(Message.user("Is it so?")), "act").text();
    }

    private static long used(TurnResult.Ended result) {
        return result.usage().total().orElseThrow();
    }

    @Test
    void aCallThatFailedHasSpentWhatItSpent() throws Exception {
        Belay belay = acting(tool("act", ToolEffect.ONCE), context -> {
            ask(context);
            throw new IllegalStateException("no");
        });
        TurnResult.Ended result = belay.session("s").turn("Act.").run().ended();
        assertThat(result.text()).startsWith("Error (tool_threw)");
        assertThat(used(result)).isEqualTo(TURN + QUESTION);
    }

    @Test
    void attemptsThatWereNotTheLastHaveSpentToo() throws Exception {
        var attempts = new AtomicInteger();
        Belay belay = acting(tool("act", ToolEffect.IDEMPOTENT).retry(AT_ONCE),
                context -> {
                    ask(context);
                    if (attempts.incrementAndGet() < 3) {
                        throw new ToolException(ToolFailure.of(ToolFailure.Kind.UNAVAILABLE, "busy", "later")
                                .withRetry(RetryAdvice.ALLOWED));
                    }
                    return "done";
                });
        TurnResult.Ended result = belay.session("s").turn("Act.").run().ended();
        assertThat(result.text()).isEqualTo("done");
        assertThat(used(result)).isEqualTo(TURN + 3 * QUESTION);
    }

    @Test
    void aParkedCallThatIsCompletedWithAFailureHasSpentToo() throws Exception {
        Belay belay = acting(tool("act", ToolEffect.IDEMPOTENT), context -> {
            ask(context);
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        });
        var handle = belay.session("s").turn("Act.").submit();
        belay.resolve(tokens.take(),
                Resolution.failed("not today"));
        assertThat(handle.awaitCommit().text()).contains("not today");
        assertThat(used(handle.awaitCommit())).isEqualTo(TURN + QUESTION);
    }

    @Test
    void aRecordedQuestionCountsAtThePriceOfItsMoment() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true), (arguments, context) -> {
                    String said = ask(context);
                    var event = context.durable().externalEventKey("go");
                    tokens.add(event.token());
                    context.durable().awaitEvent(event);
                    return said;
                })
                .build();
        Belay cheap = bench.open(model(SpendingTest::answer), builder -> builder.parkAfter(Duration.ZERO)
                .tools(tools)
                .prices("default", Prices.of("1", "1")));
        cheap.session("s").turn("Act.").id("in").submit();
        String token = tokens.take();
        cheap.close();
        Belay dear = bench.open(model(SpendingTest::answer),
                builder -> builder.tools(tools).prices("default", Prices.of("100", "100")));
        dear.resolve(token, Resolution.ok(Json.TRUE));
        TurnResult.Ended result = dear.session("s").input("in").orElseThrow().awaitCommit();
        // 10 tokens of a round and 15 of a question at 1 a million, 15 of the answer at 100
        assertThat(result.cost()).isEqualByComparingTo("0.001525");
    }

    @Test
    void aTurnThatIsAbandonedHasSpentWhatItsRecordedCallsSpent() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.READ), (arguments, context) -> ask(context))
                .build();
        var model = model(SpendingTest::answer);
        var death = Death.at(Moment.BEFORE, "effect round/2 COMPLETED");
        SessionBench.Dying first = bench.dying(model, death, builder -> builder.tools(tools));
        first.belay.session("s").turn("Act.").id("in").submit();
        first.awaitDeath();
        while (bench.dies(model, death, tools)) {
            // until it is stuck
        }
        Belay belay = bench.open(model, builder -> builder.tools(tools));
        assertThat(belay.abandon(belay.stuck().getFirst(), "enough")).isEqualTo(VerbResult.DONE);
        TurnResult.Ended result = belay.session("s").input("in").orElseThrow().awaitCommit();
        assertThat(used(result)).as("a round with a call, and the question of its body")
                .isEqualTo(10 + QUESTION);
    }

    @Test
    void questionsWithAKeyStandApartFromThoseWithANumber() throws Exception {
        Belay belay = acting(tool("act", ToolEffect.IDEMPOTENT).resumable(true), context -> {
            var question = DirectRequest.of(Message.user("Is it so?"));
            context.model().complete(question.withReplayKey("2"), "act");
            return context.model().complete(question, "act").text();
        });
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("so it is");
    }

    @Test
    void aQuestionOfABodyThatIsTooLongForTheContextIsNotAsked() throws Exception {
        Belay belay = bench.open(model(SpendingTest::answer), builder -> builder.maxContextTokens(1_000)
                .tools(StaticToolProvider.builder()
                        .raw(tool("act", ToolEffect.READ), (arguments, context) -> {
                            try {
                                return context.model()
                                        .complete(DirectRequest.of(Message.user("x".repeat(100_000))), "act")
                                        .text();
                            } catch (ModelException e) {
                                return e.code();
                            }
                        })
                        .build()));
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("model_context_too_long");
    }

    @Test
    void aResumableBodyThatIsTriedAgainHasSpentItsRecordedAnswersOnce() throws Exception {
        var attempts = new AtomicInteger();
        Belay belay = acting(tool("act", ToolEffect.IDEMPOTENT).resumable(true)
                .retry(AT_ONCE), context -> {
                    String said = ask(context);
                    context.durable().run("count", Json.NULL, in -> Json.number(attempts.incrementAndGet()));
                    if (attempts.get() < 2) {
                        attempts.incrementAndGet();
                        throw new ToolException(ToolFailure.of(ToolFailure.Kind.UNAVAILABLE, "busy", "later")
                                .withRetry(RetryAdvice.ALLOWED));
                    }
                    return said;
                });
        TurnResult.Ended result = belay.session("s").turn("Act.").run().ended();
        assertThat(result.text()).isEqualTo("so it is");
        assertThat(used(result)).isEqualTo(TURN + QUESTION);
    }

    /** A model that fails after it has said something, which costs 15 tokens. */
    private static ModelResponse failing(ModelRequest request) {
        throw new ModelException(ModelException.Kind.INVALID_REQUEST, "cut").withPartial(text("half"));
    }

    @Test
    void aQuestionOfAnOwnLoopThatFailedCountsAlsoIfNoOtherIsAnswered() throws Exception {
        Belay belay = bench.open(model(SpendingTest::failing), builder -> builder);
        try (OpenTurn turn = belay.session("finished").begin("Act.", "in")) {
            assertThatThrownBy(() -> turn.step().answer()).isInstanceOf(ModelException.class);
            assertThat(used(turn.finish(Json.NULL))).isEqualTo(QUESTION);
        }
        try (OpenTurn turn = belay.session("given up").begin("Act.", "in")) {
            assertThatThrownBy(() -> turn.step().answer()).isInstanceOf(ModelException.class);
            assertThat(used(turn.abandon("enough"))).isEqualTo(QUESTION);
        }
        try (OpenTurn turn = belay.session("cancelled").begin("Act.", "in")) {
            assertThatThrownBy(() -> turn.step().answer()).isInstanceOf(ModelException.class);
            belay.session("cancelled").input("in").orElseThrow().cancel("enough");
            assertThatThrownBy(() -> turn.step().answer()).extracting("code").isEqualTo("turn_cancelled");
        }
        assertThat(used(belay.session("cancelled").input("in").orElseThrow().awaitCommit()))
                .isEqualTo(QUESTION);
    }
}
