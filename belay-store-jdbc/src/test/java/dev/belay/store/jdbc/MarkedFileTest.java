package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.store.jdbc.file.SqliteFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A marked file takes no log that no store with its mark has left. */
class MarkedFileTest {

    private static final SqliteOptions MARKED = SqliteOptions.STANDARD.withMark("secret of the user");

    @TempDir
    Path directory;

    private Path file(String place) throws IOException {
        return Files.createDirectories(directory.resolve(place)).resolve("belay.db");
    }

    private static Path log(Path file) {
        return file.resolveSibling("belay.db-wal");
    }

    private static void submit(StoreDriver store, String scope) {
        store.submit(new ScopeId(scope), Sample.INPUT, false, Sample.NOW);
    }

    private static boolean has(Path file, SqliteOptions options, String scope) {
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file, options))) {
            return store.state(new ScopeId(scope)).isPresent();
        }
    }

    /** What is on the disk when a process is killed now. */
    private Path killed(Path file) throws IOException {
        Path image = file("image");
        try (var files = Files.walk(file.resolveSibling(""))) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                Path copy = image.resolveSibling(file.resolveSibling("").relativize(each).toString());
                Files.createDirectories(copy.resolveSibling(""));
                Files.copy(each, copy);
            }
        }
        return image;
    }

    @Test
    void aNewFileGetsTheMark() throws IOException {
        Path file = file("user");
        assertThat(JdbcStore.mark(Files.createFile(file))).isEmpty();
        JdbcStore.sqlite(file, MARKED).close();
        assertThat(JdbcStore.mark(file)).contains("secret of the user");
        JdbcStore.sqlite(file).close();
        assertThat(JdbcStore.mark(file)).contains("secret of the user");
        JdbcStore.mark(file, "another");
        assertThat(JdbcStore.mark(file)).contains("another");
        Path plain = file("plain");
        JdbcStore.sqlite(plain).close();
        assertThat(JdbcStore.mark(plain)).contains("");
        assertThat(JdbcStore.mark(Files.writeString(file("text"), "no database ".repeat(500)))).isEmpty();
    }

    @Test
    void aLogThatCameWithAPullIsRefused() throws IOException {
        Path user = file("user");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(user, MARKED))) {
            submit(store, "mine");
        }
        Path author = Files.copy(user, file("author"));
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(author))) {
            submit(store, "planted");
            Files.copy(log(author), log(user));
        }
        assertThat(JdbcStore.mark(user)).as("the log need not touch the mark").contains("secret of the user");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> JdbcStore.sqlite(user, MARKED)).hasMessageContaining("belay.db-wal")
                    .hasMessageContaining("move it away")
                    .extracting("code")
                    .isEqualTo("journal_foreign");
            assertThatThrownBy(() -> JdbcStore.existing(user, MARKED)).extracting("code")
                    .isEqualTo("journal_foreign");
        }
        Files.createFile(Files.createDirectories(user.resolveSibling("belay.db-owners"))
                .resolve("0123456789abcdef".repeat(2) + ".lock"));
        assertThatThrownBy(() -> JdbcStore.sqlite(user, MARKED)).as("with a lock that nobody made")
                .extracting("code")
                .isEqualTo("journal_foreign");
        Files.delete(log(user));
        assertThat(has(user, MARKED, "planted")).isFalse();
        assertThat(has(user, MARKED, "mine")).isTrue();
    }

    @Test
    void aJournalThatCameWithAPullIsRefused() throws IOException {
        Path user = file("user");
        JdbcStore.sqlite(user, MARKED).close();
        Files.writeString(user.resolveSibling("belay.db-journal"), "pages");
        assertThat(JdbcStore.mark(user)).contains("secret of the user");
        assertThatThrownBy(() -> JdbcStore.sqlite(user, MARKED)).hasMessageContaining("belay.db-journal")
                .extracting("code")
                .isEqualTo("journal_foreign");
    }

    @Test
    void theLogOfAKilledProcessIsTaken() throws IOException {
        Path user = file("user");
        Path image;
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(user, MARKED))) {
            submit(store, "mine");
            image = killed(user);
        }
        assertThat(log(image)).isNotEmptyFile();
        assertThat(has(image, MARKED, "mine")).isTrue();
        assertThat(image.resolveSibling("belay.db-owners")).isEmptyDirectory();
    }

    @Test
    void theLogOfAKilledProgramThatWasGivenNoMarkIsTaken() throws IOException {
        Path user = file("user");
        JdbcStore.sqlite(user, MARKED).close();
        Path image;
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(user))) {
            submit(store, "mine");
            image = killed(user);
        }
        assertThat(has(image, MARKED, "mine")).isTrue();
    }

    @Test
    void theLogOfAKilledOperatorIsTaken() throws IOException {
        Path user = file("user");
        JdbcStore.sqlite(user, MARKED).close();
        Path image;
        try (StoreDriver client = new StoreDriver(JdbcStore.existing(user, MARKED))) {
            submit(client, "mine");
            image = killed(user);
        }
        assertThat(has(image, MARKED, "mine")).isTrue();
        assertThat(has(user, MARKED, "mine")).isTrue();
    }

    @Test
    void aLogThatStaysBecauseOthersReadIsTaken() throws IOException {
        Path user = file("user");
        JdbcStore.sqlite(user, MARKED).close();
        StoreDriver writer = new StoreDriver(JdbcStore.sqlite(user, MARKED));
        try (StoreDriver reader = new StoreDriver(JdbcStore.existing(user, MARKED))) {
            submit(writer, "mine");
            assertThat(reader.sessions(null, 9)).isEmpty();
            writer.close();
        }
        assertThat(log(user)).isNotEmptyFile();
        assertThat(has(user, MARKED, "mine")).isTrue();
        assertThat(List.of(user.resolveSibling("belay.db-owners"))).allSatisfy(
                owners -> assertThat(owners).isEmptyDirectory());
    }

    @Test
    void aMarkThatIsPutTakesTheLogOver() throws IOException {
        Path author = file("author");
        Path image;
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(author))) {
            submit(store, "theirs");
            image = killed(author);
        }
        JdbcStore.mark(image, MARKED.mark());
        assertThat(has(image, MARKED, "theirs")).isTrue();
    }

    @Test
    void theLogOfAProgramThatHasJustMadeTheTablesIsTaken() throws Exception {
        Path user = file("user");
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + user);
                Statement statement = other.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("create table used (a)"); // this connection keeps the log
            statement.execute("drop table used");
            SqliteFile.open(user, MARKED);
            statement.execute("pragma wal_checkpoint(passive)");
            assertThat(log(user)).isNotEmptyFile();
            assertThat(JdbcStore.mark(user)).contains("secret of the user");
            SqliteFile.open(user, MARKED);
        }
    }
}
