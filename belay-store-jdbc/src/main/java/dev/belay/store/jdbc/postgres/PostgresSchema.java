package dev.belay.store.jdbc.postgres;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.store.jdbc.file.SchemaObjects;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tables of a schema, and refuses a server or a schema on which the store cannot keep its promises. Tables and indexes are
 * made from those of the runtime.
 */
final class PostgresSchema {

    /** The format of the tables, the same number as that of the SQLite file. */
    private static final long FORMAT = 4;
    private static final int OLDEST_SERVER = 14;
    private static final Pattern MADE = Pattern.compile("^create (table|index) if not exists \"([^\"]+)\"");
    /** Indexes of primary keys belong to their tables. */
    private static final String OBJECTS = "select case c.relkind when 'r' then 'table' when 'i' then 'index'"
            + " when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'"
            + " when 'f' then 'foreign table' when 'p' then 'partitioned table' else 'relation' end"
            + " || ' ' || c.relname, case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) else '' end"
            + " from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ?"
            + " and c.relkind not in ('c', 't') and not exists (select 1 from pg_index i"
            + " where i.indexrelid = c.oid and i.indisprimary)"
            + " union all select 'trigger ' || c.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)"
            + " from pg_trigger t join pg_class c on c.oid = t.tgrelid"
            + " join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and not t.tgisinternal"
            + " union all select 'rule ' || c.relname || '.' || r.rulename, pg_get_ruledef(r.oid)"
            + " from pg_rewrite r join pg_class c on c.oid = r.ev_class"
            + " join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relkind in ('r', 'p')";
    private static final String TO_DO = "; see docs/store-postgres.md";

    private final String schema;
    private final PostgresSql sql;

    PostgresSchema(String schema, PostgresSql sql) {
        this.schema = schema;
        this.sql = sql;
    }

    static BelayException unusable(String why, @Nullable Throwable cause) {
        return new BelayException("journal_unusable", why + TO_DO, cause);
    }

    /** Refuses a server whose settings lose what was committed. */
    void checkServer(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        if (!server.getDatabaseProductName().equals("PostgreSQL")
                || server.getDatabaseMajorVersion() < OLDEST_SERVER) {
            throw unusable("the data source leads to " + server.getDatabaseProductName() + " "
                    + server.getDatabaseProductVersion() + "; use PostgreSQL " + OLDEST_SERVER
                    + " or newer", null);
        }
        Map<String, String> found = new TreeMap<>();
        new Pipeline().add("select current_setting('server_encoding'), pg_is_in_recovery()::text,"
                + " current_setting('fsync'), current_setting('full_page_writes'),"
                + " current_setting('default_transaction_read_only')", row -> {
                    found.put("the encoding of the database", row.getString(1));
                    found.put("recovery", row.getString(2));
                    found.put("fsync", row.getString(3));
                    found.put("full_page_writes", row.getString(4));
                    found.put("default_transaction_read_only", row.getString(5));
                }, List.of()).run(connection);
        require(found, "the encoding of the database", "UTF8",
                "create a database with encoding UTF8 and use it");
        require(found, "recovery", "false",
                "the server is a standby, so connect to the primary (targetServerType=primary)");
        require(found, "default_transaction_read_only", "off", "connect to a server that may be written");
        require(found, "fsync", "on",
                "set fsync = on at the server; otherwise a crash loses what was answered");
        require(found, "full_page_writes", "on",
                "set full_page_writes = on at the server; otherwise a crash damages tables");
    }

    private static void require(Map<String, String> found, String what, String needed, String toDo) {
        if (!needed.equals(found.get(what))) {
            throw unusable(what + " is " + found.get(what) + " and must be " + needed + ": " + toDo, null);
        }
    }

    /** Makes the tables if there are none and this role may. */
    void open(Connection connection) throws SQLException {
        if (!isMade(connection)) {
            try {
                make(connection);
            } catch (SQLException e) {
                if (PostgresFailure.state(e).equals("42501")) {
                    throw unusable(
                            "the schema \"" + schema + "\" has no tables of Belay, and this role may not"
                                    + " make them: " + e.getMessage()
                                    + ". Run JdbcStore.migrate with a role that may",
                            e);
                }
                throw e;
            }
        }
        require(connection);
    }

