package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.commit.GroupCommit;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.SqliteFile;
import dev.belay.store.jdbc.rows.SqliteRows;
import dev.belay.tool.context.Incarnation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.6: writes share commits, each succeeds or fails alone, those of one scope are applied in order, a commit that was
 * not answered is looked up. {@link CommitFaultsTest} has a store that fails.
 */
class GroupCommitTest {

    private static final int MANY = 256;
    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    private final List<String> heard = new ArrayList<>();
    private final List<GroupCommit> opened = new ArrayList<>();
    private @Nullable WatchedRows watched;

    @AfterEach
    void closeAll() {
        opened.forEach(GroupCommit::close);
    }

    private Path file() {
        return directory.resolve("belay.db");
    }

    /** Commits on the scope {@code s}, after which nothing was counted or heard. */
    private GroupCommit open(int operations, long bytes) {
        return open(file(), operations, bytes, (moment, write) -> heard.add(moment + " " + write));
    }

    private GroupCommit open(Path path, int operations, long bytes, JournalProbe probe) {
        watched = new WatchedRows(SqliteRows.open(path, SqliteOptions.STANDARD));
        GroupCommit commits = GroupCommit.start(watched, probe, operations, bytes);
        opened.add(commits);
        commits.apply(Operation.of("submit", 0, into -> {}, unit -> {
            unit.put(ScopeRows.SCOPES, Scope.submitted("s", "k", new Incarnation(1, 1), 1, Sample.NOW));
            return true;
        }));
        watched.commits.set(0);
        heard.clear();
        return commits;
    }

    private int commits() {
        return Objects.requireNonNull(watched).commits.get();
    }

    /** Adds a message, and counts it in the scope. */
    static Operation<Integer> record(int n) {
        return record(n, 0, Json.number(n));
    }

    private static Operation<Integer> record(int n, long size, Json value) {
        return Operation.of("record " + n, size, into -> into.add(Selector.one(ScopeRows.SCOPES, "s")),
                unit -> {
                    Scope scope = Objects.requireNonNull(unit.get(ScopeRows.SCOPES, "s"));
                    unit.put(SessionRows.MESSAGES, new Message("s", n, 1, value));
                    unit.put(ScopeRows.SCOPES, scope.counted(scope.effects() + 1, 0, 0));
                    return scope.effects() + 1;
                });
    }

    /** Changes something, then fails. */
    private static Operation<Integer> halfDone() {
        return Operation.of("half done", 0, into -> {}, unit -> {
            unit.delete(ScopeRows.SCOPES, "s", null);
            unit.put(SessionRows.MESSAGES, new Message("s", 99, 1, Json.TRUE));
            throw new IllegalStateException("half done");
        });
    }

    /** Writes a row that the schema refuses: it has no key. */
    @SuppressWarnings("NullAway")
    private static Operation<Integer> bad() {
        return Operation.of("bad", 0, into -> {}, unit -> {
            unit.put(SessionRows.MESSAGES, new Message(null, 1, 1, Json.TRUE));
            return 1;
        });
    }

    /** Applies all of them together; gives their answers and failures. */
    static List<Object> together(GroupCommit commits, List<Operation<Integer>> operations) {
        List<Object> ends = new ArrayList<>();
        for (Pending<Integer> pending : commits.submit(operations)) {
            try {
                ends.add(pending.await());
            } catch (RuntimeException | Error e) {
                ends.add(e);
            }
            assertThat(pending.isDone()).isTrue();
        }
        return ends;
    }

