package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Tables;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.store.jdbc.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
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

    private static void assertRefused(String code, ThrowingCallable opening, String... words) {
        assertThatThrownBy(opening).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(words).allSatisfy(each -> assertThat(e).hasMessageContaining(each));
        });
    }

    private List<String> formats() throws SQLException {
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement();
                var rows = statement
                        .executeQuery("select row(f.*)::text from " + sql.name("format") + " f")) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    @Test
    void tablesOfAnEarlierFormatAreRefusedAndLeftAsTheyAre() throws Exception {
        run("create schema " + PostgresSql.quoted(place.options().schema()), "create table "
                + sql.name("format")
                + " (version bigint primary key, readable_from bigint not null, checksum text not null)",
                "insert into " + sql.name("format") + " values (1, 1, 'abc')");
        for (ThrowingCallable opening : List.<ThrowingCallable>of(
                () -> JdbcStore.postgres(place.source(), place.options()),
                () -> JdbcStore.existing(place.source(), place.options()),
                () -> JdbcStore.migrate(place.source(), place.options()))) {
            assertRefused("journal_older", opening, "in format 1", "reads format 4 alone",
                    "left as they are", "Use the build that made them, or choose another schema");
        }
        assertThat(formats()).containsExactly("(1,1,abc)");
    }

    @Test
    void whatBelayDidNotMakeIsToldAndNotRefused() throws Exception {
        JdbcStore.migrate(place.source(), place.options());
        run("create view " + sql.name("report") + " as select verb from " + sql.name("audit"),
                "create rule quiet as on delete to " + sql.name("audit") + " do instead nothing",
                "create function " + sql.name("quiet")
                        + "() returns trigger language plpgsql as 'begin return null; end'",
                "create trigger quiet before insert on " + sql.name("audit")
                        + " for each row execute function "
                        + sql.name("quiet") + "()",
                "drop index " + sql.name(anIndex()));

        try (var store = JdbcStore.postgres(place.source(), place.options())) {
            assertThat(store.inconsistencies(100))
                    .extracting(each -> each.table() + " " + each.key())
                    .containsExactlyInAnyOrder("schema view report", "schema rule audit.quiet",
                            "schema trigger audit.quiet", "schema index " + anIndex);
        }
    }

    private String anIndex = "";

    private String anIndex() throws SQLException {
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement();
                var names = statement
                        .executeQuery("select indexname from pg_indexes where indexname not like '%_pkey'"
                                + " and schemaname = '" + place.options().schema() + "' limit 1")) {
            assertThat(names.next()).isTrue();
            anIndex = names.getString(1);
            return anIndex;
        }
    }

    @Test
    void tablesOfALaterFormatAreRefused() throws Exception {
        JdbcStore.migrate(place.source(), place.options());
        run("update " + sql.name("format") + " set version = 5");
        assertRefused("journal_newer", () -> JdbcStore.postgres(place.source(), place.options()), "format 5",
                "a later one");
        assertRefused("journal_newer", () -> JdbcStore.existing(place.source(), place.options()));
        assertThat(formats()).singleElement().asString().startsWith("(5,");
    }

    /** What PostgreSQL cannot hold as it is goes into every column of every table that holds texts. */
    @Test
    void nulAndLoneSurrogatesComeBackFromEveryTextOfEveryTable() throws Exception {
        JdbcStore.migrate(place.source(), place.options());
        int texts = 0;
        try (Connection connection = place.source().getConnection()) {
            for (Table<?> table : Tables.ALL) {
                List<@Nullable Object> values = new ArrayList<>();
                List<Object> arrays = new ArrayList<>();
                for (Table.Column column : table.columns()) {
                    Object value = switch (PostgresSql.type(column)) {
                        case "text" ->
                            "\u0000a\ud800 \udc00\ud7ff\u0001 " + column.name() + "\ud83d\ude00\udbff";
                        case "bigint" -> 7L;
                        default -> new byte[]{0, 1};
                    };
                    values.add(value);
                    arrays.add(new Pipeline.ArrayOf(PostgresSql.type(column), new Object[]{value}));
                }
                arrays.add(new Pipeline.ArrayOf("bigint", new Object[]{0L}));
                List<@Nullable Object> found = new ArrayList<>();
                new Pipeline().add(sql.insert(table), null, arrays)
                        .add("select * from " + sql.name(table.name()), row -> {
                            for (int i = 0; i < values.size(); i++) {
                                found.add(values.get(i) instanceof String
                                        ? StoredText.decode(row.getString(i + 1))
                                        : values.get(i) instanceof Long
                                                ? (Object) row.getLong(i + 1)
                                                : row.getBytes(i + 1));
                            }
                        }, List.of())
                        .run(connection);
                assertThat(found).as(table.name()).hasSameSizeAs(values);
                for (int i = 0; i < values.size(); i++) {
                    assertThat(found.get(i)).as("%s %s", table, table.columns().get(i))
                            .isEqualTo(values.get(i));
                    texts += values.get(i) instanceof String ? 1 : 0;
                }
            }
        }
        assertThat(texts).isGreaterThan(Tables.ALL.size());
    }

    @Test
    void tablesOfAnotherBuildAreRefused() throws Exception {
        JdbcStore.migrate(place.source(), place.options());
        run("update " + sql.name("format") + " set checksum = 'other'");

        assertRefused("journal_altered", () -> JdbcStore.postgres(place.source(), place.options()));
    }

    @Test
    void aClientMakesNoTablesAndNamesTheCommandThatDoes() {
        assertRefused("journal_older", () -> JdbcStore.existing(place.source(), place.options()),
                "belay store migrate");
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
        try (var store = new StoreDriver(JdbcStore.postgres((DataSource) source, place.options()))) {
            Sample.write(store, Sample.submitted(store, "s"), 0);
            assertThat(Sample.keys(store, "s")).hasSize(1);
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
