package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Pause.Target;
import java.time.Duration;

/** What the documents say about stopping, health and pauses. */
final class StoppingSnippets {

    private StoppingSnippets() {}

    // region stop
    static Belay open(Model model, Store store) {
        Belay belay = Belay.builder()
                .model(model)
                .store(store)
                .drain(Duration.ofSeconds(50)) // 25 s unless said otherwise
                .build();
        belay.closeOnShutdown(); // SIGTERM, SIGINT, System.exit; nothing is installed without this line
        return belay;
    }
    // endregion

    // region health
    static int status(Belay belay, String path) {
        Health health = belay.health();
        boolean well = path.equals("/health/live") ? health.isLive() : health.isReady();
        return well ? 200 : 503;
    }
    // endregion

    // region pause
    static void hold(Belay belay, String operator) {
        var ann = new Actor(operator, "console");
        VerbResult result = belay.as(ann).pause(Target.tool("pay"), "the bank is investigating");
        if (result instanceof VerbResult.NotPossible(String reason)) {
            System.err.println(reason);
        }
        for (Pause pause : belay.pauses()) {
            System.err.println(pause.target() + " since " + pause.since() + " by " + pause.by().name() + ": "
                    + pause.reason());
        }
        belay.as(ann).unpause(Target.tool("pay"), "the bank is done");
    }
    // endregion
}
