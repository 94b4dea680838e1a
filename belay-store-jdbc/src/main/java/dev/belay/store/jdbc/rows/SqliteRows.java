package dev.belay.store.jdbc.rows;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.commit.PendingAnswer;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OwnerLostException;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Owner;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.OwnerLock;
import dev.belay.store.jdbc.file.ReaderPool;
import dev.belay.store.jdbc.file.SqliteFailure;
import dev.belay.store.jdbc.file.SqliteFile;
import dev.belay.store.jdbc.file.StorePlace;
import dev.belay.store.jdbc.sql.TableSql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows in one SQLite file. Several processes of one machine may open the same file. Thread-safe.
 *
 * <p>Concurrency: one connection writes, and is used by the one thread that writes; the threads of {@link ReaderPool} read. They
 * only use the database: rows are decoded by the thread that asks for them.
 *
 * <p>Durability: write-ahead log with full synchronisation. Recovery: an owner is dead if its lock is free ({@link OwnerLock}). Its
 * row has the number of its last commit, which answers whether a commit has happened; if the row is gone, another owner has found
 * the lock free and has taken everything.
 */
public final class SqliteRows implements Rows {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteRows.class);
    private static final String MARK = "update owner set last_batch = ?, crc = ? where id = ?";
    private static final String LAST_BATCH = "select last_batch from owner where id = ?";
    private static final String OTHERS = "select id, last_batch from owner where id <> ? order by id";
    private static final long PRIME = 1_000_003;

    private final SqliteFile file;
    private final OwnerLock lock;
    private final ReaderPool<Database> readers;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Database writer;
    private boolean enrolled;

    private SqliteRows(SqliteFile file, OwnerLock lock, boolean enrolled) {
        this.file = file;
        this.lock = lock;
        this.enrolled = enrolled;
        readers = new ReaderPool<>(file);
    }

    /** Opens a file, or creates one. */
    public static SqliteRows open(Path path, SqliteOptions options) {
        return open(path, options, file -> open(SqliteFile.open(file, options), options));
    }

    /** Opens a file that exists, and changes nothing before the first write: that one makes the owner known. */
    public static SqliteRows existing(Path path, SqliteOptions options) {
        return open(path, options, file -> {
            var opened = SqliteFile.existing(file, options);
            var rows = new SqliteRows(opened,
                    OwnerLock.named(opened.owners(), options.random(), opened.mark()), false);
            rows.readers.start();
            return rows;
        });
    }

    /** Opens rows at a place. */
    private interface Opening {
        SqliteRows open(Path file) throws SQLException, IOException;
    }

    private static SqliteRows open(Path path, SqliteOptions options, Opening opening) {
        Path file = StorePlace.check(path, options.fileSystemType());
        var opened = new PendingAnswer<SqliteRows>();
        // on a platform thread: an interrupt of a virtual one would close the files
        Thread.ofPlatform().name("belay-open").daemon().start(() -> {
            try {
                opened.give(opening.open(file));
            } catch (SQLException e) {
                opened.fail(SqliteFailure.of(e, file));
            } catch (IOException e) {
                opened.fail(new JournalException(
                        file + " or a file beside it cannot be made or reached: " + e, e));
            } catch (OwnerLostException e) {
                opened.fail(e.told());
            } catch (RuntimeException | Error e) {
                opened.fail(e);
            }
        });
        return opened.await();
    }

    private static SqliteRows open(SqliteFile file, SqliteOptions options) throws SQLException, IOException {
        var lock = OwnerLock.acquire(file.owners(), options.random(), file.mark());
        try {
            lock.sweep();
            // the owner is made known now that its lock is held
            Database db = file.writer();
            try {
                makeKnown(db, lock.owner());
                file.checkIdentity();
            } finally {
                file.close(db);
            }
            var rows = new SqliteRows(file, lock, true);
            rows.readers.start();
            return rows;
        } catch (SQLException | IOException | RuntimeException | Error e) {
            lock.close(file.leavesLog());
            throw e;
        }
    }

    private static void makeKnown(Database db, String owner) throws SQLException {
        db.update(TableSql.upsert(StoreRows.OWNERS, 1),
                StoredRow.write(StoreRows.OWNERS, new Owner(owner, 0)));
    }

    @Override
    public String owner() {
        return lock.owner();
    }

    @Override
    public <T extends @Nullable Object> T read(Operation<T> read) {
        List<Selector<?>> first = new ArrayList<>();
        read.first().accept(first);
        var look = new LoadedRows(lock::alive);
        var unit = new Unit(look);
        readers.read(db -> {
            load(db, read, first, look, unit);
            return true;
        });
        // locks are for platform threads
        look.alive(owner -> readers.read(db -> lock.alive(owner)));
        return read.decide().apply(unit);
    }

    @Override
    public String address() {
        return file.path().toString();
    }

    @Override
    public List<Inconsistency> alteredSchema() {
        return readers.read(db -> {
            List<Inconsistency> altered = new ArrayList<>(SqliteFile.altered(db));
            altered.addAll(ScopeNames.check(db));
            return altered;
        });
    }

    private static void load(Database db, Operation<?> read, List<Selector<?>> first, LoadedRows look,
            Unit unit) throws SQLException {
        var second = read.second();
        if (second == null && first.size() <= 1) {
            SqliteLoad.load(db, first, look);
            return;
        }
        db.run("begin deferred");
        try {
            SqliteLoad.load(db, first, look);
            if (second != null) {
                List<Selector<?>> more = new ArrayList<>();
                second.accept(unit, more);
                SqliteLoad.load(db, more, look);
            }
        } finally {
            db.run("rollback");
        }
    }

    @Override
    public Transaction begin() {
        if (closed.get()) {
            throw JournalException.closed();
        }
        try {
            Database db = connection();
            if (!enrolled) {
                lock.enrol();
                makeKnown(db, owner());
                enrolled = true;
            }
            db.run("begin immediate");
            return new SqliteTransaction(this, db, new LoadedRows(lock::alive));
        } catch (SQLException e) {
            throw failure(e);
        } catch (IOException e) {
            throw new JournalException("the lock of this owner of " + file.path() + " cannot be made: " + e,
                    e);
        }
    }

    private Database connection() throws SQLException {
        Database open = writer;
        if (open == null) {
            open = file.writer();
            writer = open;
        }
        return open;
    }

    /**
     * Checks, before a commit is answered, that it went into the file of this name.
     *
     * @throws OwnerLostException if the file, its log or its index was taken away
     */
    void checkFile() {
        file.checkIdentity();
    }

    /** Counts a commit in the owner's row. */
    void mark(Database db, long batch) throws SQLException {
        @Nullable
        Object[] row = StoredRow.write(StoreRows.OWNERS, new Owner(owner(), batch));
        if (db.update(MARK, batch, row[row.length - 1], owner()) == 0) {
            throw declaredDead();
        }
    }

    private OwnerLostException declaredDead() {
        return new OwnerLostException(new JournalException("another process has declared this journal of "
                + file.path() + " dead, because the lock of its owner file was lost; open it again", null));
    }

    void rollBack() {
        Database open = writer;
        if (open != null) {
            try {
                open.run("rollback");
            } catch (SQLException e) {
                LOG.debug("the transaction was gone already", e);
                disconnect();
            }
        }
    }

    /** A connection whose commit was not answered may be broken, so a new one is asked. */
    @Override
    public boolean hasCommitted(long batch) {
        disconnect();
        try {
            Long last = connection().first(LAST_BATCH, row -> row.getLong(1), owner());
            if (last == null) {
                throw declaredDead();
            }
            return last == batch;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** Made of the commits that other owners have counted. */
    @Override
    public long version() {
        List<Long> others = readers.read(db -> db.list(OTHERS,
                row -> row.getString(1).hashCode() * PRIME + row.getLong(2), owner()));
        long version = 0;
        for (long other : others) {
            version = version * PRIME + other;
        }
        return version;
    }

    RuntimeException failure(SQLException e) {
        return SqliteFailure.of(e, file.path());
    }

    private void disconnect() {
        Database open = writer;
        writer = null;
        file.close(open);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                disconnect();
                readers.close();
            } finally {
                unlock();
            }
        }
    }

    private void unlock() {
        try {
            lock.close(file.leavesLog());
        } catch (IOException e) {
            LOG.warn("the lock of {} could not be removed; others find it free", file.path(), e);
        }
    }
}
