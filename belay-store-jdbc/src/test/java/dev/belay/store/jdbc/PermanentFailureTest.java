package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.laws.effect.HostSettings;
import dev.belay.laws.effect.JournalRecords;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.store.jdbc.file.SqliteFailure;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Issue: a fault of the file that does not pass was taken for one that does, and whoever met it tried again for ever. */
@Timeout(60)
class PermanentFailureTest {

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    private static void spoil(Path file) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("drop table effect");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aMissingTableIsSaidAndNotTriedAgain() {
        try (var journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = Sample.submitted(journal, "s");
            spoil(file());
            assertThatThrownBy(() -> journal.write(claim, Sample.completed(1)))
                    .isInstanceOfSatisfying(JournalException.class, e -> {
                        assertThat(e.code()).isEqualTo("journal_corrupt");
                        assertThat(e.retryable()).isFalse();
                    })
                    .hasMessageContaining("no such table: effect")
                    .hasMessageContaining("restore it from a backup");
            assertThatThrownBy(() -> journal.effects(claim.scope())).extracting("code")
                    .isEqualTo("journal_corrupt");
        }
    }

    @Test
    void workWhoseResultFindsNoTableIsStuckAndSaysWhy() throws Exception {
        var runs = new AtomicInteger();
        ToolDefinition tool = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.IDEMPOTENT);
        try (var calls = DurableCalls.open(
                new JournalRecords(probe -> JdbcStore.sqlite(file())).open(
                        new HostSettings(TimeSource.system(), HostOptions.PARK_AFTER, JournalProbe.NONE,
                                Thread.ofVirtual().factory(), false)),
                StaticToolProvider.builder().raw(tool, (in, context) -> {
                    runs.incrementAndGet();
                    spoil(file());
                    return "paid";
                }).build())) {
            assertThatThrownBy(() -> calls.run("batch", List.of(new CallRequest("pay", "{}"))).outcomes())
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("scope_stuck"))
                    .hasMessageContaining("no such table");
            assertThat(runs).hasValue(1);
        }
    }

    /** What an operator can mend without touching the file is waited for; what needs a backup is not. */
    @ParameterizedTest
    @CsvSource({"SQLITE_FULL, true", "SQLITE_BUSY, true", "SQLITE_IOERR, true", "SQLITE_READONLY, true",
        "SQLITE_CANTOPEN, true", "SQLITE_CORRUPT, false", "SQLITE_NOTADB, false", "SQLITE_CONSTRAINT, false"})
    void whatPassesIsTriedAgain(SQLiteErrorCode code, boolean passes) {
        JournalException told = SqliteFailure.of(new SQLiteException("something is wrong", code), file());
        assertThat(told.retryable()).isEqualTo(passes);
        assertThat(told.code()).isEqualTo(passes ? "journal_unavailable" : "journal_corrupt");
    }

    /** SQLite says the same of a transaction that is gone, which is nothing that the file has. */
    @Test
    void anErrorThatIsNotOfTheTablesIsTriedAgain() {
        assertThat(SqliteFailure.of(
                new SQLiteException("cannot start a transaction within a transaction",
                        SQLiteErrorCode.SQLITE_ERROR),
                file()).retryable()).isTrue();
    }
}
