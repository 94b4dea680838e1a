package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.rows.LostRaceException;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.RowsLockedException;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Late;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.Sample;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two nodes on one schema, each provoked race of PostgreSQL, and locks of another program (L.6). */
@Timeout(180)
class PostgresRacesTest {

    private static final Selector<Counter> A = Selector.one(StoreRows.COUNTERS, "p", "a");
    private static final Selector<Counter> B = Selector.one(StoreRows.COUNTERS, "p", "b");
    private static final Selector<Wait> WAITS = Selector.of(ScopeRows.WAITS, "s");
    /** Less than the time after which the server ends an idle transaction, so that a missing lock is told as such. */
    private static final Duration SOON = Duration.ofSeconds(4);
    /** Longer than {@code lock_timeout}; the profile {@code long} holds the lock for a minute. */
    private static final Duration HELD = Duration.ofSeconds(Boolean.getBoolean("belay.long") ? 60 : 5);

    private TestPostgres.Place place;
    private PostgresRows one;
    private PostgresRows two;

    @BeforeEach
    void open() {
        place = TestPostgres.place();
        one = PostgresRows.open(place.source(), place.options());
        two = PostgresRows.open(place.source(), place.options());
    }

    @AfterEach
    void close() {
        if (one != null) {
            one.close();
            two.close();
        }
    }

    private static void flush(Rows.Transaction transaction, List<Selector<?>> selectors,
            Consumer<Unit> change) {
        var unit = new Unit(transaction.load(selectors));
        change.accept(unit);
        unit.keep();
        transaction.flush(unit.changes());
    }

    private static void write(Rows rows, long batch, List<Selector<?>> selectors, Consumer<Unit> change) {
        try (Rows.Transaction transaction = rows.begin()) {
            flush(transaction, selectors, change);
            transaction.commit(batch);
        }
    }

    private static Consumer<Unit> counter(String name, long value) {
        return unit -> unit.put(StoreRows.COUNTERS, new Counter("p", name, value));
    }

    private static Wait open(String name) {
        return new Wait("s", name, OpenWait.Kind.EVENT, true, null, null, null, null);
    }

    @Test
    void aWriterThatWaitedForALockSeesWhatItsHolderCommitted() throws Exception {
        write(one, 1, List.of(A), unit -> {
            counter("a", 1).accept(unit);
            unit.put(ScopeRows.WAITS, open("old"));
        });
        CompletableFuture<List<String>> seen;
        try (Rows.Transaction holder = one.begin()) {
            flush(holder, List.of(A, WAITS), unit -> {
                counter("a", 2).accept(unit);
                unit.put(ScopeRows.WAITS, open("new"));
            });
            seen = CompletableFuture.supplyAsync(() -> {
                try (Rows.Transaction waiting = two.begin()) {
                    var look = waiting.load(List.of(WAITS, A));
                    assertThat(look.row(StoreRows.COUNTERS, "p", "a")).isEqualTo(new Counter("p", "a", 2));
                    return look.rows(WAITS).stream().map(Wait::name).toList();
                }
            });
            awaitBlocked();
            holder.commit(2);
        }

        assertThat(seen.get(20, TimeUnit.SECONDS)).containsExactly("new", "old");
    }

    /** Until a backend waits for a lock. */
    private void awaitBlocked() throws Exception {
        awaitRow("a backend to wait for a lock",
                "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
                        + " and query like '%counter%'");
    }

