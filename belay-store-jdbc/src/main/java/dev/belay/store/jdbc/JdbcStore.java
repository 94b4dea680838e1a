package dev.belay.store.jdbc;

import dev.belay.BelayException;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.commit.GroupCommit;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.store.jdbc.file.NativeLibrary;
import dev.belay.store.jdbc.file.SqliteFile;
import dev.belay.store.jdbc.postgres.PostgresRows;
import dev.belay.store.jdbc.rows.SqliteRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Opens stores of sessions in a database, with the journal of their turns.
 *
 * <p>A write is on disk when its method returns. Several processes of one machine may open the same SQLite file; the scopes of one
 * that died are taken by the next that looks for work. Nodes on several machines share a PostgreSQL schema.
 */
public final class JdbcStore {

    private JdbcStore() {}

    /**
     * Opens a SQLite file, or creates one.
     *
     * @throws dev.belay.BelayException {@code journal_unusable} if the place cannot hold a journal or the driver is missing,
     *         {@code journal_newer} if a later version wrote it, {@code journal_altered} if a build with other tables made it,
     *         {@code journal_unavailable} if it cannot be opened now, {@code secret_unavailable} if a secret from outside signs its
     *         keys and was not given
     */
    public static Store sqlite(Path file) {
        return sqlite(file, SqliteOptions.STANDARD);
    }

    /** Opens a SQLite file, or creates one, with options. */
    public static Store sqlite(Path file, SqliteOptions options) {
        return sqlite(file, options, UnaryOperator.identity());
    }

    /**
     * Opens a SQLite file that a runtime has made, for {@code Belay.client}. It reads by read-only connections and changes nothing,
     * not even beside a process that died; the first write makes it known as an owner. It makes no file and changes no format.
     *
     * @throws dev.belay.BelayException as {@link #sqlite(Path)}, {@code journal_missing} if there is no such file, {@code journal_older}
     *         if an earlier version wrote it
     */
    public static Store existing(Path file) {
        return existing(file, SqliteOptions.STANDARD);
    }

    /** Opens a SQLite file that a runtime has made, with options. */
    public static Store existing(Path file, SqliteOptions options) {
        return sqlite(options, () -> SqliteRows.existing(file, options), Store::existing);
    }

    /**
     * The mark of a SQLite file that exists ({@link SqliteOptions#withMark}): the empty text if it has none, nothing if it
     * has no tables yet or is no database. Changes nothing.
     *
     * @throws dev.belay.BelayException {@code journal_unavailable} if it cannot be read now
     */
    public static Optional<String> mark(Path file) {
        loadSqlite();
        return SqliteFile.mark(file);
    }

    /**
     * Puts a mark into a SQLite file that a runtime has made, in place of the one that it has, and takes the log beside it for its own.
     *
     * @throws dev.belay.BelayException {@code journal_corrupt} if it is no database of Belay, {@code journal_unavailable} if it cannot be
     *         written now
     */
    public static void mark(Path file, String mark) {
        loadSqlite();
        SqliteFile.mark(file, mark);
    }

    private static void loadSqlite() {
        requireDriver("org.sqlite.SQLiteConfig", "SQLite", "org.xerial:sqlite-jdbc");
        NativeLibrary.load();
    }

    /**
     * Opens the schema {@code belay} of a PostgreSQL database, or makes it. Nodes on several machines may open the same one.
     *
     * @param source gives at least five connections to each node: a writer, two readers, a lease, a listener
     * @throws dev.belay.BelayException {@code journal_unusable} if the server or the pool cannot keep what the store promises or the
     *         driver is missing, {@code journal_newer} if a later version made the tables, {@code journal_altered} if a build with
     *         other tables made them, {@code journal_unavailable} if it cannot be opened now, {@code secret_unavailable} if a secret
     *         from outside signs its keys and was not given
     */
    public static Store postgres(DataSource source) {
        return postgres(source, PostgresOptions.STANDARD);
    }

    /** Opens a schema of a PostgreSQL database, or makes it, with options. */
    public static Store postgres(DataSource source, PostgresOptions options) {
        return postgres(source, options, UnaryOperator.identity());
    }

    /**
     * Opens a schema that a runtime has made, for {@code Belay.client}. It makes no tables, and the first write makes it known as an
     * owner.
     *
     * @throws dev.belay.BelayException as {@link #postgres(DataSource)}, {@code journal_older} if the tables are missing or of an earlier build
     */
    public static Store existing(DataSource source, PostgresOptions options) {
        return postgres(options, () -> PostgresRows.existing(source, options), Store::existing);
    }

    /**
     * Makes the tables of a schema, if they are not there. A role that may do this is not needed afterwards: the store then needs to
     * select, insert, update and delete.
     */
    public static void migrate(DataSource source, PostgresOptions options) {
        requireDriver("org.postgresql.PGConnection", "PostgreSQL", "org.postgresql:postgresql");
        PostgresRows.migrate(source, options);
    }

    /** Opens a schema whose rows are watched by a test. */
    static Store postgres(DataSource source, PostgresOptions options, UnaryOperator<Rows> watched) {
        return postgres(options, () -> watched.apply(PostgresRows.open(source, options)), Store::new);
    }

    /** Opens a file whose rows are watched by a test. */
    static Store sqlite(Path file, SqliteOptions options, UnaryOperator<Rows> watched) {
        return sqlite(options, () -> watched.apply(SqliteRows.open(file, options)), Store::new);
    }

    /** Makes a store over commits. */
    private interface Making {
        Store over(Commits commits, RandomGenerator random, boolean forgets, List<byte[]> secrets);
    }

    private static Store sqlite(SqliteOptions options, Supplier<Rows> opening, Making store) {
        loadSqlite();
        return open(GroupCommit.start(opening.get(), options.probe(), options.maxBatch(),
                options.maxBatchBytes()), options.random(), options.secrets(), store);
    }

    private static Store postgres(PostgresOptions options, Supplier<Rows> opening, Making store) {
        requireDriver("org.postgresql.PGConnection", "PostgreSQL", "org.postgresql:postgresql");
        return open(GroupCommit.start(opening.get(), options.probe(), options.maxBatch(),
                options.maxBatchBytes()), options.random(), options.secrets(), store);
    }

    private static Store open(Commits commits, RandomGenerator random, SigningSecrets secrets,
            Making store) {
        try {
            return store.over(commits, random, false, secrets.bytes());
        } catch (RuntimeException | Error e) {
            commits.close();
            throw e;
        }
    }

    private static void requireDriver(String type, String database, String dependency) {
        try {
            Class.forName(type, false, JdbcStore.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new BelayException("journal_unusable", "the " + database + " driver is missing; add the"
                    + " dependency " + dependency + " to the program", e);
        }
    }
}
