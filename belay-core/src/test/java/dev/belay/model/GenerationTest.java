package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Generation.Effort;
import org.junit.jupiter.api.Test;

class GenerationTest {

    private static final Generation ALL = Generation.PROVIDER_DECIDES.withTemperature(0.5)
            .withTopP(0.9)
            .withMaxOutputTokens(100)
            .withSeed(7)
            .withStop("END")
            .withEffort(Effort.LOW);

    @Test
    void whatIsSetAboveWinsFieldByField() {
        Generation none = Generation.PROVIDER_DECIDES;
        assertThat(none.withTemperature(0).over(ALL)).isEqualTo(ALL.withTemperature(0));
        assertThat(none.withTopP(1).over(ALL)).isEqualTo(ALL.withTopP(1));
        assertThat(none.withMaxOutputTokens(1).over(ALL)).isEqualTo(ALL.withMaxOutputTokens(1));
        assertThat(none.withSeed(0).over(ALL)).isEqualTo(ALL.withSeed(0));
        assertThat(none.withStop("STOP").over(ALL)).as("not joined").isEqualTo(ALL.withStop("STOP"));
        assertThat(none.withEffort(Effort.NONE).over(ALL)).isEqualTo(ALL.withEffort(Effort.NONE));
    }

    @Test
    void nothingSetLetsEverythingBelowThrough() {
        assertThat(Generation.PROVIDER_DECIDES.over(ALL)).isEqualTo(ALL);
        assertThat(ALL.over(Generation.PROVIDER_DECIDES)).isEqualTo(ALL);
        assertThat(ALL.over(ALL.withTemperature(2).withStop("x"))).isEqualTo(ALL);
    }

    @Test
    void threeLayersGiveTheSameHoweverTheyAreLaid() {
        Generation top = Generation.PROVIDER_DECIDES.withTemperature(1);
        Generation middle = Generation.PROVIDER_DECIDES.withTemperature(2).withSeed(1);
        Generation once = top.over(middle).over(ALL);
        assertThat(once).isEqualTo(top.over(middle.over(ALL)));
        assertThat(once).isEqualTo(ALL.withTemperature(1).withSeed(1));
    }
}
