package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.jdbc.sqlite.SqliteArrivals;
import dev.belay.store.jdbc.sqlite.SqliteAttachments;
import dev.belay.store.jdbc.sqlite.SqliteDeletions;
import dev.belay.store.jdbc.sqlite.SqliteEffects;
import dev.belay.store.jdbc.sqlite.SqliteOutputs;
import dev.belay.store.jdbc.sqlite.SqliteProcesses;
import dev.belay.store.jdbc.sqlite.SqliteScopes;
import dev.belay.store.jdbc.sqlite.SqliteSessions;
import dev.belay.store.jdbc.sqlite.SqliteTurns;
import dev.belay.store.jdbc.sqlite.SqliteWaits;
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
            case "write held" -> SqliteEffects.WRITE_HELD;
            case "state" -> SqliteScopes.STATE_BY_ID;
            case "due waits" -> SqliteWaits.DUE_SCOPES;
            case "next deadline" -> SqliteWaits.NEXT_DUE;
            case "waits" -> SqliteWaits.LIST;
            case "wait" -> SqliteWaits.FIND;
            case "effects" -> SqliteEffects.LIST;
            case "unused outputs" -> SqliteOutputs.UNUSED;
            case "collect output" -> SqliteOutputs.COLLECT;
            case "collect effects" -> SqliteEffects.COLLECT;
            case "session" -> SqliteSessions.FIND;
            case "session head" -> SqliteSessions.HEAD_BY_ID;
            case "sessions" -> SqliteSessions.HEADS;
            case "arrival" -> SqliteArrivals.FIND_BY_ID;
            case "waiting" -> SqliteArrivals.WAITING;
            case "next input" -> SqliteArrivals.NEXT;
            case "next id" -> SqliteArrivals.NEXT_ID;
            case "take arrivals" -> SqliteArrivals.TAKE;
            case "turn" -> SqliteTurns.FIND;
            case "turns" -> SqliteTurns.LIST;
            case "messages" -> SqliteTurns.MESSAGES;
            case "release resources" -> SqliteDeletions.RELEASE;
            case "delete effects" -> SqliteDeletions.DELETE_EFFECTS;
            case "delete scopes" -> SqliteDeletions.DELETE_SCOPES;
            case "process" -> SqliteProcesses.FIND;
            case "process row" -> SqliteProcesses.ROW_BY_ID;
            case "processes" -> SqliteProcesses.LIST;
            case "granted" -> SqliteProcesses.GRANTED;
            case "is granted" -> SqliteProcesses.IS_GRANTED;
            case "granted sessions" -> SqliteProcesses.SESSIONS;
            case "events" -> SqliteProcesses.EVENTS;
            case "event" -> SqliteProcesses.EVENT;
            case "watchers" -> SqliteProcesses.WATCHERS;
            case "kept" -> SqliteAttachments.FIND;
            case "is kept" -> SqliteAttachments.IS_KEPT;
            case "keep too" -> SqliteAttachments.KEEP_TOO;
            case "let go" -> SqliteAttachments.COLLECT;
            case "delete attachments" -> SqliteDeletions.DELETE_ATTACHMENTS;
            case "session of an incarnation" -> SqliteSessions.EXISTS;
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
        "write held, sqlite_autoindex_scope_1",
        "state, sqlite_autoindex_scope_1", "due waits, wait_due", "next deadline, wait_due",
        "waits, sqlite_autoindex_scope_1", "wait, PRIMARY KEY (scope=? AND name=?)",
        "effects, sqlite_autoindex_scope_1",
        "unused outputs, output_age", "collect output, PRIMARY KEY (hash=?)",
        "collect effects, PRIMARY KEY (scope=?)",
        "session, sqlite_autoindex_session_1",
        "session head, sqlite_autoindex_session_1", "sessions, sqlite_autoindex_session_1",
        "arrival, PRIMARY KEY", "waiting, arrival_waiting", "next input, arrival_waiting",
        "next id, arrival_waiting", "take arrivals, PRIMARY KEY", "turn, PRIMARY KEY", "turns, PRIMARY KEY",
        "messages, PRIMARY KEY", "release resources, resource_owner", "delete effects, PRIMARY KEY",
        "delete scopes, sqlite_autoindex_scope_1", "process, sqlite_autoindex_process_1",
        "process row, sqlite_autoindex_process_1", "processes, INTEGER PRIMARY KEY (rowid>?)",
        "granted, PRIMARY KEY (session=? AND process>?)", "is granted, PRIMARY KEY",
        "granted sessions, process_grant_process", "events, PRIMARY KEY (process=? AND place>?)",
        "event, process_event_key", "watchers, PRIMARY KEY (process=?)",
        "unused outputs, attachment_output", "collect output, attachment_output",
        "kept, attachment_output",
        "is kept, PRIMARY KEY (keeper=? AND hash=? AND media_type=?)", "keep too, PRIMARY KEY (keeper=?)",
        "let go, PRIMARY KEY (keeper=?)", "delete attachments, PRIMARY KEY (keeper>? AND keeper<?)",
        "session of an incarnation, sqlite_autoindex_session_2"})
    void aLookForWorkReadsAnIndex(String name, String index) throws SQLException {
        List<String> steps = plan(sql(name));
        assertThat(String.join("\n", steps)).contains(index);
        // a partial index may be scanned: it holds nothing but what is looked for
        assertThat(steps).filteredOn(step -> step.startsWith("SCAN") && !step.contains("json_each"))
                .allMatch(step -> step.contains(" USING ") && step.contains("INDEX " + index));
        assertThat(steps).noneMatch(step -> step.contains("TEMP B-TREE"));
    }

    @Test
    void aPlanThatReadsAWholeTableWouldBeSeen() throws SQLException {
        assertThat(plan("select n from scope where cancel_reason = 'x'"))
                .anyMatch(step -> step.equals("SCAN scope"));
    }
}
