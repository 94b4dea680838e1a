package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.DirectModel.DirectRequest;
import dev.belay.toolset.budget.Prices;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.2, P.5: what a turn costs, and the budget that ends it. A round with a call uses 7 and 3 tokens, a text 10 and 5. */
class CostBudgetTest {

    /** A token read costs 1, a token written 2. */
    private static final Prices SMALL = Prices.of("1000000", "2000000");
    private static final Prices BIG = Prices.of("10000000", "20000000");

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider look() {
        return StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                .build();
    }

    private static Model looking() {
        return model(request -> calls(List.of(call("a", "look"))));
    }

    private static BelayBuilder budget(BelayBuilder builder, String most) {
        return builder.bounds(TurnBounds.DEFAULT.withMaxCost(new BigDecimal(most)));
    }

    private static TurnResult.Stopped stopped(TurnResult.Ended result) {
        assertThat(result).isInstanceOf(TurnResult.Stopped.class);
        return (TurnResult.Stopped) result;
    }

    /** Asks another model, in its body. */
    private static StaticToolProvider asking(DirectRequest request) {
        return StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> ((SessionToolContext) context)
                        .model()
                        .complete(request, "look")
                        .text())
                .build();
    }

    private static DirectRequest direct(String model) {
        return DirectRequest.of(Message.user("Is it so?")).withModel(model);
    }

    @Test
    void aCostBudgetEndsTheTurnBeforeTheNextQuestion() throws Exception {
        Belay belay = bench.open(looking(),
                builder -> budget(builder, "20").tools(look()).prices("default", SMALL));
        TurnResult.Ended result = belay.session("s").turn("Go on.").run().ended();
        assertThat(stopped(result).cause()).isEqualTo(TurnEnd.Cause.COST_BUDGET);
        assertThat(stopped(result).message()).isEqualTo("the turn has cost 26; it may cost 20");
        assertThat(stopped(result).evidence()).isEqualTo(Json.of("{\"spent\":26,\"allowed\":20}"));
        assertThat(result.rounds()).isEqualTo(2);
        assertThat(result.cost()).isEqualByComparingTo("26");
    }

    @Test
    void aBudgetThatIsUsedUpExactlyIsUsedUp() throws Exception {
        Belay belay = bench.open(looking(),
                builder -> budget(builder, "13").tools(look()).prices("default", SMALL));
        assertThat(belay.session("s").turn("Go on.").run().ended().rounds()).isEqualTo(1);
    }

    @Test
    void eachModelIsCountedAtItsOwnPriceAndABodysQuestionForTheModelItAsked() throws Exception {
        Belay belay = bench.open(looking(), builder -> budget(builder, "200").tools(asking(direct("big")))
                .model("big", model(request -> text("yes")))
                .prices("default", SMALL)
                .prices("big", BIG));
        // 13 for the round, 200 for the body's question to the big model
        assertThat(stopped(belay.session("s").turn("Go on.").run().ended()).evidence())
                .isEqualTo(Json.of("{\"spent\":213,\"allowed\":200}"));
        assertThat(belay.session("t").turn("Go on.").model("big").run().ended().cost())
                .isEqualByComparingTo("200");
    }

    @Test
    void aBodyThatNamesNoModelAsksTheOneOfItsTurn() throws Exception {
        Belay belay = bench.open(model(request -> text("small")), builder -> builder
                .tools(asking(DirectRequest.of(Message.user("Is it so?"))))
                .model("big", model(request -> request.tools().isEmpty()
                        ? text("big")
                        : SessionBench.roundsSinceUser(request) == 0
                                ? calls(List.of(call("a", "look")))
                                : text(SessionBench.lastReplies(request))))
                .prices("default", SMALL)
                .prices("big", BIG));
        TurnResult.Ended result = belay.session("s").turn("Go on.").model("big").run().ended();
        assertThat(result.text()).isEqualTo("big");
        assertThat(result.cost()).as("130, 200 and 200").isEqualByComparingTo("530");
    }

    @Test
    void lostAttemptsCostTheirPart() throws Exception {
        var time = new FakeTime();
        var asked = new AtomicInteger();
        Belay belay = bench.open(model(request -> {
            if (asked.incrementAndGet() == 1) {
                throw new ModelException(ModelException.Kind.UNAVAILABLE, "overloaded")
                        .withRetryAfter(Duration.ZERO)
                        .withPartial(text("half"));
            }
            return text("whole");
        }), builder -> builder.prices("default", SMALL).time(time));
        assertThat(time.during(() -> belay.session("s").turn("Hello").run()).ended().cost())
                .isEqualByComparingTo("40");
    }

    @Test
    void whatABodysFailedQuestionCostIsCountedIfTheBodyGoesOn() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> {
                    try {
                        return context.model().complete(direct("big"), "look").text();
                    } catch (ModelException e) {
                        return "without an answer";
                    }
                })
                .build();
        Belay belay = bench.open(SessionBench.calling(List.of(call("a", "look"))),
                builder -> builder.tools(tools)
                        .prices("default", SMALL)
                        .prices("big", BIG)
                        .model("big",
                                model(request -> {
                                    throw new ModelException(ModelException.Kind.PROTOCOL, "cut").withPartial(
                                            text("half"));
                                })));
        TurnResult.Ended result = belay.session("s").turn("Hello").run().ended();
        assertThat(result.text()).isEqualTo("done: without an answer");
        assertThat(result.cost()).as("13, 200 and 20").isEqualByComparingTo("233");
    }

    @Test
    void whatATurnCostIsKeptWithItAndOnlyIfAllOfItHasAPrice() throws Exception {
        Belay belay = bench.open(SessionBench.calling(List.of(call("a", "look"))),
                builder -> builder.tools(asking(direct("big")))
                        .model("big", model(request -> text("yes")))
                        .prices("default", SMALL));
        assertThat(belay.session("s").turn("Hello").run().ended().cost()).as("big has no price").isNull();
        belay.close();
        Belay other = bench.open(model(request -> text("yes")),
                builder -> builder.prices("default", Prices.of("2.50", "10")));
        other.session("t").turn("Hello").id("in").run();
        assertThat(other.session("t").input("in").orElseThrow().result().orElseThrow().cost())
                .isEqualByComparingTo("0.000075");
        Belay plain = bench.open(model(request -> text("yes")), builder -> builder);
        assertThat(plain.session("u").turn("Hello").run().ended().cost()).isNull();
        assertThat(
                Objects.requireNonNull(plain.session("u").turn(1).orElseThrow().row().end())
                        .result()
                        .get("cost"))
                .isEmpty();
    }

    @Test
    void anOpenTurnSaysWhatItCostAndHasNoBudget() {
        Belay belay = bench.open(model(request -> text("yes")),
                builder -> budget(builder, "1").prices("default", SMALL));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            turn.step().answer();
            turn.step().answer();
        }
        assertThat(belay.session("s").input("in").orElseThrow().result().orElseThrow().cost())
                .isEqualByComparingTo("40");
    }

    @Test
    void whatIsRecordedKeepsItsPriceWhenPricesChange() throws Exception {
        bench.dying(looking(), Death.at(Moment.AFTER, "effect round/1 COMPLETED"),
                builder -> builder.tools(look()).prices("default", SMALL)).belay.session("s")
                .turn("Go.")
                .id("in")
                .submit();
        Belay next = bench.open(model(request -> text("done")),
                builder -> builder.tools(look()).prices("default", BIG));
        assertThat(next.session("s").turn("Go.").id("in").run().ended().cost()).as("13 of old, 200 of now")
                .isEqualByComparingTo("213");
    }

    @Test
    void whatWasRecordedWithoutAPriceCountsForABudgetOfToday() throws Exception {
        bench.dying(looking(), Death.at(Moment.AFTER, "effect round/1 COMPLETED"),
                builder -> builder.tools(look())).belay.session("s").turn("Go.").id("in").submit();
        Belay next = bench.open(looking(),
                builder -> budget(builder, "13").tools(look()).prices("default", SMALL));
        TurnResult.Ended result = next.session("s").turn("Go.").id("in").run().ended();
        assertThat(stopped(result).cause()).isEqualTo(TurnEnd.Cause.COST_BUDGET);
        assertThat(result.rounds()).isEqualTo(1);
        assertThat(result.cost()).as("the record has no price").isNull();
    }

    private static BelayBuilder thinking(BelayBuilder builder, Prices prices) {
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.IDEMPOTENT).resumable(true),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("helper")
                                .turn("think", "Think.")
                                .await()
                                .text())
                .build();
        return builder.tools(tools).parkAfter(Duration.ZERO).prices("default", prices).random(new Random(7));
    }

    /** A turn of a child has told its result, dies before its commit, and is entered again at other prices. */
    @Test
    void pricesThatChangeBetweenAResultAndItsCommitDoNoHarm() throws Exception {
        Model model = model(request -> request.messages().getFirst().equals(Message.user("Think."))
                ? text("a thought")
                : SessionBench.roundsSinceUser(request) == 0
                        ? calls(List.of(call("a", "look")))
                        : text("done: " + SessionBench.lastReplies(request)));
        String commit;
        try (var rehearsal = new SessionBench()) {
            rehearsal.open(model, builder -> thinking(builder, SMALL))
                    .session("s")
                    .turn("Go.")
                    .id("in")
                    .run();
            // a child tells its result before it commits, so its parent may be first
            commit = rehearsal.awaitWriteThat(write -> write.startsWith("commit child-"));
        }
        var dying = bench.dying(model, Death.at(Moment.BEFORE, commit), builder -> thinking(builder, SMALL));
        dying.belay.session("s").turn("Go.").id("in").submit();
        dying.awaitDeath();
        Belay next = bench.open(model, builder -> thinking(builder, BIG));
        TurnResult.Ended result = next.session("s").input("in").orElseThrow().awaitCommit();
        assertThat(result.text()).isEqualTo("done: a thought");
        assertThat(next.session(commit.substring("commit ".length(), commit.lastIndexOf(' ')))
                .input("think")
                .orElseThrow()
                .awaitCommit()
                .cost())
                .as("what was told is what is committed")
                .isEqualByComparingTo("20");
        assertThat(next.stuck()).isEmpty();
    }
}
