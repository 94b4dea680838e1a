package dev.belay.store.jdbc.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.Sample;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.store.jdbc.sql.NumberedScopes;
import dev.belay.store.jdbc.sql.TableSql;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A damaged status and a row that refers to a missing one are told by a code, never as an exception of the platform. Every row
 * of the golden files is deleted, and every value of it is replaced. Text that refers to no other row is also replaced with the right
 * checksum, as if other code had written it. Then everything is read, and scopes are taken, settled and cancelled.
 */
class DamageIsToldByCodeTest {

    private static final int DAMAGES = Boolean.getBoolean("belay.long") ? 2_000 : 120;
    private static final long SEED = 16;
    private static final Instant LATER = Instant.parse("2027-01-01T00:00:00Z");
    private static final Incarnation BITS = new Incarnation(1, 2);

    private static final List<Table<?>> TABLES = List.of(ScopeRows.SCOPES, ScopeRows.INPUTS,
            ScopeRows.RESULTS,
            ScopeRows.EFFECTS, ScopeRows.WAITS, ScopeRows.LATE, ScopeRows.RESOURCES, SessionRows.SESSIONS,
            SessionRows.PASTS, SessionRows.INCARNATIONS, SessionRows.TURNS, SessionRows.ARRIVALS,
            SessionRows.MESSAGES, SessionRows.CALLS, ProcessRows.PROCESSES, ProcessRows.GRANTS,
            ProcessRows.EVENTS,
            ProcessRows.WATCHERS, StoreRows.OWNERS, StoreRows.COUNTERS, StoreRows.SECRETS, StoreRows.CONTENTS,
            StoreRows.BYTES, StoreRows.KEPT);

    @TempDir
    Path directory;

    /** One change of one row. */
    private record Damage(String golden, String sql, List<@Nullable Object> values, String told) {}

    private Path file() {
        return directory.resolve("belay.db");
    }

