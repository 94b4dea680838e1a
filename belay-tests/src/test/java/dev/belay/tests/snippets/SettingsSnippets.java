package dev.belay.tests.snippets;

import static dev.belay.model.Generation.PROVIDER_DECIDES;

import dev.belay.model.Generation.Effort;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.toolset.budget.Prices;
import java.math.BigDecimal;

/** The code of {@code docs/session-settings.md}. */
final class SettingsSnippets {

    private SettingsSnippets() {}

    // region settings
    static Belay open(Model small, Model big) {
        return Belay.builder()
                .model(small) // the unnamed model is called "default"
                .model("big", big)
                .variant("deep", PROVIDER_DECIDES.withEffort(Effort.HIGH)) // named generation settings
                .generation(PROVIDER_DECIDES.withTemperature(0.2))
                .maxContextTokens(128_000)
                .prices("default", Prices.of("0.15", "0.60")) // per million input and output tokens
                .prices("big", Prices.of("2.50", "10"))
                .bounds(TurnBounds.DEFAULT.withMaxCost(new BigDecimal("0.50")))
                .build();
    }

    static TurnResult.Ended ask(Session session) throws InterruptedException {
        session.config().set(TurnSettings.NONE.withModel("big")); // durable, from the next request on
        session.config().change(now -> now.withMaxContextTokens(200_000)); // keeps the other fields
        return session.turn("Why?")
                .variant("deep") // this turn only
                .generation(PROVIDER_DECIDES.withMaxOutputTokens(2_000)) // other fields stay as they are
                .run()
                .ended();
    }
    // endregion
}
