package dev.belay.store.jdbc.postgres;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tables of a schema, and refuses a server or a schema on which the store cannot keep its promises. Tables and indexes are
 * made from those of the runtime. A change of them adds tables, columns and indexes; what a row holds is told by its version.
 */
final class PostgresSchema {

    /**
     * The tables that a build of Belay uses.
     *
     * @param version grows with each change of the tables
     * @param readableFrom the oldest version that can use them
     * @param additions statements that add columns and indexes to tables of older versions; each does nothing if that has happened
     */
    record Format(long version, long readableFrom, List<String> additions) {}

    private static final Format CURRENT = new Format(1, 1, List.of());
    private static final int OLDEST_SERVER = 14;
    private static final String TO_DO = "; see docs/store-postgres.md";

    private final String schema;
    private final PostgresSql sql;
    private final Format format;

    PostgresSchema(String schema, PostgresSql sql) {
        this(schema, sql, CURRENT);
    }

    /** The schema as a build with another format sees it. */
    PostgresSchema(String schema, PostgresSql sql, Format format) {
        this.schema = schema;
        this.sql = sql;
        this.format = format;
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

    /** Makes what is missing, if this role may and this version is newer than the tables; then checks. */
    void open(Connection connection) throws SQLException {
        if (!isUpToDate(connection)) {
            try {
                migrate(connection);
            } catch (SQLException e) {
                if (PostgresFailure.state(e).equals("42501")) {
                    throw unusable("the tables of the schema \"" + schema
                            + "\" are missing or older, and this"
                            + " role may not make them: " + e.getMessage() + ". Run JdbcStore.migrate with a"
                            + " role that may", e);
                }
                throw e;
            }
        }
        require(connection);
    }

    /** Refuses tables that this version cannot use. Changes nothing. */
    void require(Connection connection) throws SQLException {
        if (!isUpToDate(connection)) {
            throw new BelayException("journal_older", "the schema \"" + schema + "\" has no tables of this"
                    + " version of Belay; open it once with a runtime of this version, or run JdbcStore.migrate"
                    + TO_DO);
        }
    }

    /** Whether all is there that this version needs. A newer schema is, if it says so. */
    private boolean isUpToDate(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        new Pipeline().add("select 1 from pg_catalog.pg_tables where schemaname = ? and tablename = 'format'",
                row -> tables.add("format"), List.of(schema)).run(connection);
        if (tables.isEmpty()) {
            return false;
        }
        boolean[] fits = {false};
        new Pipeline().add("select version, readable_from, checksum from " + sql.name("format")
                + " order by version desc limit 1", row -> {
                    long version = row.getLong(1);
                    if (row.getLong(2) > format.version) {
                        throw new BelayException("journal_newer", "the schema \"" + schema + "\" has format "
                                + version + ", which versions from " + row.getLong(2)
                                + " on can use, and this version of Belay has format " + format.version
                                + "; use a later version");
                    }
                    if (version == format.version && !checksum().equals(row.getString(3))) {
                        throw new BelayException("journal_altered", "the tables of the schema \"" + schema
                                + "\" were made by a build of Belay from before its first release, with other"
                                + " tables, and this version cannot read them. Use the build that made them,"
                                + " or choose another schema");
                    }
                    fits[0] = version >= format.version;
                }, List.of()).run(connection);
        return fits[0];
    }

    private List<String> tables() {
        List<String> made = new ArrayList<>(sql.schema());
        made.add("create table if not exists " + sql.name("lease") + " (owner text collate \"C\" primary key,"
                + " until timestamptz not null, dead boolean not null default false)");
        made.add("create table if not exists " + sql.name("writer") + " (id text collate \"C\" primary key,"
                + " batch bigint not null default 0, given_up bigint not null default 0, at timestamptz not null default clock_timestamp())");
        made.addAll(format.additions);
        return made;
    }

    private String checksum() {
        var hash = new FramedHash();
        tables().forEach(statement -> hash.add(statement.replace(PostgresSql.quoted(schema) + ".", "")));
        return hash.hex();
    }

    /** Makes what is missing. One node at a time does it. */
    private void migrate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("begin");
            try {
                statement.execute("select pg_advisory_xact_lock(" + PostgresRows.number("migrate " + schema)
                        + ")");
                if (!isUpToDate(connection)) {
                    make(statement);
                    new Pipeline()
                            .add("insert into " + sql.name("format") + " values (?, ?, ?)", format.version,
                                    format.readableFrom, checksum())
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
                + " (version bigint primary key, readable_from bigint not null, checksum text not null)");
        for (String each : tables()) {
            statement.execute(each);
        }
    }
}
