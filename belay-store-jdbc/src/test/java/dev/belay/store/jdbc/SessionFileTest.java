package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the file can show: commits, pages, and that nothing is kept twice or left behind. */
class SessionFileTest {

    private static final SessionId SESSION = new SessionId("s");
    private static final int PAIRS = 20;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    private static Arrival input(String id) {
        return new Arrival(id, Arrival.Kind.INPUT, "hash of " + id, Json.string("say " + id));
    }

    private static Claim start(StoreDriver store, SessionId session, String id) {
        var started = (Acceptance.Started) store.accept(session, new Incarnation(1, session.hashCode()),
                input(id), -1, true, Sample.NOW);
        return Objects.requireNonNull(started.claim());
    }

    private static TurnCommit turn(SessionId session, long turn, Json result, String... taken) {
        return new TurnCommit(session, turn, "receipt",
                List.of(Json.string("question"), Json.string("answer")),
                Json.number(turn), result, List.of(taken));
    }

    private static void run(StoreDriver store, SessionId session, long turn) {
        String id = "in" + turn;
        assertThat(store.commit(start(store, session, id), turn(session, turn, Json.TRUE, id), true,
                Sample.NOW)).isEqualTo(new Committed.Done(0, null));
    }

    /** A session with that many turns behind it, of two messages each. */
    private static void create(StoreDriver store, SessionId session, int turns) {
        List<TurnRow> rows = new ArrayList<>();
        List<StoredMessage> messages = new ArrayList<>();
        for (int turn = 1; turn <= turns; turn++) {
            rows.add(new TurnRow(session, turn, "in" + turn, Sample.NOW, new TurnRow.End("receipt", Json.TRUE,
                    Json.number(turn), messages.size(), 2, Sample.NOW)));
            messages.add(new StoredMessage(messages.size(), turn, Json.string("question")));
            messages.add(new StoredMessage(messages.size(), turn, Json.string("answer")));
        }
        assertThat(store.create(new NewSession(session, new Incarnation(1, session.hashCode()), Json.NULL,
                rows, messages, Json.number(turns)), Sample.NOW)).isTrue();
    }

