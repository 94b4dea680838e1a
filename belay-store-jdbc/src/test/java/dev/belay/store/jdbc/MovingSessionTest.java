package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.tool.context.Incarnation;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A turn is rendered from what was read, and another process may move the session before it is written. Here it does so at
 * exactly that moment: when the bits of the new scope are drawn.
 */
class MovingSessionTest {

    private static final SessionId SESSION = new SessionId("s");
    private static final Incarnation BITS = new Incarnation(1, 2);
    private static final Incarnation OTHER_BITS = new Incarnation(3, 4);

    @TempDir
    Path directory;

    private @Nullable Runnable meanwhile;
    private @Nullable SessionStore opened;
    private @Nullable SessionStore openedByOther;

    @BeforeEach
    void openTwice() {
        var random = new Random(7);
        RandomGenerator meddling = () -> {
            Runnable once = meanwhile;
            meanwhile = null;
            if (once != null) {
                once.run();
            }
            return random.nextLong();
        };
        opened = JdbcStore.sqlite(directory.resolve("belay.db"), SqliteOptions.STANDARD.withRandom(meddling));
        openedByOther = JdbcStore.sqlite(directory.resolve("belay.db"));
    }

    @AfterEach
    void close() {
        store().close();
        other().close();
    }

    private SessionStore store() {
        return Objects.requireNonNull(opened);
    }

    private SessionStore other() {
        return Objects.requireNonNull(openedByOther);
    }

    private static Arrival input(String id) {
        return new Arrival(id, Arrival.Kind.INPUT, id, Json.string(id));
    }

    private static Acceptance accept(SessionStore store, Incarnation ifNew, String id) {
        return store.accept(SESSION, ifNew, input(id), -1, true, Sample.NOW);
    }

    private static Claim start(SessionStore store, Incarnation ifNew, String id) {
        return Objects.requireNonNull(((Acceptance.Started) accept(store, ifNew, id)).claim());
    }

    private static Committed commit(SessionStore store, Claim claim, long turn, String... taken) {
        return store.commit(claim, new TurnCommit(SESSION, turn, "r", List.of(), null, Json.TRUE,
                List.of(taken)), true, Sample.NOW);
    }

    @Test
    void inputStartsTheTurnAfterTheOneOfAnother() {
        meanwhile = () -> commit(other(), start(other(), OTHER_BITS, "a"), 1, "a");
        Claim claim = start(store(), BITS, "b");

        assertThat(claim.scope()).isEqualTo(TurnScope.id(OTHER_BITS, 2));
        assertThat(claim.input()).isEqualTo(TurnScope.input(SESSION, OTHER_BITS, 2, input("b")));
        assertThat(commit(store(), claim, 2, "b")).isEqualTo(new Committed.Done(0, null));
    }

    @Test
    void inputWaitsBehindTheTurnOfAnother() {
        meanwhile = () -> accept(other(), OTHER_BITS, "a");

        assertThat(accept(store(), BITS, "b")).isEqualTo(new Acceptance.Waits(2));
    }

    @Test
    void inputStartsATurnOfTheSessionThatWasMadeAgain() {
        commit(store(), start(store(), BITS, "a"), 1, "a");
        meanwhile = () -> {
            other().delete(SESSION, Sample.NOW);
            commit(other(), start(other(), OTHER_BITS, "a"), 1, "a");
        };

        assertThat(start(store(), BITS, "b").scope()).isEqualTo(TurnScope.id(OTHER_BITS, 2));
    }

    @Test
    void commitStartsTheTurnOfWhatWaitsByThen() {
        Claim claim = start(store(), BITS, "a");
        accept(store(), BITS, "b");
        meanwhile = () -> {
            other().withdraw(SESSION, "b", Sample.NOW);
            accept(other(), OTHER_BITS, "c");
        };
        var done = (Committed.Done) commit(store(), claim, 1, "a");

        assertThat(done.started()).isEqualTo(2);
        assertThat(Objects.requireNonNull(done.next()).input())
                .isEqualTo(TurnScope.input(SESSION, BITS, 2, input("c")));
        assertThat(store().waiting(SESSION)).isEmpty();
    }

    @Test
    void commitStartsNoTurnIfNothingWaitsByThen() {
        Claim claim = start(store(), BITS, "a");
        accept(store(), BITS, "b");
        meanwhile = () -> other().withdraw(SESSION, "b", Sample.NOW);

        assertThat(commit(store(), claim, 1, "a")).isEqualTo(new Committed.Done(0, null));
        assertThat(store().head(SESSION).orElseThrow().active()).isNull();
    }
}