    private void awaitRow(String what, String query) throws Exception {
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement()) {
            TestPostgres.until(what, SOON, () -> statement.executeQuery(query).next());
        }
    }

    private static final Selector<Wait> W = Selector.one(ScopeRows.WAITS, "s", "w");

    /** While the first row is locked elsewhere, the others are free: two writers cannot wait for each other. */
    @Test
    void rowsAreLockedInTheOrderOfTablesAndKeysAndNotAsTheyWereAskedFor() throws Exception {
        write(one, 1, List.of(), unit -> {
            counter("a", 1).accept(unit);
            counter("b", 1).accept(unit);
            unit.put(ScopeRows.WAITS, open("w"));
        });
        var sql = new PostgresSql(place.options().schema());
        try (Connection foreign = place.source().getConnection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.executeQuery("select 1 from " + sql.name("counter") + " where name = 'a' for update")
                    .next();
            var waiting = CompletableFuture.supplyAsync(() -> {
                try (Rows.Transaction transaction = two.begin()) {
                    var look = transaction.load(List.of(W, B, A));
                    return look.row(StoreRows.COUNTERS, "p", "b");
                }
            });
            awaitBlocked();
            assertThat(statement.executeQuery("select 1 from " + sql.name("counter")
                    + " where name = 'b' for update nowait").next()).isTrue();
            assertThat(
                    statement.executeQuery("select 1 from " + sql.name("wait") + " for update nowait").next())
                    .isTrue();
            foreign.rollback();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(new Counter("p", "b", 1));
        }
    }

    /** The lock of the first table finds no row; while the lock of the second one is waited for, another owner writes that row. */
    @Test
    void aRowThatAppearsBetweenItsLockAndItsReadIsLockedToo() throws Exception {
        write(one, 1, List.of(), unit -> unit.put(ScopeRows.WAITS, open("w")));
        var sql = new PostgresSql(place.options().schema());
        try (Connection foreign = place.source().getConnection();
                Statement statement = foreign.createStatement();
                Rows.Transaction late = two.begin()) {
            foreign.setAutoCommit(false);
            statement.executeQuery("select 1 from " + sql.name("wait") + " for update").next();
            var loading = CompletableFuture
                    .supplyAsync(() -> late.load(List.of(A, W)).row(StoreRows.COUNTERS, "p", "a"));
            awaitRow("the lock of the wait to be waited for",
                    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%wait%'"
                            + " and pid <> pg_backend_pid()");
            write(one, 2, List.of(), counter("a", 1));
            foreign.rollback();

            assertThat(loading.get(20, TimeUnit.SECONDS)).isEqualTo(new Counter("p", "a", 1));
            assertThatThrownBy(() -> statement.executeQuery("select 1 from " + sql.name("counter")
                    + " where name = 'a' for update nowait")).hasMessageContaining("could not obtain lock");
        }
    }

    @Test
    void theLoserOfAnInsertDecidesAgain() {
        try (Rows.Transaction slow = two.begin()) {
            var unit = new Unit(slow.load(List.of(A)));
            write(one, 1, List.of(A), counter("a", 1));
            counter("a", 7).accept(unit);
            unit.keep();
            assertThatThrownBy(() -> slow.flush(unit.changes())).isInstanceOf(LostRaceException.class);
        }
        write(two, 1, List.of(A), unit -> counter("a",
                Objects.requireNonNull(unit.get(StoreRows.COUNTERS, "p", "a")).value() + 1).accept(unit));
        assertThat(TestRows.find(one, A, "p", "a")).isEqualTo(new Counter("p", "a", 2));
    }

    /** Two operations in one commit: the first makes the row, the second deletes it with what belongs to it. */
    @Test
    void aRowThatOneCommitMakesAndDeletesIsNotTheOneThatAnotherOwnerHasMade() {
        try (Rows.Transaction slow = two.begin()) {
            var unit = new Unit(slow.load(List.of(A)));
            write(one, 1, List.of(A), counter("a", 1));
            counter("a", 7).accept(unit);
            unit.keep();
            unit.delete(StoreRows.COUNTERS, "p", "a");
            unit.keep();
            assertThatThrownBy(() -> slow.flush(unit.changes())).isInstanceOf(LostRaceException.class);
        }
        assertThat(TestRows.find(one, A, "p", "a")).isEqualTo(new Counter("p", "a", 1));
    }

    @Test
    void aRowThatIsClearedAndWrittenAgainWithAnotherNumberIsThere() {
        write(one, 1, List.of(A), counter("a", 1));
        write(one, 2, List.of(A), unit -> {
            unit.clear(StoreRows.COUNTERS, "p");
            counter("a", 7).accept(unit);
        });
        assertThat(TestRows.find(one, A, "p", "a")).isEqualTo(new Counter("p", "a", 7));
    }

    @Test
    void aRowInWhichNotOnlyNumbersHaveChangedIsWrittenWhole() {
        Selector<Late> late = Selector.one(ScopeRows.LATE, "s", "k");
        for (Json result : List.of(Json.TRUE, Json.FALSE)) {
            var row = new Late("s", "k", result, null, Instant.EPOCH);
            write(one, 1, List.of(late), unit -> unit.put(ScopeRows.LATE, row));
            assertThat(TestRows.find(one, late, "s", "k")).isEqualTo(row);
        }
    }

    @Test
    void aDeadlockIsALostRaceOfOne() throws Exception {
        write(one, 1, List.of(), unit -> {
            counter("a", 1).accept(unit);
            counter("b", 1).accept(unit);
        });
        CompletableFuture<Boolean> other;
        try (Rows.Transaction second = two.begin()) {
            boolean lost;
            try (Rows.Transaction first = one.begin()) {
                first.load(List.of(A));
                second.load(List.of(B));
                other = CompletableFuture.supplyAsync(() -> loses(second, A));
                awaitBlocked();
                lost = loses(first, B);
            }
            assertThat(other.get(20, TimeUnit.SECONDS)).isNotEqualTo(lost);
        }
    }

    private static boolean loses(Rows.Transaction transaction, Selector<?> more) {
        try {
            transaction.load(List.of(more));
            return false;
        } catch (LostRaceException e) {
            transaction.close();
            return true;
        }
    }

    /** Others decide over these rows and load no head that guards them, or write rows that refer to them. */
    static List<Consumer<Unit>> changesWithoutAHead() {
        return List.of(unit -> unit.put(StoreRows.SECRETS, new StoreRows.SecretRow("x", 1, new byte[]{1})),
                unit -> unit.delete(OperatorRows.PAUSES, "tool", "t"),
                unit -> unit.delete(OperatorRows.DOUBTS, "d", null),
                unit -> unit.delete(StoreRows.CONTENTS, "h", null),
                unit -> unit.delete(StoreRows.BYTES, "h", null));
    }

    @ParameterizedTest
    @MethodSource("changesWithoutAHead")
    void aChangeOfARowWithoutAHeadWaitsForAllWriters(Consumer<Unit> change) {
        try (Rows.Transaction reading = one.begin()) {
            reading.load(List.of(A));
            try (Rows.Transaction changing = two.begin()) {
                assertThatThrownBy(() -> flush(changing, List.of(), change))
                        .isInstanceOf(LostRaceException.class);
            }
        }
        write(two, 1, List.of(), change);
        assertThat(two.hasCommitted(1)).isTrue();
    }

    /** A look alone would say that it did not happen, and then it would. */
    @Test
    void aCommitThatIsStillOnItsWayWhenItIsLookedUpNeverHappens() throws Exception {
        try (var network = new TestProxy()) {
            var far = PostgresRows.open(network.source(), place.options());
            try {
                try (Rows.Transaction lost = far.begin()) {
                    flush(lost, List.of(A), counter("a", 1));
                    network.holdNext();
                    assertThatThrownBy(() -> lost.commit(1)).isInstanceOf(LostRaceException.class);
                }
                network.release();
                awaitNoTransaction();
                assertThat(TestRows.find(one, A, "p", "a")).isNull();
                assertThat(far.hasCommitted(1)).isFalse();

                write(far, 2, List.of(A), counter("a", 2));
                assertThat(far.hasCommitted(2)).isTrue();
            } finally {
                far.close();
            }
        }
    }

    private void awaitNoTransaction() throws Exception {
        awaitRow("all transactions to end", "select 1 where not exists (select 1 from pg_stat_activity where"
                + " xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend')");
    }

    @Test
    void aRowThatAnotherProgramLocksHoldsUpItsWritesAlone() throws Exception {
        try (var store = new StoreDriver(JdbcStore.postgres(place.source(), place.options()));
                Connection foreign = place.source().getConnection()) {
            var journal = store;
            var locked = Sample.submitted(journal, "locked");
            var free = Sample.submitted(journal, "free");
            foreign.setAutoCommit(false);
            try (Statement statement = foreign.createStatement()) {
                statement
                        .executeQuery(
                                "select 1 from " + new PostgresSql(place.options().schema()).name("scope")
                                        + " where id = 'locked' for update")
                        .next();
            }
            var held = CompletableFuture.supplyAsync(() -> journal.write(locked, Sample.completed(0)));
            int written = 0;
            for (long end = System.nanoTime() + HELD.toNanos(); end - System.nanoTime() > 0;) {
                Sample.write(journal, free, written++);
            }
            assertThat(held).isNotDone();
            foreign.rollback();
            assertThat(held.get(20, TimeUnit.SECONDS).refusal()).isNull();
            assertThat(Sample.keys(journal, "locked")).hasSize(1);
            assertThat(Sample.keys(journal, "free")).hasSize(written).hasSizeGreaterThan(20);
        }
    }

    @Test
    void aLockThatIsHeldIsToldApartFromARace() throws Exception {
        write(one, 1, List.of(), counter("a", 1));
        try (Connection foreign = place.source().getConnection(); Rows.Transaction waiting = one.begin()) {
            foreign.setAutoCommit(false);
            try (Statement statement = foreign.createStatement()) {
                statement.executeQuery("select 1 from " + new PostgresSql(place.options().schema())
                        .name("counter") + " for update").next();
            }
            assertThatThrownBy(() -> waiting.load(List.of(A))).isInstanceOf(RowsLockedException.class);
            foreign.rollback();
        }
    }

    @Test
    void aNodeWhoseLeaseWasJudgedGoesOnUnderANewName() throws Exception {
        try (var store = new StoreDriver(JdbcStore.postgres(place.source(), place.options()));
                Connection judge = place.source().getConnection();
                Statement statement = judge.createStatement()) {
            var journal = store;
            var claim = Sample.submitted(journal, "s");
            String before = journal.owner();
            statement.execute("update " + new PostgresSql(place.options().schema()).name("lease")
                    + " set dead = true where owner = '" + before + "'");
            TestPostgres.until("a new name", () -> {
                journal.cancel(new ScopeId("s"), "again", false, Sample.NOW);
                return !journal.owner().equals(before);
            });

            assertThat(journal.write(claim, Sample.completed(0)).refusal()).isNotNull();
            journal.late(new ScopeId("s"), "call/0", Json.TRUE, Sample.NOW);
            assertThat(journal.lateResults(new ScopeId("s"))).hasSize(1);
            var taken = journal.takeReady(9, 5, Sample.NOW);
            assertThat(taken).singleElement().satisfies(again -> {
                assertThat(again.fence()).isGreaterThan(claim.fence());
                Sample.write(journal, again, 0);
            });
        }
    }
}
