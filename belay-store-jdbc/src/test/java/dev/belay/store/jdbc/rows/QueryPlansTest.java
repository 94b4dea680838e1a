package dev.belay.store.jdbc.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.store.jdbc.sql.IndexSql;
import dev.belay.store.jdbc.sql.TableSql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Issue: 100,000 parked scopes cost nothing at the start: a look for work reads an index of that work alone. */
class QueryPlansTest {

    private static final String A = "a";

    @TempDir
    Path directory;

    private Connection connection;

    @BeforeEach
    void makeTheTables() throws SQLException {
        Path file = directory.resolve("belay.db");
        SqliteRows.open(file, SqliteOptions.STANDARD).close();
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private List<String> plan(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("explain query plan " + query)) {
            List<String> steps = new ArrayList<>();
            while (rows.next()) {
                steps.add(rows.getString("detail"));
            }
            return steps;
        }
    }

    static List<Index<?>> indexes() {
        return Index.ALL;
    }

    static List<Table<?>> tables() {
        return List.of(ScopeRows.SCOPES, ScopeRows.INPUTS, ScopeRows.RESULTS, ScopeRows.EFFECTS,
                ScopeRows.WAITS, ScopeRows.KEYS, ScopeRows.LATE, ScopeRows.RESOURCES, ScopeRows.AWAITED,
                SessionRows.SESSIONS,
                SessionRows.INCARNATIONS, SessionRows.PASTS, SessionRows.PROFILES, SessionRows.ARRIVALS,
                SessionRows.TURNS,
                SessionRows.MESSAGES, SessionRows.CALLS, ProcessRows.PROCESSES, ProcessRows.GRANTS,
                ProcessRows.EVENTS, ProcessRows.WATCHERS, StoreRows.OWNERS, StoreRows.COUNTERS,
                StoreRows.SECRETS, StoreRows.CONTENTS, StoreRows.BYTES, StoreRows.KEPT, OperatorRows.AUDIT,
                OperatorRows.DOUBTS, OperatorRows.PAUSES, OperatorRows.HELD);
    }

    @ParameterizedTest
    @MethodSource("indexes")
    void aLookForWorkReadsAnIndex(Index<?> index) throws SQLException {
        boolean scopes = index.table() == ScopeRows.SCOPES;
        for (String after : new String[]{null, A}) {
            for (String until : new String[]{null, A}) {
                for (Set<String> kinds : scopes
                        ? List.of(Set.<String>of(), Set.of(A))
                        : List.of(Set.<String>of())) {
                    List<String> steps = plan(IndexSql.of(new Found<>(index, A, after, until,
                            kinds.isEmpty() ? null : kinds, 1)));
                    assertThat(steps.getFirst()).contains(" USING ").contains("INDEX " + index.name());
                    // a partial index may be scanned: it holds nothing but what is looked for
                    assertThat(steps.stream().skip(1))
                            .filteredOn(step -> step.startsWith("SCAN") && !step.contains("json_each"))
                            .isEmpty();
                    // names of scopes, which lie by numbers, order those of one moment; those that are stuck are few
                    assertThat(steps).noneMatch(step -> step.contains("TEMP B-TREE FOR")
                            && !(scopes && step.endsWith("LAST TERM OF ORDER BY"))
                            && index != Index.STUCK_NAMES);
                }
            }
        }
    }

    @Test
    void unusedContentIsFoundByTheReferencesToIt() throws SQLException {
        assertThat(String.join("\n", plan(IndexSql.of(new Found<>(Index.UNUSED, "", null, A, null, 1)))))
                .contains("effect_output", "scope_result_output", "late_output", "kept_hash");
    }

    @ParameterizedTest
    @MethodSource("tables")
    void rowsAreFoundByTheirKeys(Table<?> table) throws SQLException {
        TableSql sql = TableSql.of(table);
        for (String query : List.of(TableSql.select(table, 1), sql.of(), sql.from(), sql.all(), sql.delete(),
                sql.clear())) {
            List<String> steps = plan(query);
            assertThat(steps).as(query).anyMatch(step -> step.startsWith("SEARCH " + table.name() + " "));
            // the first row of a parent has none before it: the subquery looks for one, by the key
            assertThat(steps).as(query)
                    .filteredOn(step -> !step.startsWith("CORRELATED SCALAR SUBQUERY"))
                    .allSatisfy(step -> assertThat(step)
                            .containsAnyOf("SEARCH ", "SCALAR SUBQUERY")
                            .containsAnyOf("PRIMARY KEY", "sqlite_autoindex_", "SUBQUERY"));
        }
        assertThat(plan(TableSql.select(table, 4)))
                .filteredOn(step -> step.startsWith("SEARCH " + table.name() + " "))
                .hasSize(4);
        assertThat(plan(TableSql.select(table, 4))).noneMatch(step -> step.startsWith("SCAN"));
        assertThat(plan(TableSql.upsert(table, 1))).noneMatch(step -> step.startsWith("SCAN"));
    }

    @Test
    void everyTableOfTheSchemaIsOneOfTheRows() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement
                        .executeQuery("select name from sqlite_schema where type = 'table'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(Stream
                .concat(tables().stream().map(Table::name), Stream.of("format", "scope_name"))
                .toList());
    }

    @Test
    void aPlanThatReadsAWholeTableWouldBeSeen() throws SQLException {
        assertThat(plan("select id from scope where cancel_reason = 'x'"))
                .anyMatch(step -> step.equals("SCAN scope"));
    }
}
