package dev.belay.tests.session;

import static dev.belay.tests.session.SettingsTest.telling;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Generation;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.toolset.budget.Prices;
import java.math.BigDecimal;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Settings that make no sense, and names that are not there. */
class BadSettingsTest {

    private static final Generation NONE = Generation.PROVIDER_DECIDES;

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay belay() {
        return bench.open(telling("small"), builder -> builder.model("big", telling("big"))
                .variant("deep", NONE.withSeed(2))
                .variant("warm", NONE.withTemperature(1)));
    }

    private static void refused(String code, String says, ThrowingCallable what) {
        assertThatThrownBy(what)
                .isInstanceOfSatisfying(BelayException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(says);
    }

    private static void senseless(String says, ThrowingCallable what) {
        assertThatThrownBy(what).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(says);
    }

    @Test
    void aNameIsGivenOnce() {
        senseless("there is a model \"big\" already", () -> Belay.builder()
                .model("big", telling("big"))
                .model("big", telling("bigger")));
        senseless("there is a variant \"deep\" already", () -> Belay.builder()
                .variant("deep", NONE.withSeed(2))
                .variant("deep", NONE.withSeed(3)));
    }

    @Test
    void unknownNamesAreRefusedWhenTheyAreGivenWithThoseThereAre() {
        Session session = belay().session("s");
        String variants = "no variant of the name \"dep\" here; there are [deep, default, warm]";
        String models = "no model of the name \"bgi\" here; there are [big, default]";
        refused("unknown_variant", variants, () -> session.turn("?").variant("dep"));
        refused("unknown_model", models, () -> session.turn("?").model("bgi"));
        refused("unknown_variant", variants,
                () -> session.config().set(TurnSettings.NONE.withVariant("dep")));
        refused("unknown_model", models, () -> session.config().set(TurnSettings.NONE.withModel("bgi")));
        refused("unknown_model", models, () -> session.config().change(now -> now.withModel("bgi")));
        assertThat(session.head()).as("nothing was kept").isEmpty();
    }

    @Test
    void sizesBelowOneAreRefusedWhereverTheyAreGiven() {
        Session session = belay().session("s");
        for (long size : new long[]{0, -1}) {
            String says = "at least 1 token, found " + size;
            senseless(says, () -> session.turn("?").maxContextTokens(size));
            senseless(says, () -> Belay.builder().maxContextTokens(size));
            senseless(says, () -> TurnSettings.NONE.withMaxContextTokens(size));
        }
    }

    @Test
    void blankNamesAreRefusedWhereverTheyAreGiven() {
        Session session = belay().session("s");
        BelayBuilder builder = Belay.builder();
        for (String name : new String[]{"", " ", "a\nb", "x".repeat(101)}) {
            senseless("the name of a model", () -> builder.model(name, telling("x")));
            senseless("the name of a variant", () -> builder.variant(name, NONE));
            senseless("the name of a model", () -> builder.prices(name, Prices.of("1", "1")));
            senseless("the name of a model", () -> session.turn("?").model(name));
            senseless("the name of a variant", () -> session.turn("?").variant(name));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without the checker may do
    void nullIsRefusedWhereverItIsGiven() {
        Session session = belay().session("s");
        BelayBuilder builder = Belay.builder();
        for (ThrowingCallable what : new ThrowingCallable[]{() -> session.turn("?").model(null),
            () -> session.turn("?").variant(null), () -> session.turn("?").generation(null),
            () -> session.config().set(null), () -> session.config().set(TurnSettings.NONE, null),
            () -> session.config().change(now -> null), () -> builder.variant(null, NONE),
            () -> builder.variant("a", null), () -> builder.generation(null),
            () -> builder.prices("a", null)}) {
            assertThatThrownBy(what).isInstanceOf(NullPointerException.class);
        }
        assertThat(session.head()).isEmpty();
    }

    @Test
    void theVariantThatSetsNothingCannotBeReplaced() {
        senseless("what holds for every question is set by generation",
                () -> Belay.builder().variant("default", NONE.withSeed(1)));
    }

    @Test
    void theSameInputWithAnotherSettingIsAConflict() throws Exception {
        Session session = belay().session("s");
        session.turn("?").id("in").variant("deep").generation(NONE.withSeed(1)).run();
        session.turn("?").id("in").generation(NONE.withSeed(1)).variant("deep").run();
        refused("input_conflict", "use another id",
                () -> session.turn("?").id("in").variant("warm").generation(NONE.withSeed(1)).run());
        refused("input_conflict", "use another id", () -> session.turn("?").id("in").variant("deep").run());
        refused("input_conflict", "use another id",
                () -> session.turn("?")
                        .id("in")
                        .variant("deep")
                        .generation(NONE.withSeed(1))
                        .maxContextTokens(9_999)
                        .run());
        refused("input_conflict", "use another id", () -> session.turn("?").id("in").run());
        session.turn("?").id("of big").model("big").run();
        refused("input_conflict", "use another id", () -> session.turn("?").id("of big").run());
    }

    @Test
    void aBudgetOfCostNeedsAPriceForEveryModel() {
        BelayBuilder builder = Belay.builder()
                .model(telling("small"))
                .model("big", telling("big"))
                .bounds(TurnBounds.DEFAULT.withMaxCost(new BigDecimal("0.50")));
        refused("price_missing", "there are no prices for [big, default]", builder::build);
        builder.prices("default", Prices.of("1", "2"));
        refused("price_missing", "a turn may cost 0.50, but there are no prices for [big]",
                builder::build);
        builder.prices("big", Prices.of("2.50", "10")).build().close();
    }

    @Test
    void aPriceNeedsAModel() {
        refused("unknown_model", "no model of the name \"bgi\" here; there are [default]",
                () -> Belay.builder().model(telling("small")).prices("bgi", Prices.of("1", "2")).build());
    }

    @Test
    void aBudgetOfNothingMakesNoSense() {
        senseless("must be positive, found 0", () -> TurnBounds.DEFAULT.withMaxCost(BigDecimal.ZERO));
        senseless("must be positive, found -1",
                () -> TurnBounds.DEFAULT.withMaxCost(BigDecimal.ONE.negate()));
    }
}
