package dev.belay.store.jdbc.file;

import dev.belay.BelayException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.store.jdbc.SqliteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * Opens connections to one file, all with the same settings.
 *
 * <p>Durability: in WAL mode with full synchronisation a commit is on disk when it returns. Without the latter it would only be
 * in the operating system's hands. {@link FileIdentity} notices that the file was taken away.
 */
public final class SqliteFile implements ReaderPool.Source<Database> {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);
    static final Duration BETWEEN_TRIES = Duration.ofMillis(5);
    private static final String WAL = "pragma journal_mode = wal";
    private static final String FULL_SYNC = "pragma synchronous = full";
    private static final String TEMPORARY_IN_MEMORY = "pragma temp_store = memory";
    /** A log that a large result has blown up is cut back to this at the next checkpoint. */
    private static final String CUT_LOG = "pragma journal_size_limit = 16777216";
    /** No function that a schema names can act when a row is read or written. */
    private static final String NO_TRUST = "pragma trusted_schema = off";
    private static final String READ_ONLY = "pragma query_only = on";

    private final Path path;
    private final SqliteOptions options;
    private final FileIdentity identity;
    private final String mark;
    private final boolean looks;

    private SqliteFile(Path path, SqliteOptions options, FileIdentity identity, String mark, boolean looks) {
        this.path = path;
        this.options = options;
        this.identity = identity;
        this.mark = mark;
        this.looks = looks;
    }

    /** Makes a file that only its owner can open, or checks what the file is. Its log and its index get the same permissions. */
    public static SqliteFile open(Path path, SqliteOptions options) throws SQLException, IOException {
        PrivateFiles.makeFile(path);
        LeftLog.check(path, options);
        SqliteFile file = options.mark().isEmpty()
                ? prepared(path, options)
                : preparedUnderLock(path, options);
        PrivateFiles.makeDirectory(file.owners());
        for (Path each : List.of(path, file.beside("-wal"), file.beside("-shm"), file.owners())) {
            PrivateFiles.warnIfShared(each);
        }
        return file;
    }

    /**
     * Checks what an existing file is. Connections that read are opened read-only: closing such a connection, unlike another, does not
     * write the log of a dead owner into the file.
     */
    public static SqliteFile existing(Path path, SqliteOptions options) throws SQLException, IOException {
        if (!Files.exists(path)) {
            throw new BelayException("journal_missing", "there is no file " + path
                    + "; a client opens a store that a runtime has made, so check the path");
        }
        LeftLog.check(path, options);
        try (Database db = connect(path, options, true)) {
            SqliteSchema.require(db, path);
            SchemaObjects.warn(path.toString(), SqliteSchema.altered(db));
            return new SqliteFile(path, options, FileIdentity.of(path), markOf(db), true);
        } catch (SQLException e) {
            throw notADatabase(path, e);
        }
    }

    public Path path() {
        return path;
    }

    /** The directory of the locks of owners. */
    public Path owners() {
        return beside("-owners");
    }

    /** What names of owners are made with; may be empty. */
    public String mark() {
        return mark;
    }

    /** Whether a log stands beside a marked file. The lock of an owner that closes stays there with it, and tells that it may be used. */
    public boolean leavesLog() {
        return !mark.isEmpty() && LeftLog.isFilled(beside("-wal"));
    }

    private Path beside(String suffix) {
        return beside(path, suffix);
    }

    static Path beside(Path path, String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    /** That of the file, also for a program that was given none or another: two may have made the file at once. */
    private static String markOf(Database db) throws SQLException {
        return Objects.requireNonNullElse(SqliteSchema.mark(db), "");
    }

    /** The mark of a file: the empty text if it has none; nothing if it has no tables, or is no database. Changes nothing. */
    public static Optional<String> mark(Path path) {
        // only a connection that writes rolls a journal back, and SQLite makes files to read a log
        try (Database db = LeftLog.isFilled(beside(path, "-journal"))
                || !Files.isWritable(path.toAbsolutePath().resolveSibling(""))
                        ? alone(path, SqliteOptions.STANDARD)
                        : connect(path, SqliteOptions.STANDARD, true)) {
            return Optional.ofNullable(SqliteSchema.mark(db));
        } catch (SQLException e) {
            return switch (SqliteFailure.primary(e)) {
                case SQLITE_NOTADB -> Optional.empty();
                case SQLITE_ERROR -> Optional.of(""); // the tables of another program
                default -> throw SqliteFailure.of(e, path);
            };
        }
    }

    /** Puts a mark into a file that has tables, and its log into the file. */
    public static void mark(Path path, String mark) {
        try (Database db = connect(path, SqliteOptions.STANDARD, false)) {
            db.run(FULL_SYNC);
            SqliteSchema.mark(db, mark);
        } catch (SQLException e) {
            throw SqliteFailure.of(e, path);
        }
    }

    /** A program that looks meanwhile learns from the lock that a store has left the log. */
    private static SqliteFile preparedUnderLock(Path path, SqliteOptions options)
            throws SQLException, IOException {
        Path owners = beside(path, "-owners");
        PrivateFiles.makeDirectory(owners);
        var lock = OwnerLock.acquire(owners, options.random(), options.mark());
        try {
            return prepared(path, options);
        } finally {
            lock.close(LeftLog.isFilled(beside(path, "-wal")));
        }
    }

    /** Uses the first connection to the file. The identity is read while it is open: a file system in layers copies a file only then. */
    private static SqliteFile prepared(Path path, SqliteOptions options) throws SQLException, IOException {
        try (Database db = connect(path, options, false)) {
            SqliteSchema.check(db, path);
            String mode = switchToLog(db, options);
            if (!"wal".equals(mode)) {
                throw StorePlace.unusable(
                        path + " is on a file system where SQLite cannot share memory between"
                                + " processes (journal mode " + mode + ", expected wal); use a local disk",
                        null);
            }
            db.run(FULL_SYNC);
            SqliteSchema.apply(db, path, options.mark());
            SchemaObjects.warn(path.toString(), SqliteSchema.altered(db));
            return new SqliteFile(path, options, FileIdentity.of(path), markOf(db), false);
        } catch (SQLException e) {
            throw notADatabase(path, e);
        }
    }

    /** What a file that is none is told; any other fault as it is. */
    private static SQLException notADatabase(Path path, SQLException e) {
        if (SqliteFailure.primary(e) == SQLiteErrorCode.SQLITE_NOTADB) {
            throw StorePlace.unusable(path + " is a file, but no database; choose another file", e);
        }
        return e;
    }

    /**
     * The change of the journal mode needs the file for itself, and SQLite does not wait for that: the busy timeout does not
     * hold for it. Others who open the same new file at the same time are waited for here.
     */
    private static @Nullable String switchToLog(Database db, SqliteOptions options) throws SQLException {
        long tries = options.busyTimeout().dividedBy(BETWEEN_TRIES);
        while (true) {
            try {
                return db.first(WAL, row -> row.getString(1));
            } catch (SQLException e) {
                if (SqliteFailure.primary(e) != SQLiteErrorCode.SQLITE_BUSY || tries-- <= 0) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    /** A connection that writes. There is one at a time in a journal. */
    public Database writer() throws SQLException {
        Database db = connect(false);
        try {
            db.run(FULL_SYNC);
            db.first(CUT_LOG, row -> row.getLong(1));
            if (options.maxFileBytes() > 0) {
                long page = db.number("pragma page_size");
                db.number("pragma max_page_count = " + Math.max(1, options.maxFileBytes() / page));
            }
            db.number("pragma schema_version"); // opens the log
            identity.connected();
            return db;
        } catch (SQLException e) {
            close(db);
            throw e;
        } catch (IOException e) {
            close(db);
            throw new JournalException("the log of " + path + " cannot be reached: " + e, e);
        }
    }

    /** A connection that cannot write. */
    @Override
    public Database reader() throws SQLException {
        Database db = connect(looks);
        try {
            db.run(READ_ONLY);
            return db;
        } catch (SQLException e) {
            close(db);
            throw e;
        }
    }

    /** What the file holds beside the tables of the store, or instead of them. */
    public static List<Inconsistency> altered(Database db) throws SQLException {
        return SqliteSchema.altered(db);
    }

    /**
     * Checks that the open files are still those of this name.
     *
     * @throws dev.belay.runtime.store.rows.OwnerLostException if one was deleted, moved or replaced
     */
    public void checkIdentity() {
        identity.check();
    }

    /**
     * Closes a connection. The last one to a file deletes the log by its name, so that a connection to a file which was replaced stays
     * open: the log of that name belongs to the other file.
     */
    @Override
    public void close(@Nullable Database db) {
        if (db == null) {
            return;
        }
        if (!identity.isSameFile()) {
            LOG.warn("{} was taken away; a connection to the old file stays open until the process ends",
                    path);
            return;
        }
        try {
            db.close();
        } catch (SQLException e) {
            LOG.warn("closing {} failed", path, e);
        }
    }

    private Database connect(boolean readOnly) throws SQLException {
        identity.checkFile();
        return connect(path, options, readOnly);
    }

    static Database connect(Path path, SqliteOptions options, boolean readOnly) throws SQLException {
        return connect(path, "", options, readOnly);
    }

    /** The file as it is without its log and its journal, which must not be in use. */
    static Database alone(Path path, SqliteOptions options) throws SQLException {
        return connect(path, "?immutable=1", options, true);
    }

    private static Database connect(Path path, String parameters, SqliteOptions options, boolean readOnly)
            throws SQLException {
        var config = new SQLiteConfig();
        config.setReadOnly(readOnly);
        config.setBusyTimeout(Math.toIntExact(options.busyTimeout().toMillis()));
        // else the driver asks for the last row after each insert
        config.setGetGeneratedKeys(false);
        // as a URI, because a plain name is cut at a question mark
        var db = new Database(config.createConnection(
                "jdbc:sqlite:file:" + path.toUri().getRawPath() + parameters));
        try {
            db.run(TEMPORARY_IN_MEMORY);
            db.run(NO_TRUST);
            return db;
        } catch (SQLException e) {
            db.close();
            throw e;
        }
    }

    @Override
    public RuntimeException failure(Throwable thrown) {
        return SqliteFailure.of(thrown, path);
    }
}
