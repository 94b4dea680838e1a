package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Inconsistency;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check of a store tells triggers, views and gaps that somebody with access to the file has made. */
class TamperedStoreTest {

    private static final Actor ANNA = new Actor("anna", "desk");

    @TempDir
    Path directory;

    private Path noted(String... verbs) {
        Path file = directory.resolve("belay.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            for (String verb : verbs) {
                store.note(AuditEntry.Note.of(ANNA, verb, "s/1", "why"), Sample.NOW);
            }
        }
        return file;
    }

    private static void run(Path file, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static List<String> found(Path file) {
        try (StoreDriver store = new StoreDriver(JdbcStore.existing(file))) {
            return store.inconsistencies(100).stream().map(Inconsistency::toString).toList();
        }
    }

    @Test
    void aLogThatWasLeftAloneIsWhole() {
        assertThat(found(noted("approve", "deny", "retry"))).isEmpty();
    }

    @Test
    void aDeletedRowOfTheAuditLogIsTold() throws Exception {
        Path file = noted("approve", "deny", "retry");
        run(file, "delete from audit where place = 2");

        assertThat(found(file)).containsExactly("audit store 2: it is missing");
    }

    @Test
    void aDeletedEndOfTheAuditLogIsTold() throws Exception {
        Path file = noted("approve", "deny", "retry");
        run(file, "delete from audit where place > 1");

        assertThat(found(file))
                .containsExactly("audit store 2: it is missing, and so are the rows up to 3");
    }

    @Test
    void aTriggerThatDropsRowsIsToldAndTheStoreIsUsedAllTheSame() throws Exception {
        Path file = noted("approve");
        run(file, "create trigger quiet after insert on audit when new.verb = 'approve'"
                + " begin delete from audit where place = new.place; end",
                "create view report as select verb from audit", "create table notes (text text)",
                "create index by_verb on audit (verb)");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            store.note(AuditEntry.Note.of(ANNA, "approve", "s/2", null), Sample.NOW);
        }

        assertThat(found(file)).hasSize(5)
                .anySatisfy(each -> assertThat(each)
                        .startsWith("schema trigger quiet: Belay did not make it: CREATE TRIGGER quiet"))
                .anySatisfy(each -> assertThat(each).startsWith("schema view report: Belay did not make it"))
                .anySatisfy(each -> assertThat(each).startsWith("schema table notes: Belay did not make it"))
                .anySatisfy(
                        each -> assertThat(each).startsWith("schema index by_verb: Belay did not make it"))
                .contains("audit store 2: it is missing");
    }

    @Test
    void aDroppedIndexIsTold() throws Exception {
        Path file = noted();
        String index;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                var names = statement.executeQuery(
                        "select name from sqlite_schema where type = 'index' and sql is not null limit 1")) {
            assertThat(names.next()).isTrue();
            index = names.getString(1);
        }
        run(file, "drop index " + index);

        assertThat(found(file)).containsExactly("schema index " + index + ": it is missing");
    }

    @Test
    void functionsThatASchemaNamesAreNotTrusted() throws Exception {
        Path file = noted("approve");
        run(file, "create trigger loud after insert on audit begin select load_extension('x'); end");

        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            assertThat(catchThrowable(() -> store
                    .note(AuditEntry.Note.of(ANNA, "deny", "s/2", null), Sample.NOW)))
                    .hasStackTraceContaining("unsafe use of load_extension()");
        }
    }

    @Test
    void aLostNameOfAScopeIsTold() throws Exception {
        Path file = submitted("one", "two");
        run(file, "delete from scope_name where name = 'one'", "update scope_name set name = 'three'");

        assertThat(found(file)).contains("scope_name three: it is damaged: its checksum differs",
                "scope_name scope: 1 rows of this table have a number without a name, and are not found",
                "scope_name scope_input: 1 rows of this table have a number without a name, and are not found");
        assertThat(found(submitted("four"))).isNotEmpty();
    }

    private Path submitted(String... scopes) {
        Path file = directory.resolve("belay.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            for (String scope : scopes) {
                Sample.submitted(store, scope);
            }
        }
        return file;
    }
}
