package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract L.5: formats carry a version, schema changes are migrations. Issue: a database newer than the code. */
class MigrationsTest {

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    private static void refused(Path file, String code, String... words) {
        assertThatThrownBy(() -> SqliteJournal.open(file)).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.retryable()).isFalse();
            assertThat(e).hasMessageContainingAll(words);
        });
    }

    @Test
    void aNewFileIsInTheLastFormat() throws SQLException {
        SqliteJournal.open(file()).close();
        assertThat(Sample.query(file(), "pragma user_version")).containsExactly("4");
        assertThat(Sample.query(file(), "pragma application_id")).containsExactly("" + 0x424c4179);
        assertThat(Sample.query(file(), "pragma journal_mode")).containsExactly("wal");
        assertThat(Sample.query(file(), "select version || ' ' || name from migration"))
                .containsExactly("1 V001__journal.sql", "2 V002__sessions.sql", "3 V003__processes.sql",
                        "4 V004__attachments.sql");
    }

    @Test
    void openingAgainChangesNothing() throws SQLException {
        SqliteJournal.open(file()).close();
        List<String> before = Sample.query(file(), "select sql from sqlite_schema order by name");
        SqliteJournal.open(file()).close();
        assertThat(Sample.query(file(), "select sql from sqlite_schema order by name")).isEqualTo(before);
    }

    @Test
    void aNewerFileIsRefused() throws SQLException {
        SqliteJournal.open(file()).close();
        Sample.execute(file(), "pragma user_version = 7");
        refused(file(), "journal_newer", "format 7", "up to 4");
        Sample.execute(file(), "pragma user_version = 4");
        SqliteJournal.open(file()).close();
    }

    @Test
    void aMigrationThatWasEditedIsNoticed() throws SQLException {
        SqliteJournal.open(file()).close();
        Sample.execute(file(), "update migration set checksum = 'abc'");
        refused(file(), "journal_altered", "V001__journal.sql", "checksum abc");
    }

    @Test
    void manyMayMakeTheFileAtOnce() throws Exception {
        for (int round = 0; round < 40; round++) {
            Path fresh = directory.resolve("fresh-" + round + ".db");
            List<Callable<SqliteJournal>> openings = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                openings.add(() -> SqliteJournal.open(fresh));
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<SqliteJournal> opened : threads.invokeAll(openings)) {
                    opened.get().close();
                }
            }
            assertThat(Sample.query(fresh, "select count(*) from secret")).containsExactly("1");
        }
    }
}
