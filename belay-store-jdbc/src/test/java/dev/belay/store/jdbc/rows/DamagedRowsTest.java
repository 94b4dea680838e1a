package dev.belay.store.jdbc.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.commit.GroupCommit;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ProcessRows.Watcher;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Bytes;
import dev.belay.store.jdbc.Sample;
import dev.belay.store.jdbc.SqliteOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that differs from what was written is told as damaged, with its table and key; other rows are read. */
class DamagedRowsTest {

    private static final Selector<Message> ALL = Selector.of(SessionRows.MESSAGES, "s");

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    private GroupCommit open() {
        return GroupCommit.start(SqliteRows.open(file(), SqliteOptions.STANDARD), JournalProbe.NONE, 9, 9);
    }

    private static Operation<Integer> write(long place) {
        return Operation.of("write", 0, into -> {}, unit -> {
            unit.put(SessionRows.MESSAGES, new Message("s", place, 1, Json.of("{\"n\":" + place + "}")));
            unit.put(StoreRows.BYTES, new Bytes("h", new byte[]{1, 2, 3}));
            return 1;
        });
    }

    private static Operation<Message> read(long place) {
        return Operation.reading(into -> into.add(Selector.one(SessionRows.MESSAGES, "s", place)),
                unit -> Objects.requireNonNull(unit.get(SessionRows.MESSAGES, "s", place)));
    }

    private static void isCorrupt(Throwable e) {
        assertThat(((JournalException) e).code()).isEqualTo("journal_corrupt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"value = '{\"n\":2}'", "value = '{'", "turn = 2", "crc = crc + 1", "place = 7"})
    void aDamagedRowIsTold(String damage) throws SQLException {
        try (GroupCommit commits = open()) {
            commits.apply(write(1));
            commits.apply(write(2));
            Sample.execute(file(), "update message set " + damage + " where place = 1");
            long place = damage.startsWith("place") ? 7 : 1;

            assertThatThrownBy(() -> commits.read(read(place))).satisfies(DamagedRowsTest::isCorrupt)
                    .hasMessageContainingAll("[s, " + place + "]", "table message");
            assertThat(commits.read(read(2))).as("another row").isNotNull();
            assertThatThrownBy(() -> commits.read(Operation.reading(into -> into.add(ALL),
                    unit -> unit.list(ALL)))).satisfies(DamagedRowsTest::isCorrupt);
        }
    }

    /** Both tables have two columns of text, so only the name of the table tells the rows apart. */
    @Test
    void aRowOfAnotherTableIsTold() throws SQLException {
        try (GroupCommit commits = open()) {
            commits.apply(Operation.of("watch", 0, into -> {}, unit -> {
                unit.put(ProcessRows.WATCHERS, new Watcher("s", "true"));
                return true;
            }));
            Sample.execute(file(), "insert into scope_name values (1, 's', 0)");
            Sample.execute(file(), "insert into scope_input select 1, token, crc from process_watcher");

            assertThatThrownBy(() -> commits.read(
                    Operation.reading(into -> into.add(Selector.one(ScopeRows.INPUTS, "s")),
                            unit -> unit.get(ScopeRows.INPUTS, "s") == null)))
                    .satisfies(DamagedRowsTest::isCorrupt);
        }
    }

    @Test
    void damagedBytesAreTold() throws SQLException {
        try (GroupCommit commits = open()) {
            commits.apply(write(1));
            Sample.execute(file(), "update content_bytes set bytes = x'010204'");

            assertThatThrownBy(() -> commits.read(
                    Operation.reading(into -> into.add(Selector.one(StoreRows.BYTES, "h")),
                            unit -> unit.get(StoreRows.BYTES, "h"))))
                    .satisfies(DamagedRowsTest::isCorrupt);
        }
    }

    @Test
    void aValueThatDoesNotDecodeIsTold() throws SQLException {
        try (GroupCommit commits = open()) {
            commits.apply(write(1));
            // a value and its checksum that were written by other code
            long crc = StoredRow.checksum(SessionRows.MESSAGES, new Object[]{"s", 1L, 1L, "{"}, 4);
            Sample.execute(file(), "update message set value = '{', crc = " + crc);

            assertThatThrownBy(() -> commits.read(read(1))).satisfies(DamagedRowsTest::isCorrupt)
                    .hasMessageContaining("table message");
        }
    }

    @Test
    void aWriteThatMeetsADamagedRowFailsAlone() throws SQLException {
        try (GroupCommit commits = open()) {
            commits.apply(write(1));
            Sample.execute(file(), "update message set turn = 9 where place = 1");
            Operation<Integer> meets = Operation.of("meets", 0, into -> into.add(ALL),
                    unit -> unit.list(ALL).size());
            var pending = commits.submit(List.of(write(2), meets, write(3)));

            assertThat(pending.get(0).await()).isOne();
            assertThatThrownBy(pending.get(1)::await).satisfies(DamagedRowsTest::isCorrupt);
            assertThat(pending.get(2).await()).isOne();
        }
    }
}
