package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.session.SessionConfig;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract P.1: what several programs decide about a session at once is all there. */
class SettingsContentionTest {

    private static final int THREADS = 4;
    private static final int CHANGES = 50;
    private static final long ENOUGH = 1_000_000;

    @TempDir
    Path directory;

    private Belay open() {
        return Belay.builder()
                .model(model(request -> text("done")))
                .store(JdbcStore.sqlite(directory.resolve("belay.db")))
                .build();
    }

    private static void count(Belay belay) {
        SessionConfig config = belay.session("s").config();
        for (int i = 0; i < CHANGES; i++) {
            config.change(now -> now.withMaxContextTokens(now.maxContextTokens().orElse(ENOUGH) + 1));
        }
    }

    @Test
    void noChangeIsLostWhoeverElseChangesOrTalks() throws Exception {
        try (Belay one = open(); Belay two = open(); var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> counting = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Belay belay = thread % 2 == 0 ? one : two;
                counting.add(pool.submit(() -> count(belay)));
            }
            for (int turn = 0; turn < 10; turn++) {
                assertThat(one.session("s").turn("Hello.").run()).isInstanceOf(TurnResult.Finished.class);
            }
            for (Future<?> each : counting) {
                each.get();
            }
            assertThat(one.session("s").config().get().maxContextTokens())
                    .hasValue(ENOUGH + THREADS * CHANGES);
        }
    }
}