    private static List<Operation<Integer>> records(int count) {
        List<Operation<Integer>> records = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            records.add(record(n));
        }
        return records;
    }

    static List<Long> messages(GroupCommit commits) {
        Selector<Message> all = Selector.of(SessionRows.MESSAGES, "s");
        return commits.read(Operation.reading(into -> into.add(all),
                unit -> unit.list(all).stream().map(Message::place).toList()));
    }

    @Test
    void whatComesTogetherSharesACommit() {
        GroupCommit commits = open(MANY, MIB);
        long before = commits.loads();
        List<Object> ends = together(commits, records(200));

        assertThat(ends).hasSize(200).startsWith(1, 2).endsWith(200);
        assertThat(commits()).isOne();
        assertThat(commits.loads() - before).as("waves").isOne();
        assertThat(messages(commits)).hasSize(200);
    }

    @Test
    void aCommitHolds256WritesAndOneMebibyteUnlessItIsSaid() {
        assertThat(List.of(SqliteOptions.STANDARD.maxBatch(), PostgresOptions.STANDARD.maxBatch()))
                .containsOnly(256);
        assertThat(List.of(SqliteOptions.STANDARD.maxBatchBytes(), PostgresOptions.STANDARD.maxBatchBytes()))
                .containsOnly(1_048_576);
    }

    @Test
    void aLeaseIs30SecondsUnlessItIsSaid() {
        assertThat(PostgresOptions.STANDARD.lease()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void everyCommitIsSynced() throws Exception {
        open(MANY, MIB);
        try (Database db = SqliteFile.open(file(), SqliteOptions.STANDARD).writer()) {
            assertThat(db.number("pragma synchronous")).isEqualTo(2);
        }
    }

    @Test
    void aCommitHoldsAtMostTheAllowedWrites() {
        assertThat(together(open(10, MIB), records(30))).hasSize(30);
        assertThat(commits()).isEqualTo(3);
    }

    @Test
    void aCommitHoldsAtMostTheAllowedBytes() {
        GroupCommit commits = open(MANY, 1_000);
        List<Operation<Integer>> records = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            records.add(record(n, 400, Json.TRUE));
        }
        together(commits, records);
        assertThat(commits()).isEqualTo(5);

        together(commits, List.of(record(10), record(11, 5_000, Json.TRUE), record(12)));
        assertThat(commits()).as("a larger one is alone").isEqualTo(8);
        assertThat(messages(commits)).hasSize(13);
    }

    @Test
    void onePerCommitIsOnePerCommit() {
        together(open(1, MIB), records(2));

        assertThat(commits()).isEqualTo(2);
        assertThat(heard).containsExactly("BEFORE record 0", "INSIDE record 0", "AFTER record 0",
                "BEFORE record 1", "INSIDE record 1", "AFTER record 1");
    }

    @Test
    void callersAreToldAfterTheCommit() {
        together(open(MANY, MIB), records(2));

        assertThat(heard).containsExactly("BEFORE record 0", "BEFORE record 1", "INSIDE record 0",
                "INSIDE record 1", "AFTER record 0", "AFTER record 1");
    }

    @Test
    void aWriteThatChangesNothingCostsNoCommit() {
        GroupCommit commits = open(MANY, MIB);
        Operation<Integer> look = Operation.of("look", 0,
                into -> into.add(Selector.one(ScopeRows.SCOPES, "s")), unit -> 7);

        assertThat(together(commits, List.of(look, look))).containsExactly(7, 7);
        assertThat(commits()).isZero();
    }

    @Test
    void anOperationThatThrowsHurtsNoOther() {
        GroupCommit commits = open(MANY, MIB);
        List<Object> ends = together(commits, List.of(record(0), halfDone(), record(1)));

        assertThat(ends.get(1)).asInstanceOf(THROWABLE)
                .hasMessage("half done");
        assertThat(ends).element(0).isEqualTo(1);
        assertThat(ends).element(2).isEqualTo(2);
        assertThat(commits()).isOne();
        assertThat(messages(commits)).containsExactly(0L, 1L);
        assertThat(heard).doesNotContain("INSIDE half done", "AFTER half done");
    }

    @Test
    void anErrorOfAnOperationHurtsNoOther() {
        var error = new AssertionError("wrong");
        Operation<Integer> wrong = Operation.of("wrong", 0, into -> {}, unit -> {
            throw error;
        });

        assertThat(together(open(MANY, MIB), List.of(record(0), wrong, record(1))))
                .containsExactly(1, error, 2);
    }

    @Test
    void aRowThatTheSchemaRefusesFailsAlone() {
        GroupCommit commits = open(MANY, MIB);
        List<Object> ends = together(commits, List.of(record(0), bad(), record(1)));

        assertThat(ends.get(1)).isInstanceOfSatisfying(JournalException.class, e -> {
            assertThat(e.code()).isEqualTo("journal_corrupt");
            assertThat(e).hasMessageContaining("breaks the rules");
        });
        assertThat(ends).element(0).isEqualTo(1);
        assertThat(ends).element(2).isEqualTo(2);
        assertThat(messages(commits)).containsExactly(0L, 1L);
        assertThat(heard).as("each once").containsOnlyOnce("BEFORE record 0", "BEFORE bad", "AFTER record 0");
    }

    @Test
    void laterOperationsSeeEarlierOnes() {
        GroupCommit commits = open(MANY, MIB);
        Operation<Integer> end = Operation.of("end", 0, into -> {}, unit -> {
            unit.delete(ScopeRows.SCOPES, "s", null);
            return 0;
        });
        List<Object> ends = together(commits, List.of(record(0), end, record(1)));

        assertThat(ends.get(2)).isInstanceOf(NullPointerException.class);
        assertThat(messages(commits)).containsExactly(0L);
        assertThat(commits()).isOne();
    }

    /** Takes the first message that is there. */
    private static Operation<Integer> takeFirst() {
        Selector<Message> first = new Selector.Of<>(SessionRows.MESSAGES, "s", null, 1);
        return Operation.of("take", 0, into -> into.add(first), unit -> {
            List<Message> found = unit.list(first);
            if (found.isEmpty()) {
                return -1;
            }
            unit.delete(SessionRows.MESSAGES, "s", found.getFirst().place());
            return (int) found.getFirst().place();
        });
    }

    @Test
    void anOperationThatNeedsOtherRowsAfterAChangeBeginsTheNextCommit() {
        GroupCommit commits = open(MANY, MIB);
        together(commits, records(2));
        int before = commits();

        assertThat(together(commits, List.of(takeFirst(), takeFirst(), takeFirst(), record(5))))
                .containsExactly(0, 1, -1, 3);
        assertThat(commits() - before).isEqualTo(3);
        assertThat(heard.stream().filter("BEFORE take"::equals)).hasSize(3);
    }

    @Test
    void anOperationThatNamedTooLittleFails() {
        GroupCommit commits = open(MANY, MIB);
        Operation<Integer> careless = Operation.of("careless", 0, into -> {},
                unit -> unit.get(ScopeRows.SCOPES, "t") == null ? 0 : 1);
        List<Object> ends = together(commits, List.of(record(0), careless, record(1)));

        assertThat(ends).element(0).isEqualTo(1);
        assertThat(ends.get(1)).asInstanceOf(THROWABLE)
                .hasMessageContaining("scope t");
        assertThat(ends).element(2).isEqualTo(2);
    }

    /** Loads in two waves, and fails in the second if told so. */
    private static Operation<Integer> chained(boolean fails) {
        return new Operation<>("chained", 0, into -> into.add(Selector.one(ScopeRows.SCOPES, "s")),
                (unit, into) -> {
                    if (fails) {
                        throw new IllegalStateException("second");
                    }
                    into.add(Selector.one(SessionRows.MESSAGES, scope(unit).id(), 0L));
                }, unit -> unit.get(SessionRows.MESSAGES, "s", 0L) == null ? 0 : 1);
    }

    private static Scope scope(Unit unit) {
        return Objects.requireNonNull(unit.get(ScopeRows.SCOPES, "s"));
    }

    @Test
    void thereAreAtMostTwoWaves() {
        GroupCommit commits = open(MANY, MIB);
        long before = commits.loads();

        assertThat(together(commits, List.of(chained(false), record(0), chained(false), record(1))))
                .containsExactly(0, 1, 1, 2);
        assertThat(commits.loads() - before).isEqualTo(2);
        assertThat(commits()).isOne();
    }

    @Test
    void aFailureInTheSecondWaveHurtsNoOther() {
        List<Object> ends = together(open(MANY, MIB), List.of(record(0), chained(true), chained(false)));

        assertThat(ends).element(0).isEqualTo(1);
        assertThat(ends.get(1)).asInstanceOf(THROWABLE)
                .hasMessage("second");
        assertThat(ends).element(2).isEqualTo(1);
    }

    @Test
    void deathInsideASharedCommitLeavesNothingOfIt() {
        for (Moment when : Moment.values()) {
            Path path = directory.resolve(when + ".db");
            var death = new IllegalStateException("dead");
            GroupCommit commits = open(path, MANY, MIB, (moment, write) -> {
                if (moment == when && write.equals("record 1")) {
                    throw death;
                }
            });
            assertThat(together(commits, records(3))).containsOnly(death);
            assertThatThrownBy(() -> messages(commits)).isSameAs(death);
            assertThatThrownBy(() -> commits.apply(record(4))).isSameAs(death);
            assertThatThrownBy(commits::version).isSameAs(death);
            GroupCommit next = open(path, MANY, MIB, JournalProbe.NONE);
            assertThat(messages(next)).hasSize(when == Moment.AFTER ? 3 : 0);
            // the lock went with it, although this process lives
            boolean alive = next.read(Operation.reading(into -> {}, unit -> unit.isAlive(commits.owner())));
            assertThat(alive).isFalse();
        }
    }

    @Test
    void closingWritesWhatWasAskedFor() {
        GroupCommit commits = open(MANY, MIB);
        List<Pending<Integer>> pending = commits.submit(records(1_000));
        commits.close();
        commits.close();

        assertThat(pending).extracting(Pending::await).startsWith(1, 2).endsWith(1_000);
        assertThatThrownBy(() -> commits.apply(record(1))).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e.code()).isEqualTo("journal_closed"));
        assertThatThrownBy(() -> messages(commits)).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e.code()).isEqualTo("journal_closed"));
    }
}
