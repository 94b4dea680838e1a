package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.toolset.Answer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.2: the size of a model's context, without a plugin that makes conversations shorter. */
class ContextLimitTest {

    /** Ten tokens; what stands around a message are four more. */
    private static final String TEN = "word ".repeat(10).strip();

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay belay(UnaryOperator<BelayBuilder> more) {
        return bench.open(model(request -> {
            asked.incrementAndGet();
            return text("yes");
        }), builder -> more.apply(builder.plugins(PluginStack.empty())));
    }

    private static TurnResult.Stopped stopped(TurnResult.Ended result) {
        assertThat(result).isInstanceOf(TurnResult.Stopped.class);
        return (TurnResult.Stopped) result;
    }

    @Test
    void aRequestThatIsEstimatedBeyondTheContextIsNotSent() throws Exception {
        Belay belay = belay(builder -> builder.maxContextTokens(14));
        TurnResult.Ended fits = belay.session("s").turn(TEN).run().ended();
        assertThat(fits).as("fourteen of fourteen").isInstanceOf(TurnResult.Finished.class);
        TurnResult.Ended result = belay.session("s").turn("and").run().ended();
        assertThat(stopped(result).cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
        assertThat(stopped(result).evidence())
                .isEqualTo(Json.of("{\"code\":\"context_too_long\",\"estimate\":24,\"limit\":14}"));
        assertThat(stopped(result).message()).contains("estimated at 24 tokens").contains("has 14");
        assertThat(asked).hasValue(1);
        assertThat(result.rounds()).isZero();
        assertThat(result.usage().total()).isEmpty();
        assertThat(belay.session("s").messages()).as("what was said stays")
                .containsExactly(Message.user(TEN), Message.assistant("yes"), Message.user("and"));
    }

    @Test
    void theRoomForTheAnswerCounts() throws Exception {
        Belay belay = belay(builder -> builder.maxContextTokens(19)
                .generation(Generation.PROVIDER_DECIDES.withMaxOutputTokens(6)));
        assertThat(stopped(belay.session("s").turn(TEN).run().ended()).evidence().get("estimate"))
                .contains(Json.number(20));
        assertThat(belay.session("t").turn("word").run()).isInstanceOf(TurnResult.Finished.class);
    }

    @Test
    void instructionsAndToolsCount() throws Exception {
        Belay belay = belay(builder -> builder.maxContextTokens(50)
                .instructions(TEN)
                .tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "")
                        .build()));
        // 14 of instructions, 5 of input, 12 around the tool, 1 of its name, 3 of its description, 6 of its schema
        assertThat(belay.session("s").turn("?").run()).isInstanceOf(TurnResult.Finished.class);
        assertThat(stopped(belay.session("t").turn(TEN + " " + TEN).run().ended()).evidence().get("estimate"))
                .contains(Json.number(60));
    }

    @Test
    void theNearestLevelSaysHowLargeTheContextIs() throws Exception {
        Belay belay = belay(builder -> builder.maxContextTokens(9));
        Session session = belay.session("s");
        assertThat(session.turn(TEN).maxContextTokens(14).run()).isInstanceOf(TurnResult.Finished.class);
        session.config().set(TurnSettings.NONE.withMaxContextTokens(1_000));
        assertThat(session.turn(TEN).run()).isInstanceOf(TurnResult.Finished.class);
        assertThat(stopped(session.turn(TEN).maxContextTokens(20).run().ended()).evidence().get("limit"))
                .contains(Json.number(20));
        assertThat(stopped(belay.session("other").turn(TEN).run().ended()).evidence().get("limit"))
                .contains(Json.number(9));
    }

    @Test
    void aTurnIsStoppedInItsMiddleWithItsCallsAnsweredAndWhoJoinedIsTold() throws Exception {
        var session = new AtomicReference<Session>();
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            session.get().turn(TEN + " " + TEN).id("more").submit();
            return "seen";
        }).build();
        Belay belay = bench.open(model(request -> {
            asked.incrementAndGet();
            return calls(List.of(call("a", "look")));
        }), builder -> builder.plugins(PluginStack.empty()).tools(tools).maxContextTokens(50));
        session.set(belay.session("s"));
        TurnResult.Ended result = session.get().turn("?").run().ended();
        assertThat(stopped(result).cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
        assertThat(session.get().input("more").orElseThrow().awaitCommit()).isEqualTo(result);
        assertThat(session.get().messages()).as("question, call, reply, what joined").hasSize(4);
        assertThat(asked).hasValue(1);
        assertThat(session.get().turn("?").maxContextTokens(1_000).submit().turn()).contains(2L);
    }

    @Test
    void aLoopOfYourOwnIsToldAndNothingIsRecorded() {
        Belay belay = belay(builder -> builder.maxContextTokens(14));
        try (OpenTurn turn = belay.session("s").begin(TEN, "in")) {
            turn.step().answer();
            assertThatThrownBy(() -> turn.step().answer()).isInstanceOfSatisfying(ModelException.class,
                    e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.CONTEXT_TOO_LONG))
                    .hasMessageContaining("estimated at 19 tokens");
            belay.session("s").config().set(TurnSettings.NONE.withMaxContextTokens(100));
            assertThat(turn.step().answer()).as("asked again at the same place")
                    .isEqualTo(new Answer.Given<>("yes"));
        }
        assertThat(asked).hasValue(2);
        assertThat(belay.session("s").input("in").orElseThrow().result().orElseThrow().rounds())
                .isEqualTo(2);
    }
}