    @Test
    void aLateTurnWritesAsManyPagesAsAnEarlyOne() throws Exception {
        var young = new SessionId("young");
        var old = new SessionId("old");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file()))) {
            create(store, young, 100);
            create(store, old, 10_000);
            // so that both grow in the middle of the tables
            create(store, new SessionId("zzz"), 100);
            long early = pagesOf(store, young, 101);
            long late = pagesOf(store, old, 10_001);

            assertThat(early).isGreaterThan(PAIRS);
            assertThat(late).isBetween(early - PAIRS, early + PAIRS);
        }
    }

    /** How many pages some turns write to the log. */
    private long pagesOf(StoreDriver store, SessionId session, long first) throws SQLException, IOException {
        Sample.query(file(), "pragma wal_checkpoint(truncate)");
        for (long turn = first; turn < first + PAIRS; turn++) {
            run(store, session, turn);
        }
        return Files.size(directory.resolve("belay.db-wal")) / 4096;
    }

    @Test
    void acceptAndCommitAreOneCommitEach() {
        var commits = new AtomicInteger();
        StoreDriver opened = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        });
        commits.set(0);
        try (StoreDriver store = opened) {
            Claim claim = start(store, SESSION, "a");
            assertThat(commits).hasValue(1);
            store.accept(SESSION, new Incarnation(9, 9), input("b"), -1, true, Sample.NOW);
            assertThat(commits).hasValue(2);
            store.accept(SESSION, new Incarnation(9, 9), input("b"), -1, true, Sample.NOW);
            assertThat(commits).as("known").hasValue(2);
            store.commit(claim, turn(SESSION, 1, Json.TRUE, "a"), true, Sample.NOW);
            assertThat(commits).as("with the next turn").hasValue(3);
            store.commit(claim, turn(SESSION, 1, Json.TRUE, "a"), true, Sample.NOW);
            assertThat(commits).as("already").hasValue(3);
            store.delete(SESSION, Sample.NOW);
            assertThat(commits).hasValue(4);
        }
    }

    @Test
    void acceptsThatComeTogetherShareACommit() throws Exception {
        var commits = new AtomicInteger();
        StoreDriver opened = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        });
        int many = 200;
        try (StoreDriver store = opened;
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Acceptance>> accepts = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                // one in ten has an incarnation that is taken, and fails alone
                var id = new SessionId("s" + i);
                var incarnation = new Incarnation(0, i % 10 == 9 ? 0 : i);
                accepts.add(() -> store.accept(id, incarnation, input("a"), -1, true, Sample.NOW));
            }
            int failed = 0;
            for (Future<Acceptance> one : threads.invokeAll(accepts)) {
                failed += one.state() == Future.State.FAILED ? 1 : 0;
            }
            assertThat(failed).isEqualTo(many / 10);
            assertThat(store.sessions(null, many)).hasSize(many - many / 10);
            assertThat(commits.get()).isLessThan(many);
        }
    }

    @Test
    void aCommitThatFailsLeavesTheTurnAsItWas() {
        var failures = new AtomicInteger();
        StoreDriver opened = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            if (failures.getAndDecrement() > 0) {
                throw new JournalException("the disk is gone", null);
            }
            real.run();
        });
        try (StoreDriver store = opened) {
            Claim claim = start(store, SESSION, "a");
            failures.set(1);
            assertThatThrownBy(() -> store.commit(claim, turn(SESSION, 1, Json.TRUE, "a"), true, Sample.NOW))
                    .isInstanceOf(JournalException.class);

            assertThat(store.head(SESSION).orElseThrow().active()).isEqualTo(1);
            assertThat(store.messages(SESSION, 0, 9)).isEmpty();
            assertThat(store.commit(claim, turn(SESSION, 1, Json.TRUE, "a"), true, Sample.NOW))
                    .isEqualTo(new Committed.Done(0, null));
        }
    }

    @Test
    void aResultIsKeptOnce() throws SQLException {
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = start(store, SESSION, "a");
            store.commit(claim, turn(SESSION, 1, Json.string("small"), "a"), true, Sample.NOW);
            Claim next = start(store, SESSION, "b");
            store.commit(next, turn(SESSION, 2, Sample.large(1), "b"), true, Sample.NOW);
        }
        assertThat(Sample.query(file(), "select count(*) from turn where result is not null"))
                .containsExactly("0");
        assertThat(Sample.query(file(), "select value from scope_result order by scope"))
                .containsExactly("\"small\"", "null");
        assertThat(Sample.query(file(), "select count(*) from content_bytes")).containsExactly("1");
        assertThat(Sample.query(file(), "select coalesce(state, 'none') from session_past")).isEmpty();
    }

    @Test
    void aDeletedSessionLeavesNoRow() throws SQLException {
        var kept = new SessionId("kept");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file()))) {
            create(store, SESSION, 2);
            run(store, SESSION, 3);
            Claim claim = start(store, SESSION, "x");
            store.accept(SESSION, new Incarnation(9, 9), input("y"), -1, true, Sample.NOW);
            Sample.write(store, claim, 1);
            store.late(claim.scope(), "call/1", Json.TRUE, Sample.NOW);
            store.take(claim, "account", "call/1", Sample.NOW);
            run(store, kept, 1);
            assertThat(store.delete(SESSION, Sample.NOW)).isTrue();
            for (String table : List.of("effect", "wait", "late", "session_past")) {
                assertThat(Sample.query(file(), "select count(*) from " + table)).as(table)
                        .containsExactly("0");
            }
            for (String table : List.of("scope", "scope_input", "scope_result", "session", "incarnation",
                    "turn", "arrival")) {
                assertThat(Sample.query(file(), "select count(*) from " + table)).as(table)
                        .containsExactly("1");
            }
            assertThat(Sample.query(file(), "select count(*) from message")).containsExactly("2");
            assertThat(Sample.query(file(), "pragma integrity_check")).containsExactly("ok");
            Claim other = Sample.submitted(store, "other");
            assertThat(store.take(other, "account", "call/1", Sample.NOW).resourceFence())
                    .as("the scope that held it is gone")
                    .isEqualTo(2);
        }
    }
}
