package dev.belay.tests.snippets;

import static dev.belay.model.Generation.PROVIDER_DECIDES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Generation.Effort;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnSettings;
import org.junit.jupiter.api.Test;

/** Runs the code of the section about settings. */
class SettingsSnippetsTest {

    @Test
    void theTurnIsAskedAsThreeLevelsSay() throws Exception {
        var big = new ScriptedModel().reply("Because.");
        try (Belay belay = SettingsSnippets.open(new ScriptedModel(), big)) {
            assertThat(SettingsSnippets.ask(belay.session("s")).text()).isEqualTo("Because.");
            assertThat(big.lastRequest().orElseThrow().generation()).isEqualTo(
                    PROVIDER_DECIDES.withTemperature(0.2).withEffort(Effort.HIGH).withMaxOutputTokens(2_000));
            assertThat(belay.session("s").config().get())
                    .isEqualTo(TurnSettings.NONE.withModel("big").withMaxContextTokens(200_000));
        }
    }
}
