package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static dev.belay.tests.session.SettingsTest.how;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.MisconfiguredTurn;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.CrashedTurns.Play;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.toolset.budget.Prices;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract P.1, P.2, L.7: settings and turns that another process left. */
@Timeout(120)
class SettingsRecoveryTest {

    private static final Generation NONE = Generation.PROVIDER_DECIDES;

    private final SessionBench bench = new SessionBench();
    private final FakeTime time = new FakeTime();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider look() {
        return StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                .build();
    }

    /** Looks once and says how it was asked. */
    private static Model looking(String name) {
        return model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "look")))
                : text(name + how(request.generation())));
    }

    /** Three rounds; in the first one a body sets something for its session, which must count from the second on. */
    private static final class SetInATurn implements CrashedTurns.Scenario {

        private final AtomicReference<@Nullable Belay> process = new AtomicReference<>();

        @Override
        public Model model() {
            return SessionBench.model(request -> SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(call("a", "grow")))
                    : text("small" + how(request.generation())));
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            process.set(null);
            return builder
                    .model("big", SessionBench.model(request -> SessionBench.roundsSinceUser(request) < 2
                            ? calls(List.of(call("a", "grow")))
                            : text("big" + how(request.generation()))))
                    .variant("deep", NONE.withEffort(Effort.HIGH))
                    .prices("default", Prices.of("1", "1"))
                    .prices("big", Prices.of("10", "10"))
                    .tools(StaticToolProvider.builder()
                            .raw(tool("grow", ToolEffect.READ), (arguments, context) -> {
                                Belay belay = process.get();
                                while (belay == null) {
                                    LockSupport.parkNanos(SessionBench.A_MOMENT);
                                    belay = process.get();
                                }
                                belay.session("s")
                                        .config()
                                        .set(TurnSettings.NONE.withModel("big").withVariant("deep"), "c");
                                return "grown";
                            })
                            .build());
        }

        @Override
        public void begin(Belay belay) {
            process.set(belay);
            belay.session("s").turn("Go.").id("in").generation(NONE.withSeed(4)).submit();
        }

        @Override
        public TurnResult.Ended end(Belay belay) throws Exception {
            return belay.session("s").input("in").orElseThrow().awaitCommit();
        }

        @Override
        public String evidence(Belay belay) {
            return belay.session("s").head().orElseThrow().state().text();
        }
    }

    @Test
    void whicheverWriteAProcessDiesAtACommandIsNeitherLostNorGivenTwice() throws Exception {
        List<Play> plays = new CrashedTurns(SetInATurn::new).play();
        Play first = plays.getFirst();
        assertThat(first.result().text()).isEqualTo("big s4 HIGH");
        assertThat(first.result().cost()).isEqualByComparingTo("0.00026");
        assertThat(first.evidence())
                .isEqualTo("{\"v\":1,\"settings\":{\"model\":\"big\",\"variant\":\"deep\"}}");
        assertThat(plays).hasSizeGreaterThan(15).allSatisfy(play -> {
            assertThat(play.recorded()).as(play.where()).isEqualTo(first.recorded());
            assertThat(play.messages()).as(play.where()).isEqualTo(first.messages());
            assertThat(play.evidence()).as(play.where()).isEqualTo(first.evidence());
        });
    }

    @Test
    void recordedRoundsStayAsTheyWereUnderAnotherBuilder() throws Exception {
        var dying = bench.dying(looking("old"), Death.at(Moment.AFTER, "effect round/1 COMPLETED"),
                builder -> builder.tools(look())
                        .generation(NONE.withTemperature(1).withSeed(1))
                        .variant("deep", NONE.withEffort(Effort.LOW))
                        .prices("default", Prices.of("1", "1")));
        dying.belay.session("s").turn("Go.").id("in").variant("deep").submit();
        dying.awaitDeath();
        Json before = bench.record("s", 1, "round/1");
        assertThat(before.get("asked").orElseThrow().get("variant")).contains(Json.string("deep"));
        assertThat(before.get("asked").orElseThrow().get("cost").orElseThrow().asBigDecimal())
                .isEqualByComparingTo(new BigDecimal("0.00001"));
        Belay next = bench.open(looking("new"), builder -> builder.tools(look())
                .generation(NONE.withTemperature(2))
                .variant("deep", NONE.withEffort(Effort.HIGH)));
        TurnResult.Ended result = next.session("s").turn("Go.").id("in").variant("deep").run().ended();
        assertThat(result.text()).as("the next question is asked as today's builder says")
                .isEqualTo("new t2.0 HIGH");
        assertThat(bench.record("s", 1, "round/1").text()).isEqualTo(before.text());
        assertThat(next.stuck()).isEmpty();
    }

    private void goOnUntil(BooleanSupplier is) {
        while (!is.getAsBoolean()) {
            time.advance(Duration.ofSeconds(6));
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    private void awaitRest(Belay belay, String code) {
        goOnUntil(() -> !belay.misconfigured().isEmpty());
        assertThat(belay.misconfigured()).extracting(MisconfiguredTurn::code).containsExactly(code);
        assertThat(belay.session("s").input("in").orElseThrow().result()).isEmpty();
        assertThat(belay.stuck()).isEmpty();
    }

    /** A program that has what the turn asks for leaves it after its first round; another one takes it. */
    private Belay left(UnaryOperator<TurnSettings> session) {
        UnaryOperator<BelayBuilder> rich = builder -> builder.tools(look())
                .model("big", looking("big"))
                .variant("deep", NONE.withSeed(1));
        var dying = bench.dying(looking("small"), Death.at(Moment.AFTER, "effect round/1 COMPLETED"), rich);
        dying.belay.session("s").config().change(session);
        dying.belay.session("s").turn("Go.").id("in").submit();
        return bench.open(looking("small"), builder -> builder.tools(look()).time(time));
    }

    @Test
    void aTurnWhoseModelOrVariantIsGoneRestsUntilAProgramHasItAgain() throws Exception {
        Belay poor = left(settings -> settings.withVariant("deep"));
        awaitRest(poor, "unknown_variant");
        poor.close();
        Belay rich = bench.open(looking("small"),
                builder -> builder.tools(look()).time(time).variant("deep", NONE.withSeed(1)));
        InputHandle given = rich.session("s").input("in").orElseThrow();
        goOnUntil(() -> given.result().isPresent());
        assertThat(given.awaitCommit().text()).isEqualTo("small s1");
    }

    @Test
    void aTurnThatRestsGoesOnWithOtherSettingsOfItsSession() throws Exception {
        Belay poor = left(settings -> settings.withModel("big"));
        awaitRest(poor, "unknown_model");
        poor.session("s").config().set(TurnSettings.NONE);
        InputHandle given = poor.session("s").input("in").orElseThrow();
        goOnUntil(() -> given.result().isPresent());
        assertThat(given.awaitCommit().text()).isEqualTo("small");
        assertThat(poor.waitingFor()).isEmpty();
        assertThat(poor.session("s").turn("Go.").run().ended().text()).isEqualTo("small");
    }
}
