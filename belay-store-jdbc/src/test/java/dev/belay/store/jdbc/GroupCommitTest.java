package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.EffectWrite;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.store.jdbc.file.GroupWriter;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.store.jdbc.file.Write;
import dev.belay.store.jdbc.sqlite.ScopeWrites;
import dev.belay.store.jdbc.sqlite.SqliteEffects;
import dev.belay.store.jdbc.sqlite.SqliteOutputs;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Contract L.6: writes share commits, each succeeds or fails alone, those of one scope are applied in order, a commit that was
 * not answered is looked up. S: one bad operation spoils a shared commit.
 */
class GroupCommitTest {

    @TempDir
    Path directory;

    private final AtomicInteger commits = new AtomicInteger();

    private SqliteJournal open(SqliteOptions options) {
        return SqliteJournal.open(directory.resolve("belay.db"), options, db -> {
            commits.incrementAndGet();
            GroupWriter.COMMIT.run(db);
        });
    }

    /** Hands over all writes at once, so that they are there when the thread looks. */
    private static List<@Nullable Throwable> together(SqliteJournal journal, List<Write<?>> writes) {
        journal.store().put(writes);
        List<@Nullable Throwable> failures = new ArrayList<>();
        for (Write<?> write : writes) {
            try {
                write.await();
                failures.add(null);
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }
        return failures;
    }

    private static Write<?> record(SqliteJournal journal, Claim claim, int n) {
        return record(journal, claim, "effect " + n, Sample.completed(n));
    }

    /** Like the journal does it: the first record of a scope takes several statements, the others one. */
    private static Write<?> record(SqliteJournal journal, Claim claim, String name, EffectWrite write) {
        var rendered = SqliteEffects.Rendered.of(write, new SqliteOutputs.Stored("1", null, null));
        ScopeWrites writes = journal.store().writes();
        return Write.<Boolean>guarded(name, 0,
                db -> writes.writeAtOnce(db, claim, rendered) == null ? null : true, db -> {
                    if (writes.write(db, claim, rendered).refusal() != null) {
                        throw new IllegalStateException("refused");
                    }
                    return true;
                });
    }

    /** Changes something, then fails. */
    private static Write<?> halfDone(Claim claim) {
        return Write.of("half done", db -> {
            db.update("update scope set cancel_reason = 'half done' where id = ?", claim.scope().value());
            db.update("insert into secret (id, bytes) values (1, x'00')");
            return true;
        });
    }

    @Test
    void whatComesTogetherSharesACommit() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            List<Write<?>> writes = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                writes.add(record(journal, claim, i));
            }
            assertThat(together(journal, writes)).containsOnlyNulls();
            // the thread may wake up before the first one and find all, or with the first one
            assertThat(commits.get()).isOne();
            assertThat(journal.effects(claim.scope())).hasSize(200);
        }
    }

    @Test
    void everyCommitIsSynced() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Sample.submitted(journal, "s");
            Write<List<Long>> settings = new Write<>(null, Write.Sharing.OUTSIDE, 0,
                    db -> List.of(db.number("pragma synchronous"), db.number("pragma foreign_keys")));
            journal.store().put(List.of(settings));
            assertThat(settings.await()).containsExactly(2L, 1L);
        }
    }

    @Test
    void aCommitHoldsAtMostTheAllowedWritesAndBytes() {
        try (var journal = open(SqliteOptions.STANDARD.withMaxBatch(10))) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            List<Write<?>> writes = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                writes.add(record(journal, claim, i));
            }
            assertThat(together(journal, writes)).containsOnlyNulls();
            assertThat(commits.get()).isEqualTo(3);
        }
        try (var journal = open(SqliteOptions.STANDARD.withMaxBatchBytes(1_000))) {
            Sample.submitted(journal, "t");
            commits.set(0);
            List<Write<?>> writes = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                writes.add(Write.of("w", 400, db -> db.update("update scope set fence = fence + 1")));
            }
            assertThat(together(journal, writes)).containsOnlyNulls();
            assertThat(commits.get()).isEqualTo(5);
        }
    }

    @Test
    void onePerCommitIsOnePerCommit() {
        List<String> heard = new ArrayList<>();
        try (var journal = open(SqliteOptions.STANDARD.onePerCommit()
                .withProbe((moment, write) -> heard.add(moment + " " + write)))) {
            Claim claim = Sample.submitted(journal, "s");
            heard.clear();
            commits.set(0);
            together(journal, List.of(record(journal, claim, 1), record(journal, claim, 2)));
            assertThat(commits.get()).isEqualTo(2);
            assertThat(heard).containsExactly("BEFORE effect 1", "INSIDE effect 1", "AFTER effect 1",
                    "BEFORE effect 2", "INSIDE effect 2", "AFTER effect 2");
        }
    }

    @Test
    void nobodyIsToldBeforeTheCommit() {
        List<String> heard = new ArrayList<>();
        try (var journal = open(
                SqliteOptions.STANDARD.withProbe((moment, write) -> heard.add(moment + " " + write)))) {
            Claim claim = Sample.submitted(journal, "s");
            heard.clear();
            together(journal, List.of(record(journal, claim, 1), record(journal, claim, 2)));
            assertThat(heard).containsExactly("BEFORE effect 1", "INSIDE effect 1", "BEFORE effect 2",
                    "INSIDE effect 2", "AFTER effect 1", "AFTER effect 2");
        }
    }

    @Test
    void aWriteThatChangesNothingCostsNoCommit() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            Sample.write(journal, claim, 1);
            commits.set(0);
            journal.submit(claim.scope(), Sample.INPUT, true, Sample.NOW);
            assertThat(journal.write(claim, Sample.completed(1)).refusal()).isNotNull();
            assertThat(journal.takeReady(10, 5, Sample.NOW)).isEmpty();
            assertThat(journal.takeDue(10, Sample.NOW)).isEmpty();
            journal.release("nothing", claim.scope(), "call/1");
            assertThat(commits.get()).isZero();
        }
    }

    @Test
    void oneBadWriteHurtsNobodyElse() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            List<@Nullable Throwable> failures = together(journal, List.of(record(journal, claim, 1),
                    halfDone(claim), record(journal, claim, 2)));
            assertThat(failures.get(0)).isNull();
            assertThat(failures.get(1)).isInstanceOf(JournalException.class)
                    .hasMessageContaining("breaks the rules");
            assertThat(failures.get(2)).isNull();
            assertThat(commits.get()).isOne();
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2");
            assertThat(journal.state(claim.scope()).orElseThrow().cancelReason()).isNull();
        }
    }

    @Test
    void oneBadStatementHurtsNobodyElse() {
        List<String> heard = new ArrayList<>();
        try (var journal = open(
                SqliteOptions.STANDARD.withProbe((moment, write) -> heard.add(moment + " " + write)))) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            heard.clear();
            List<@Nullable Throwable> failures = together(journal, List.of(record(journal, claim, 1),
                    record(journal, claim, "bad", Sample.bad(2)), record(journal, claim, 3)));
            assertThat(failures.get(1)).isInstanceOf(JournalException.class)
                    .hasMessageContaining("breaks the rules");
            assertThat(commits.get()).isOne();
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/3");
            assertThat(heard).containsExactly("BEFORE effect 1", "INSIDE effect 1", "BEFORE bad",
                    "BEFORE effect 3", "INSIDE effect 3", "AFTER effect 1", "AFTER effect 3");
        }
    }

    @Test
    void aStatementThatChangesNothingIsFollowedByTheReason() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            List<@Nullable Throwable> failures = together(journal,
                    List.of(record(journal, claim, 1), record(journal, claim, 2), record(journal, claim, 2),
                            record(journal, claim, 3)));
            assertThat(failures.get(2)).hasMessage("refused");
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2", "call/3");
        }
    }

    @Test
    void aBadRecordFailsAloneThroughTheDoor() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            assertThatThrownBy(() -> journal.write(claim, Sample.bad(1)))
                    .isInstanceOfSatisfying(JournalException.class,
                            e -> assertThat(e.code()).isEqualTo("journal_corrupt"));
            Sample.write(journal, claim, 1);
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1");
        }
    }

    @Test
    void anErrorThatDropsTheTransactionHurtsOnlyItsWrite() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            Write<?> dropping = Write.of("dropping", db -> {
                db.run("rollback"); // what SQLite does by itself when the disk is full
                throw new SQLiteException("full", SQLiteErrorCode.SQLITE_FULL);
            });
            List<@Nullable Throwable> failures = together(journal,
                    List.of(record(journal, claim, 1), dropping, record(journal, claim, 2)));
            assertThat(failures.get(0)).isNull();
            assertThat(failures.get(1)).isInstanceOfSatisfying(JournalException.class, e -> {
                assertThat(e.retryable()).isTrue();
                assertThat(e).hasMessageContaining("cannot grow");
            });
            assertThat(failures.get(2)).isNull();
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2");
        }
    }

    @Test
    void aStatementThatDropsTheTransactionHurtsOnlyItsWrite() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            Write<?> dropping = Write.<Boolean>guarded("dropping", 0, db -> {
                db.run("rollback"); // what SQLite does by itself when the disk is full
                throw new SQLiteException("full", SQLiteErrorCode.SQLITE_FULL);
            }, db -> {
                throw new AssertionError("what failed is not tried in another way");
            });
            List<@Nullable Throwable> failures = together(journal,
                    List.of(record(journal, claim, 1), dropping, record(journal, claim, 2)));
            assertThat(failures.get(1)).isInstanceOf(JournalException.class)
                    .hasMessageContaining("cannot grow");
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2");
        }
    }

    @Test
    void writesOfOneScopeAreAppliedInOrder() {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            Write<?> park = Write.of("park",
                    db -> journal.store()
                            .writes()
                            .park(db, claim, List.of(), "[]", false, null,
                                    Moments.text(Sample.NOW)));
            List<@Nullable Throwable> failures = together(journal,
                    List.of(record(journal, claim, 1), park, record(journal, claim, 2)));
            assertThat(failures.get(0)).isNull();
            assertThat(failures.get(2)).hasMessage("refused");
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1");
        }
    }

    /** Commits, but says that it did not; or does not commit. */
    private SqliteJournal openFailing(AtomicReference<@Nullable Boolean> commitFirst) {
        return SqliteJournal.open(directory.resolve("belay.db"), SqliteOptions.STANDARD, db -> {
            Boolean first = commitFirst.getAndSet(null);
            commits.incrementAndGet();
            if (!Boolean.FALSE.equals(first)) {
                GroupWriter.COMMIT.run(db);
            }
            if (first != null) {
                throw new SQLException("the connection broke");
            }
        });
    }

    @Test
    void anUnansweredCommitThatHappenedIsNotRepeated() {
        var commitFirst = new AtomicReference<@Nullable Boolean>();
        try (var journal = openFailing(commitFirst)) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            commitFirst.set(true);
            assertThat(together(journal, List.of(record(journal, claim, 1), record(journal, claim, 2))))
                    .containsOnlyNulls();
            assertThat(commits.get()).isOne();
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2");
        }
    }

    @Test
    void anUnansweredCommitThatDidNotHappenIsDoneAgain() {
        var commitFirst = new AtomicReference<@Nullable Boolean>();
        try (var journal = openFailing(commitFirst)) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            commitFirst.set(false);
            assertThat(together(journal, List.of(record(journal, claim, 1), record(journal, claim, 2))))
                    .containsOnlyNulls();
            assertThat(commits.get()).isEqualTo(3);
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2");
            commitFirst.set(false);
            assertThatThrownBy(() -> journal.write(claim, Sample.completed(3)))
                    .isInstanceOfSatisfying(JournalException.class, e -> assertThat(e.retryable()).isTrue());
            assertThat(Sample.keys(journal, "s")).containsExactly("call/1", "call/2");
            Sample.write(journal, claim, 3);
        }
    }

    @Test
    void aJournalThatWasDeclaredDeadWritesNothingMore() throws SQLException {
        try (var journal = open(SqliteOptions.STANDARD)) {
            Claim claim = Sample.submitted(journal, "s");
            Sample.execute(directory.resolve("belay.db"),
                    "pragma foreign_keys = off; delete from owner where id = '" + journal.owner() + "'");
            assertThatThrownBy(() -> journal.write(claim, Sample.completed(1)))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("declared this journal");
            assertThatThrownBy(() -> journal.effects(claim.scope())).isInstanceOf(JournalException.class);
            assertThat(Sample.query(directory.resolve("belay.db"), "select key from effect")).isEmpty();
        }
    }

    @Test
    void deathInsideASharedCommitLeavesNothingOfIt() {
        for (Moment when : Moment.values()) {
            var file = directory.resolve(when + ".db");
            var death = new IllegalStateException("dead");
            var journal = SqliteJournal.open(file, SqliteOptions.STANDARD.withProbe((moment, write) -> {
                if (moment == when && write.equals("effect 2")) {
                    throw death;
                }
            }));
            Claim claim = Sample.submitted(journal, "s");
            List<@Nullable Throwable> failures = together(journal,
                    List.of(record(journal, claim, 1), record(journal, claim, 2), record(journal, claim, 3)));
            assertThat(failures).containsOnly(death);
            assertThatThrownBy(() -> journal.state(new ScopeId("s"))).isSameAs(death);
            assertThatThrownBy(() -> journal.giveBack(claim, Sample.NOW)).isSameAs(death);
            try (var next = SqliteJournal.open(file)) {
                assertThat(Sample.keys(next, "s"))
                        .containsExactlyElementsOf(when == Moment.AFTER
                                ? List.of("call/1", "call/2", "call/3")
                                : List.of());
                // the lock went with it, although this process lives
                assertThat(next.takeReady(10, 5, Sample.NOW)).hasSize(1);
            }
            journal.close();
        }
    }

    @Test
    void closingWritesWhatWasAskedFor() {
        var journal = open(SqliteOptions.STANDARD);
        Claim claim = Sample.submitted(journal, "s");
        List<Write<?>> writes = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            writes.add(record(journal, claim, i));
        }
        journal.store().put(writes);
        journal.close();
        writes.forEach(write -> assertThat(Objects.requireNonNull(write.await())).isEqualTo(true));
        assertThatThrownBy(() -> journal.giveBack(claim, Sample.NOW))
                .isInstanceOfSatisfying(JournalException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_closed"));
        assertThatThrownBy(() -> journal.stuck()).isInstanceOf(JournalException.class);
    }
}
