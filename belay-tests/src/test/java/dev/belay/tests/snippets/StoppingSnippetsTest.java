package dev.belay.tests.snippets;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.runtime.store.memory.InMemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The code about stopping, health and pauses in {@code docs/operations-running.md} does what the page says. */
class StoppingSnippetsTest {

    @Test
    void modelOutageAndPauseChangeNeitherReadinessNorLife() throws Exception {
        Belay belay = StoppingSnippets.open(model(request -> {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST, "down");
        }), InMemoryStore.open());
        belay.session("s").turn("Go.").run();
        belay.pause(Target.EVERYTHING, "test");
        assertThat(StoppingSnippets.status(belay, "/health/ready")).isEqualTo(200);
        assertThat(StoppingSnippets.status(belay, "/health/live")).isEqualTo(200);
        assertThat(belay.health().paused()).isTrue();
        assertThat(belay.health().agents()).containsExactly("default");
        assertThat(belay.health().kinds()).contains("turn/1");
        belay.close();
        assertThat(StoppingSnippets.status(belay, "/health/ready")).isEqualTo(503);
        assertThat(StoppingSnippets.status(belay, "/health/live")).isEqualTo(200);
        assertThat(belay.health()).extracting(Health::life).isEqualTo(Health.Life.CLOSED);
    }

    @Test
    void runtimeThatIsNotStartedIsNotReadyAndSaysHowLateItIs() throws Exception {
        var time = new dev.belay.testkit.FakeTime();
        try (Belay belay = Belay.builder()
                .model(model(request -> text("yes")))
                .store(InMemoryStore.open())
                .time(time)
                .start(false)
                .build()) {
            assertThat(belay.health().life()).isEqualTo(Health.Life.NOT_STARTED);
            assertThat(belay.health().isReady()).isFalse();
            var input = belay.session("s").turn("Go.").submit();
            time.advance(Duration.ofSeconds(7));
            assertThat(belay.health().late()).isEqualTo(Duration.ofSeconds(7));
            belay.start();
            input.awaitCommit();
            assertThat(belay.health()).extracting(Health::late, Health::isReady)
                    .containsExactly(Duration.ZERO, true);
        }
    }

    @Test
    void failedWriteCountsUntilALaterOneSucceedsOrAMinuteHasPassed() {
        assertThat(store(null, 1).failsToWrite()).isTrue();
        assertThat(store(5, 1).failsToWrite()).isTrue();
        assertThat(store(1, 5).failsToWrite()).isFalse();
        assertThat(store(90, 70).failsToWrite()).isFalse();
        assertThat(store(90, null).failsToWrite()).isFalse();
        assertThat(
                new Health(Health.Life.WORKING, store(5, 1), Set.of(), Set.of(), Set.of(), false,
                        Duration.ZERO, 0, 0, Set.of())
                        .isReady())
                .isFalse();
    }

    private static Health.Store store(@org.jspecify.annotations.Nullable Integer written,
            @org.jspecify.annotations.Nullable Integer failed) {
        return new Health.Store(true, "", Optional.ofNullable(written).map(Duration::ofSeconds),
                Optional.ofNullable(failed).map(Duration::ofSeconds));
    }

    @Test
    void pauseIsListedAndEnds() {
        try (Belay belay = Belay.builder().model(model(request -> text("yes"))).build()) {
            StoppingSnippets.hold(belay, "ann");
            assertThat(belay.pauses()).isEmpty();
        }
    }
}
