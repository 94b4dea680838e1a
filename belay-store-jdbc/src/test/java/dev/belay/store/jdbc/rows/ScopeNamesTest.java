package dev.belay.store.jdbc.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.store.commit.GroupCommit;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Input;
import dev.belay.runtime.store.rows.ScopeRows.Result;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.Sample;
import dev.belay.store.jdbc.SqliteOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scope's name has a number as long as a row lies under it. */
class ScopeNamesTest {

    @TempDir
    Path directory;

    private GroupCommit commits;

    @BeforeEach
    void open() {
        commits = GroupCommit.start(SqliteRows.open(file(), SqliteOptions.STANDARD), JournalProbe.NONE, 9, 9);
    }

    @AfterEach
    void close() {
        commits.close();
    }

    private Path file() {
        return directory.resolve("belay.db");
    }

    private void write(Consumer<Unit> change) {
        commits.apply(Operation.of("write", 0, into -> {}, unit -> {
            change.accept(unit);
            return true;
        }));
    }

    private List<String> names() throws SQLException {
        return Sample.query(file(), "select name from scope_name order by number");
    }

    @Test
    void aNameGoesWithTheLastRowThatHasItsNumber() throws SQLException {
        write(unit -> {
            unit.put(ScopeRows.INPUTS, new Input("b", Json.TRUE));
            unit.put(ScopeRows.RESULTS, new Result("b", Json.TRUE, null));
            unit.put(ScopeRows.INPUTS, new Input("a", Json.FALSE));
        });
        assertThat(names()).containsExactly("b", "a");
        write(unit -> unit.delete(ScopeRows.INPUTS, "b", null));
        assertThat(names()).as("the result is there").containsExactly("b", "a");
        write(unit -> unit.delete(ScopeRows.RESULTS, "b", null));
        assertThat(names()).containsExactly("a");
    }

    @Test
    void aNameThatComesBackFindsNothingOfBefore() {
        write(unit -> unit.put(ScopeRows.INPUTS, new Input("a", Json.TRUE)));
        write(unit -> unit.delete(ScopeRows.INPUTS, "a", null));
        write(unit -> unit.put(ScopeRows.RESULTS, new Result("a", Json.TRUE, null)));
        Selector<Input> input = Selector.one(ScopeRows.INPUTS, "a");
        assertThat((boolean) commits.read(Operation.reading(into -> into.add(input),
                unit -> unit.get(ScopeRows.INPUTS, "a") == null))).isTrue();
    }
}
