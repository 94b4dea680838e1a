package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract L.5: formats carry a version. A database of another one is refused and left as it is. */
class FormatsTest {

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    private static void refused(Path file, String code, String... words) {
        assertThatThrownBy(() -> JdbcStore.sqlite(file)).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.retryable()).isFalse();
            assertThat(e).hasMessageContainingAll(words);
        });
    }

    @Test
    void aNewFileIsInTheLastFormat() throws SQLException {
        JdbcStore.sqlite(file()).close();
        assertThat(Sample.query(file(), "pragma user_version")).containsExactly("4");
        assertThat(Sample.query(file(), "pragma application_id")).containsExactly("" + 0x424c4179);
        assertThat(Sample.query(file(), "pragma journal_mode")).containsExactly("wal");
        assertThat(Sample.query(file(), "select version from format")).containsExactly("4");
    }

    @Test
    void openingAgainChangesNothing() throws SQLException {
        JdbcStore.sqlite(file()).close();
        List<String> before = Sample.query(file(), "select sql from sqlite_schema order by name");
        JdbcStore.sqlite(file()).close();
        assertThat(Sample.query(file(), "select sql from sqlite_schema order by name")).isEqualTo(before);
    }

    @Test
    void aNewerFileIsRefused() throws SQLException {
        JdbcStore.sqlite(file()).close();
        Sample.execute(file(), "pragma user_version = 7");
        refused(file(), "journal_newer", "format 7", "reads format 4");
        Sample.execute(file(), "pragma user_version = 4");
        JdbcStore.sqlite(file()).close();
    }

    @Test
    void aSchemaThatWasEditedIsNoticed() throws SQLException {
        JdbcStore.sqlite(file()).close();
        Sample.execute(file(), "update format set checksum = 'abc'");
        refused(file(), "journal_altered", "tables differ", "checksum abc");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aFileOfAnEarlierFormatIsRefusedUntouched(int format) throws Exception {
        JdbcStore.sqlite(file()).close();
        Sample.execute(file(), "update format set version = " + format);
        Sample.execute(file(), "pragma user_version = " + format);
        byte[] before = Files.readAllBytes(file());
        refused(file(), "journal_older", "in format " + format, "reads format 4 alone", "left as it is",
                "Use the build that wrote it, or choose another file");
        assertThatThrownBy(() -> JdbcStore.existing(file()))
                .hasMessageContainingAll("in format " + format, "choose another file");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    /** The first builds counted their formats up to 4, and kept them in a table of another name. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aFileOfTheFirstBuildsIsNotCalledNewer(int format) throws Exception {
        Sample.execute(file(), "create table migration (version integer primary key, name text not null)");
        Sample.execute(file(), "pragma application_id = 1112293753");
        Sample.execute(file(), "pragma user_version = " + format);
        byte[] before = Files.readAllBytes(file());
        refused(file(), "journal_older", "by an earlier build", "Use the build that wrote it",
                "choose another file");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9})
    void aDatabaseOfAnotherProgramIsNamedAsThat(int version) throws SQLException {
        Sample.execute(file(), "create table customer (id integer primary key)");
        Sample.execute(file(), "pragma user_version = " + version);
        refused(file(), "journal_unusable", "not one of Belay", "choose another file");
    }

    @Test
    void manyMayMakeTheFileAtOnce() throws Exception {
        for (int round = 0; round < 40; round++) {
            Path fresh = directory.resolve("fresh-" + round + ".db");
            List<Callable<StoreDriver>> openings = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                openings.add(() -> new StoreDriver(JdbcStore.sqlite(fresh)));
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<StoreDriver> opened : threads.invokeAll(openings)) {
                    opened.get().close();
                }
            }
            assertThat(Sample.query(fresh, "select count(*) from secret")).containsExactly("1");
        }
    }
}