    /** Refuses a schema that does not have exactly the tables of this format. Changes nothing. */
    void require(Connection connection) throws SQLException {
        if (!isMade(connection)) {
            throw new BelayException("journal_older",
                    "the schema \"" + schema + "\" has no tables of Belay yet;"
                            + " make them with 'belay store migrate', JdbcStore.migrate or a runtime"
                            + TO_DO);
        }
    }

    /** Whether the schema has the tables of this format; false if it has none of Belay. */
    private boolean isMade(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        new Pipeline().add("select 1 from pg_catalog.pg_tables where schemaname = ? and tablename = 'format'",
                row -> tables.add("format"), List.of(schema)).run(connection);
        if (tables.isEmpty()) {
            return false;
        }
        boolean[] made = {false};
        new Pipeline().add("select version, checksum from " + sql.name("format")
                + " order by version desc limit 1", row -> {
                    requireSame(row.getLong(1), row.getString(2));
                    made[0] = true;
                }, List.of()).run(connection);
        return made[0];
    }

    private void requireSame(long found, @Nullable String checksum) {
        if (found < FORMAT) {
            throw new BelayException("journal_older", "the tables of the schema \"" + schema
                    + "\" were made by an earlier build of Belay in format " + found + ", this version reads"
                    + " format " + FORMAT + " alone, and they were left as they are. Use the build that made"
                    + " them, or choose another schema");
        }
        if (found > FORMAT) {
            throw new BelayException("journal_newer", "the schema \"" + schema + "\" has format " + found
                    + ", and this version of Belay reads format " + FORMAT
                    + " alone; use the version that made it, or a later one");
        }
        if (!checksum().equals(checksum)) {
            throw new BelayException("journal_altered", "the tables of the schema \"" + schema
                    + "\" were made by a build of Belay with other tables, and this version cannot read them."
                    + " Use the build that made them, or choose another schema");
        }
    }

    /** What the schema holds beside the tables and indexes of this format, or instead of them. */
    List<Inconsistency> altered(Connection connection) throws SQLException {
        Map<String, String> made = new HashMap<>();
        made.put("table format", "");
        tables().forEach(statement -> {
            Matcher object = MADE.matcher(statement.replace(PostgresSql.quoted(schema) + ".", ""));
            if (object.find()) {
                made.put(object.group(1) + " " + object.group(2), "");
            }
        });
        Map<String, String> found = new HashMap<>();
        new Pipeline().add(OBJECTS, row -> found.put(row.getString(1), row.getString(2)),
                List.of(schema, schema, schema)).run(connection);
        return SchemaObjects.compare(made, found);
    }

    private List<String> tables() {
        List<String> made = new ArrayList<>(sql.schema());
        made.add("create table if not exists " + sql.name("lease") + " (owner text collate \"C\" primary key,"
                + " until timestamptz not null, dead boolean not null default false)");
        made.add("create table if not exists " + sql.name("writer") + " (id text collate \"C\" primary key,"
                + " batch bigint not null default 0, given_up bigint not null default 0, at timestamptz not null default clock_timestamp())");
        return made;
    }

    private String checksum() {
        var hash = new FramedHash();
        tables().forEach(statement -> hash.add(statement.replace(PostgresSql.quoted(schema) + ".", "")));
        return hash.hex();
    }

    /** Makes the tables. One node at a time does it. */
    private void make(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("begin");
            try {
                statement.execute("select pg_advisory_xact_lock(" + PostgresRows.number("migrate " + schema)
                        + ")");
                if (!isMade(connection)) {
                    make(statement);
                    new Pipeline()
                            .add("insert into " + sql.name("format") + " values (?, ?)", FORMAT, checksum())
                            .run(connection);
                }
                statement.execute("commit");
            } catch (SQLException | RuntimeException e) {
                statement.execute("rollback");
                throw e;
            }
        }
    }

    private void make(Statement statement) throws SQLException {
        if (!statement.executeQuery("select 1 from pg_catalog.pg_namespace where nspname = '"
                + schema.replace("'", "''") + "'").next()) {
            statement.execute("create schema " + PostgresSql.quoted(schema));
        }
        statement.execute("create table if not exists " + sql.name("format")
                + " (version bigint primary key, checksum text not null)");
        for (String each : tables()) {
            statement.execute(each);
        }
    }
}
