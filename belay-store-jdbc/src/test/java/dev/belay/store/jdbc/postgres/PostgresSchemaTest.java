package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.store.jdbc.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Which schemas and servers are opened, and by whom. */
@Timeout(60)
class PostgresSchemaTest {

    private final TestPostgres.Place place = new TestPostgres.Place(TestPostgres.source(TestPostgres.url()),
            PostgresOptions.STANDARD
                    .withSchema("schema " + ProcessHandle.current().pid() + " " + System.nanoTime()));
    private final PostgresSql sql = new PostgresSql(place.options().schema());

    private void run(String... statements) throws SQLException {
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static void assertRefused(String code, ThrowingCallable opening) {
        assertThatThrownBy(opening).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo(code));
    }

    /** A later version has added a table that this one need not know. */
    @Test
    void anOlderNodeOpensANewerSchemaThatItCanUse() throws Exception {
        JdbcStore.migrate(place.source(), place.options());
        run("create table " + sql.name("added") + " (id text)",
                "insert into " + sql.name("format") + " values (2, 1, 'later')");
        try (var store = JdbcStore.postgres(place.source(), place.options())) {
            Sample.write(store.journal(), Sample.submitted(store.journal(), "s"), 0);
        }

        run("insert into " + sql.name("format") + " values (3, 2, 'much later')");
        assertRefused("journal_newer", () -> JdbcStore.postgres(place.source(), place.options()));
    }

    @Test
    void tablesOfAnotherBuildAreRefused() throws Exception {
        JdbcStore.migrate(place.source(), place.options());
        run("update " + sql.name("format") + " set checksum = 'other'");

        assertRefused("journal_altered", () -> JdbcStore.postgres(place.source(), place.options()));
    }

    @Test
    void aClientMakesNoTables() {
        assertRefused("journal_older", () -> JdbcStore.existing(place.source(), place.options()));
    }

    @Test
    void aRoleWithoutTheRightToMakeTablesSufficesAfterMigrate() throws Exception {
        String role = "belay_user_" + ProcessHandle.current().pid();
        run("drop role if exists " + role, "create role " + role + " login password 'x'");
        var source = new PGSimpleDataSource();
        source.setUrl(TestPostgres.url());
        source.setUser(role);
        source.setPassword("x");
        assertRefused("journal_unusable", () -> JdbcStore.postgres(source, place.options()));

        JdbcStore.migrate(place.source(), place.options());
        run("grant usage on schema " + PostgresSql.quoted(place.options().schema()) + " to " + role,
                "grant select, insert, update, delete on all tables in schema "
                        + PostgresSql.quoted(place.options().schema()) + " to " + role);
        try (var store = JdbcStore.postgres((DataSource) source, place.options())) {
            Sample.write(store.journal(), Sample.submitted(store.journal(), "s"), 0);
            assertThat(Sample.keys(store.journal(), "s")).hasSize(1);
        }
    }

    @Test
    void aDatabaseOfAnotherEncodingIsRefused() throws Exception {
        String name = "belay_latin_" + ProcessHandle.current().pid();
        run("drop database if exists " + name,
                "create database " + name + " template template0 encoding 'LATIN1' locale 'C'");
        var source = TestPostgres
                .source(TestPostgres.url().replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1"));

        assertThatThrownBy(() -> JdbcStore.postgres(source, place.options()))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_unusable"))
                .hasMessageContaining("LATIN1")
                .hasMessageContaining("encoding UTF8");
    }
}
