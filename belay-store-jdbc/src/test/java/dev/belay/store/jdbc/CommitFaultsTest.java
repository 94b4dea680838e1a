package dev.belay.store.jdbc;

import static dev.belay.store.jdbc.GroupCommitTest.messages;
import static dev.belay.store.jdbc.GroupCommitTest.record;
import static dev.belay.store.jdbc.GroupCommitTest.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.commit.GroupCommit;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.rows.LostRaceException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.store.jdbc.rows.SqliteRows;
import dev.belay.tool.context.Incarnation;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract L.6 with a store that fails: in begin, load, flush and commit, with and without an answer, and in a lost race. */
class CommitFaultsTest {

    @TempDir
    Path directory;

    private final RuntimeException full = new JournalException("full", null);
    private WatchedRows rows;
    private GroupCommit commits;

    @BeforeEach
    void open() {
        rows = new WatchedRows(SqliteRows.open(directory.resolve("belay.db"), SqliteOptions.STANDARD));
        commits = GroupCommit.start(rows, JournalProbe.NONE, 256, 1 << 20);
        commits.apply(Operation.of("submit", 0, into -> {}, unit -> {
            unit.put(ScopeRows.SCOPES, Scope.submitted("s", "k", new Incarnation(1, 1), 1, Sample.NOW));
            return true;
        }));
        rows.commits.set(0);
    }

    @AfterEach
    void close() {
        commits.close();
    }

    /** Fails the first times. */
    private static Runnable failing(int times, RuntimeException failure) {
        var left = new AtomicInteger(times);
        return () -> {
            if (left.getAndDecrement() > 0) {
                throw failure;
            }
        };
    }

    @Test
    void afterAFailedLoadEachIsLoadedAlone() {
        rows.beforeLoad = failing(1, full);

        assertThat(together(commits, List.of(record(0), record(1), record(2)))).containsExactly(1, 2, 3);
        assertThat(rows.commits).hasValue(3);
    }

    @Test
    void afterAFailedFlushEachIsWrittenAlone() {
        rows.beforeFlush = failing(2, full);

        assertThat(together(commits, List.of(record(0), record(1), record(2)))).containsExactly(full, 1, 2);
        assertThat(messages(commits)).containsExactly(1L, 2L);
    }

    @Test
    void whatCannotBeginFailsTogether() {
        rows.beforeBegin = failing(1, full);

        assertThat(together(commits, List.of(record(0), record(1)))).containsExactly(full, full);
        assertThat(together(commits, List.of(record(0), record(1)))).containsExactly(1, 2);
    }

    @Test
    void anErrorOfTheStoreIsAFailureThatMayPass() {
        rows.beforeFlush = () -> {
            rows.beforeFlush = () -> {};
            throw new LinkageError("simulated");
        };

        assertThatThrownBy(() -> commits.apply(record(0))).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e.retryable()).isTrue());
        assertThat(commits.apply(record(0))).isOne();
    }

    @Test
    void aLostRaceIsDecidedAgain() {
        rows.beforeFlush = failing(3, new LostRaceException(new SQLException("taken")));

        assertThat(together(commits, List.of(record(0), record(1)))).containsExactly(1, 2);
        assertThat(rows.commits).hasValue(1);
        var inCommit = failing(1, new LostRaceException(new SQLException("taken")));
        rows.beforeAsking = () -> {
            throw new AssertionError("a lost race was answered");
        };
        rows.commit = real -> {
            inCommit.run();
            real.run();
        };
        assertThat(together(commits, List.of(record(2), record(3)))).containsExactly(3, 4);
    }

    @Test
    void aRaceThatIsAlwaysLostFails() {
        rows.beforeFlush = failing(Integer.MAX_VALUE, new LostRaceException(new SQLException("taken")));

        assertThatThrownBy(() -> commits.apply(record(0))).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e.retryable()).isTrue()).hasMessageContaining("100 times");
        rows.beforeFlush = () -> {};
        assertThat(commits.apply(record(0))).isOne();
    }

    @Test
    void anUnansweredCommitThatHappenedIsNotRepeated() {
        rows.commit = real -> {
            real.run();
            throw full;
        };

        assertThat(together(commits, List.of(record(0), record(1)))).containsExactly(1, 2);
        assertThat(rows.commits).hasValue(1);
        assertThat(messages(commits)).containsExactly(0L, 1L);
    }

    @Test
    void anUnansweredCommitThatDidNotHappenIsDoneAgain() {
        Runnable first = failing(1, full);
        rows.commit = real -> {
            first.run();
            real.run();
        };
        assertThat(together(commits, List.of(record(0), record(1)))).containsExactly(1, 2);
        assertThat(rows.commits).hasValue(3);
        assertThat(messages(commits)).containsExactly(0L, 1L);

        rows.commit = real -> {
            throw full;
        };
        assertThatThrownBy(() -> commits.apply(record(2))).isSameAs(full);
        rows.commit = Runnable::run;
        assertThat(messages(commits)).containsExactly(0L, 1L);
        assertThat(commits.apply(record(2))).isEqualTo(3);
    }

    @Test
    void aCommitOfWhichNothingIsKnownIsToldSo() {
        rows.commit = real -> {
            real.run();
            throw new JournalException("the line broke", null);
        };
        rows.beforeAsking = failing(1, full);
        Operation<Integer> wrong = Operation.of("wrong", 0, into -> {}, unit -> {
            throw new IllegalStateException("wrong");
        });
        List<Object> ends = together(commits, List.of(record(0), wrong, record(1)));

        assertThat(ends.get(0)).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e).hasMessageContaining("it is not known whether the write has happened"));
        assertThat(ends.get(1)).as("its end is known").isInstanceOf(IllegalStateException.class);
        assertThat(ends.get(2)).isInstanceOf(JournalException.class);
        rows.commit = Runnable::run;
        assertThat(commits.apply(record(3))).as("it had happened").isEqualTo(3);
    }

    @Test
    void aStoreThatWasDeclaredDeadWritesNothingMore() throws SQLException {
        Path file = directory.resolve("belay.db");
        Sample.execute(file, "delete from owner where id = '" + commits.owner() + "'");

        assertThatThrownBy(() -> commits.apply(record(0))).isInstanceOf(JournalException.class)
                .hasMessageContaining("declared this journal");
        assertThatThrownBy(() -> messages(commits)).isInstanceOf(JournalException.class)
                .hasMessageContaining("declared this journal");
        assertThat(Sample.query(file, "select place from message")).isEmpty();
    }

    @Test
    void anUnansweredCommitOfAStoreThatWasDeclaredDeadIsItsEnd() throws SQLException {
        Path file = directory.resolve("belay.db");
        rows.commit = real -> {
            throw full;
        };
        rows.beforeAsking = () -> {
            try {
                Sample.execute(file, "delete from owner where id = '" + commits.owner() + "'");
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        };

        assertThatThrownBy(() -> commits.apply(record(0))).hasMessageContaining("declared this journal");
        assertThatThrownBy(() -> commits.apply(record(1))).hasMessageContaining("declared this journal");
    }
}