    private Path golden(String name) throws IOException, SQLException {
        Path file = directory.resolve(name + ".whole.db");
        try (var in = Objects.requireNonNull(JdbcStore.class.getResourceAsStream(name))) {
            Sample.execute(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        return file;
    }

    @Test
    void everyDamageIsToldByACode() throws IOException, SQLException {
        List<Damage> damages = new ArrayList<>();
        for (String part : List.of("journal", "sessions", "processes", "attachments")) {
            String name = "golden-4-" + part + ".sql";
            Path whole = golden(name);
            for (Table<?> table : TABLES) {
                damages.addAll(damages(name, whole, table));
            }
            for (String number : Sample.query(whole, "select number from scope_name")) {
                for (String change : List.of("delete from scope_name", "update scope_name set name = 'other'",
                        "update scope_name set number = 999", "update scope_name set crc = 0")) {
                    damages.add(new Damage(name, change + " where number = ?", List.of(number), change));
                }
            }
        }
        Collections.shuffle(damages, new Random(SEED));
        Set<String> raw = new TreeSet<>();
        for (Damage damage : damages.subList(0, Math.min(DAMAGES, damages.size()))) {
            raw.addAll(exceptions(damage));
        }
        assertThat(raw).isEmpty();
        assertThat(damages).hasSizeGreaterThan(500);
    }

    private static List<Damage> damages(String golden, Path whole, Table<?> table) throws SQLException {
        String ofKey = TableSql.ofKey(table);
        List<Damage> damages = new ArrayList<>();
        for (@Nullable
        Object[] row : rows(whole, table)) {
            List<@Nullable Object> key = Arrays.asList(row).subList(0, table.keys());
            damages.add(
                    new Damage(golden, "delete from " + table + ofKey, key, table + " row gone"));
            for (int i = 0; i < table.columns().size(); i++) {
                Column named = table.columns().get(i);
                Column column = i == 0 && NumberedScopes.has(table)
                        ? new Column(named.name(), Table.Type.NUMBER)
                        : named;
                for (Object value : wrong(column)) {
                    @Nullable
                    Object[] other = row.clone();
                    other[i] = value;
                    boolean refers = column.type() == Table.Type.NUMBER || column.name().equals("output");
                    for (boolean forged : refers ? new boolean[]{false} : new boolean[]{false, true}) {
                        List<@Nullable Object> values = new ArrayList<>();
                        values.add(value);
                        values.add(forged
                                ? (Object) StoredRow.checksum(table, other, other.length - 1)
                                : row[row.length - 1]);
                        values.addAll(key);
                        damages.add(new Damage(golden, "update " + table + " set " + column.name()
                                + " = ?, crc = ?" + ofKey, values,
                                table + "." + column.name() + " = " + value + (forged ? " forged" : "")));
                    }
                }
            }
        }
        return damages;
    }

    private static List<@Nullable Object> wrong(Column column) {
        List<@Nullable Object> wrong = new ArrayList<>();
        wrong.add(null);
        switch (column.type()) {
            case TEXT, MOMENT, JSON -> wrong.addAll(List.of("NONSENSE", "{"));
            case NUMBER -> wrong.addAll(List.of(-1L, 0L, 3L, Long.MAX_VALUE, Long.MIN_VALUE));
            case BYTES -> wrong.addAll(List.of(new byte[0], new byte[]{1}));
        }
        return wrong;
    }

    private static List<@Nullable Object[]> rows(Path file, Table<?> table) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = db.prepareStatement(TableSql.select(table));
                var found = statement.executeQuery()) {
            int count = table.columns().size() + 1;
            while (found.next()) {
                @Nullable
                Object[] row = new @Nullable Object[count];
                for (int i = 0; i < count; i++) {
                    Object value = found.getObject(i + 1);
                    row[i] = value instanceof Integer small ? (Object) small.longValue() : value;
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Applies a damage to a copy and uses the store; what was thrown without a code. */
    private List<String> exceptions(Damage damage) throws IOException, SQLException {
        Path whole = directory.resolve(damage.golden() + ".whole.db");
        for (String suffix : List.of("-wal", "-shm")) {
            Files.deleteIfExists(directory.resolve("belay.db" + suffix));
        }
        Files.copy(whole, file(), StandardCopyOption.REPLACE_EXISTING);
        try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
                var pragma = db.createStatement();
                var statement = db.prepareStatement(damage.sql())) {
            pragma.execute("pragma ignore_check_constraints = on");
            for (int i = 0; i < damage.values().size(); i++) {
                statement.setObject(i + 1, damage.values().get(i));
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            return List.of(); // a rule of the table forbids it
        }
        List<String> sessions = Sample.query(whole, "select id from session");
        List<String> scopes = Sample.query(whole, "select name from scope_name");
        List<String> raw = new ArrayList<>();
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file(), SqliteOptions.STANDARD))) {
            uses(store, sessions, scopes).forEach((what, use) -> {
                try {
                    use.run();
                } catch (BelayException e) {
                    assertThat(e.code()).isNotBlank();
                } catch (RuntimeException | Error e) {
                    raw.add(damage.told() + " | " + what + " | " + e + " at " + e.getStackTrace()[0]);
                }
            });
        } catch (BelayException e) {
            assertThat(e.code()).isNotBlank();
        } catch (RuntimeException | Error e) {
            raw.add(damage.told() + " | open | " + e + " at " + e.getStackTrace()[0]);
        }
        return raw;
    }

    private static Map<String, Runnable> uses(StoreDriver store, List<String> sessions,
            List<String> scopes) {
        Map<String, Runnable> uses = new LinkedHashMap<>();
        for (String name : sessions) {
            var id = new SessionId(name);
            uses.put("head " + name, () -> store.head(id));
            uses.put("messages " + name, () -> store.messages(id, 0, 99));
            uses.put("turns " + name, () -> store.turns(id, 1, 99));
            uses.put("turn " + name, () -> store.turn(id, 1));
            uses.put("waiting " + name, () -> store.waiting(id));
            uses.put("calls " + name, () -> store.calls(id, 1));
            uses.put("accept " + name, () -> store.accept(id, BITS,
                    new Arrival("x", Arrival.Kind.INPUT, "hash", Json.TRUE), -1, true, LATER));
        }
        uses.put("sessions", () -> store.sessions(null, 99));
        uses.put("open turns", () -> store.openTurns(null, 99));
        uses.put("processes", () -> store.processes(0, 99).forEach(process -> {
            ProcessId id = process.id();
            store.events(id, 0, 99);
            store.watchers(id);
            store.watch(id, "token", LATER);
        }));
        var journal = store;
        uses.put("secret", journal::currentSecret);
        uses.put("stuck", journal::stuck);
        uses.put("version", journal::version);
        uses.put("due", journal::nextDue);
        uses.put("take ready", () -> journal.takeReady(99, 5, LATER));
        uses.put("take due", () -> journal.takeDue(99, LATER));
        for (String name : scopes) {
            var id = new ScopeId(name);
            uses.put("state " + name, () -> journal.state(id));
            uses.put("effects " + name, () -> journal.effects(id));
            uses.put("waits " + name, () -> journal.waits(id)
                    .forEach(
                            wait -> journal.resolve(id, BITS, wait.name(), new Resolution.Cancelled("x"),
                                    true, LATER)));
            uses.put("late " + name, () -> journal.lateResults(id));
            uses.put("claim " + name, () -> journal.claim(id, LATER));
            uses.put("resolve " + name, () -> journal.resolve(id, BITS, new WaitName("w"),
                    new Resolution.Cancelled("x"), true, LATER));
            uses.put("retry " + name, () -> journal.retry(id, LATER));
            uses.put("cancel " + name, () -> journal.cancel(id, "enough", true, LATER));
            uses.put("abandon " + name, () -> journal.abandon(id, Json.TRUE, LATER));
        }
        uses.put("collect", () -> {
            journal.collectEffects(LATER);
            journal.collectOutputs(LATER);
        });
        uses.put("delete", () -> sessions.forEach(
                name -> store.delete(new SessionId(name), LATER)));
        return uses;
    }
}
