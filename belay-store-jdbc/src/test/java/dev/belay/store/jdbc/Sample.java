package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Scopes and records to write, and a look at the file that does not go through a journal. */
public final class Sample {

    public static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
    static final ScopeInput INPUT = new ScopeInput("batch@1", Json.of("{\"calls\":[]}"));

    private Sample() {}

    public static Claim submitted(StoreDriver journal, String scope) {
        var created = (Submission.Created) journal.submit(new ScopeId(scope), INPUT, true, NOW);
        return Objects.requireNonNull(created.claim());
    }

    public static EffectWrite completed(int n) {
        return completed(n, Json.of("{\"ok\":" + n + "}"));
    }

    public static EffectWrite completed(int n, Json result) {
        return new EffectWrite(row("call/" + n, n, EffectRow.Status.COMPLETED, result), null, null,
                List.of(), NOW);
    }

    static EffectRow row(String key, int ordinal, EffectRow.Status status, Json result) {
        return new EffectRow(key, ordinal, "attempt", "0".repeat(64), Json.of("{\"tool\":\"pay\"}"), status,
                Json.of("{\"amount\":12.50}"), result, "f".repeat(64), ToolEffect.READ, null, 0);
    }

    /** A record that the schema refuses. */
    static EffectWrite bad(int n) {
        return new EffectWrite(row("bad/" + n, -1, EffectRow.Status.COMPLETED, Json.TRUE), null, null,
                List.of(), NOW);
    }

    static Json large(int seed) {
        return Json.string((seed + " ").repeat(40_000));
    }

    public static List<String> keys(StoreDriver journal, String scope) {
        return journal.effects(new ScopeId(scope)).stream().map(EffectRow::key).sorted().toList();
    }

    public static void write(StoreDriver journal, Claim claim, int n) {
        assertThat(journal.write(claim, completed(n)).refusal()).isNull();
    }

    /** The first column of what a query finds, asked on a connection of its own. */
    public static List<String> query(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(String.valueOf(rows.getString(1)));
            }
            return found;
        }
    }

    public static void execute(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
