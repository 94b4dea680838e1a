package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Issue: 100,000 parked scopes cost nothing at the start: whoever looks for work reads an index of that work alone. */
class QueryPlansTest {

    @TempDir
    Path directory;

    private static String sql(String name) {
        return switch (name) {
            case "ready" -> SqliteScopes.SOME_READY;
            case "owned" -> SqliteScopes.SOME_OWNED;
            case "due" -> SqliteScopes.SOME_DUE;
            case "next wake" -> SqliteScopes.NEXT_WAKE;
            case "stuck" -> SqliteScopes.STUCK;
            case "ended" -> SqliteScopes.SOME_ENDED;
            case "held" -> SqliteScopes.HELD;
            case "state" -> SqliteScopes.STATE_BY_ID;
            case "due waits" -> SqliteWaits.DUE_SCOPES;
            case "next deadline" -> SqliteWaits.NEXT_DUE;
            case "waits" -> SqliteWaits.LIST;
            case "effects" -> SqliteEffects.LIST;
            case "collect outputs" -> SqliteOutputs.COLLECT;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private List<String> plan(String query) throws SQLException {
        Path file = directory.resolve("belay.db");
        SqliteJournal.open(file).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("explain query plan " + query)) {
            List<String> steps = new ArrayList<>();
            while (rows.next()) {
                steps.add(rows.getString("detail"));
            }
            return steps;
        }
    }

    @ParameterizedTest
    @CsvSource({"ready, scope_ready", "owned, scope_owner", "due, scope_wake", "next wake, scope_wake",
        "stuck, scope_stuck", "ended, scope_ended", "held, sqlite_autoindex_scope_1",
        "state, sqlite_autoindex_scope_1", "due waits, wait_due", "next deadline, wait_due",
        "waits, sqlite_autoindex_scope_1", "effects, sqlite_autoindex_scope_1",
        "collect outputs, output_age"})
    void aLookForWorkReadsAnIndex(String name, String index) throws SQLException {
        List<String> steps = plan(sql(name));
        assertThat(String.join("\n", steps)).contains(index);
        // a partial index may be scanned: it holds nothing but what is looked for
        assertThat(steps).filteredOn(step -> step.startsWith("SCAN"))
                .allMatch(step -> step.contains(" USING ") && step.contains("INDEX " + index));
        assertThat(steps).noneMatch(step -> step.contains("TEMP B-TREE"));
    }

    @Test
    void aPlanThatReadsAWholeTableWouldBeSeen() throws SQLException {
        assertThat(plan("select n from scope where cancel_reason = 'x'"))
                .anyMatch(step -> step.equals("SCAN scope"));
    }
}
