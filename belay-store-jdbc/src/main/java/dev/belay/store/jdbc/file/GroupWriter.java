package dev.belay.store.jdbc.file;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;

/**
 * The one thread that writes. Whatever has been asked for while a commit was under way shares the next one.
 *
 * <p>Concurrency: callers put a {@link Write} into the inbox and wait, at once or later; everything else is confined to the thread.
 *
 * <p>Durability: a caller is told after the commit. A write that fails is taken back to its savepoint, or is one statement that
 * undoes itself, and hurts nobody else. A commit that fails, or an error that may have dropped the whole transaction, is followed
 * by each write in a transaction of its own.
 *
 * <p>Recovery: each commit carries a number in the owner's row. If a commit was not answered, a new connection finds by that
 * number whether it happened. If the row is gone, somebody has declared this journal dead: it writes nothing more.
 */
public final class GroupWriter {

    /** Makes a transaction durable. Tests bring one that fails. */
    public interface Commit {
        void run(Database db) throws SQLException;
    }

    /** Opens the connection that writes. */
    public interface Connect {
        Database open() throws SQLException;
    }

    /** A probe has thrown: from here on this process counts as dead. */
    private static final class Death extends Exception {

        private static final long serialVersionUID = 1L;

        Death(Throwable cause) {
            super(null, cause, false, false);
        }

        Throwable why() {
            return java.util.Objects.requireNonNull(getCause());
        }
    }

    public static final Commit COMMIT = db -> db.run("commit");

    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);
    private static final String DATA_VERSION = "pragma data_version";
    private static final String BEGIN = "begin immediate";
    private static final String ROLLBACK = "rollback";
    private static final String SAVEPOINT = "savepoint w";
    private static final String RELEASE = "release w";
    private static final String BACK_TO_SAVEPOINT = "rollback to w";

    private final SqliteFile file;
    private final Connect connect;
    private final Commit commit;
    private final String owner;
    private final Runnable onEnd;
    private final JournalProbe probe;
    private final WorkQueue<Write<?>> inbox = new WorkQueue<>();
    private final Thread thread;

    private @Nullable Database db;
    private List<Write<?>> batch = new ArrayList<>();
    private long number;
    private long connections;
    private volatile @Nullable Throwable death;

    /**
     * Creates one.
     *
     * @param onEnd run on the thread when it ends, before anybody is told
     */
    public GroupWriter(SqliteFile file, String owner, Connect connect, Commit commit, Runnable onEnd) {
        this.file = file;
        this.owner = owner;
        this.connect = connect;
        this.commit = commit;
        this.onEnd = onEnd;
        probe = file.options().probe();
        thread = Thread.ofPlatform().name("belay-writer").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public <R extends @Nullable Object> R write(Write<R> write) {
        put(List.of(write));
        return write.await();
    }

    /** Hands over several; the caller waits for each of them. */
    public void put(List<? extends Write<?>> writes) {
        if (!inbox.put(writes)) {
            throw gone();
        }
    }

    /** Changes whenever another connection than the one that writes has committed, and with that connection. */
    public long version() {
        return write(new Write<>(null, Write.Sharing.OUTSIDE, 0,
                open -> (connections << Integer.SIZE) + open.number(DATA_VERSION)));
    }

    /** Why nothing can be written any more. */
    public RuntimeException gone() {
        Throwable why = death;
        return why == null ? JournalException.closed() : PendingAnswer.thrown(why);
    }

    /** What killed it, or null. */
    public @Nullable Throwable death() {
        return death;
    }

    /** Writes what was asked for, then ends. */
    public void close() {
        inbox.close();
        boolean interrupted = false;
        while (thread.isAlive() && !Thread.currentThread().equals(thread)) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Throwable why = null;
        try {
            for (Write<?> next = inbox.take(); next != null; next = inbox.take()) {
                collect(next);
                perform();
            }
        } catch (Death e) {
            why = e.why();
        }
        disconnect();
        onEnd.run();
        end(why);
    }

    private void collect(Write<?> first) {
        batch = new ArrayList<>();
        batch.add(first);
        if (first.sharing() == Write.Sharing.SHARED) {
            long[] size = {first.size()};
            inbox.drain(batch, next -> {
                size[0] += next.size();
                return next.sharing() == Write.Sharing.SHARED && batch.size() < file.options().maxBatch()
                        && size[0] <= file.options().maxBatchBytes();
            });
        }
    }

    private void perform() throws Death {
        try {
            if (batch.get(0).sharing() == Write.Sharing.OUTSIDE) {
                batch.get(0).run(connection());
                batch.get(0).tell();
            } else {
                commit(batch);
            }
        } catch (SQLException | RuntimeException | Error e) {
            rollBack();
            RuntimeException told = SqliteFailure.of(e, file.path());
            batch.forEach(write -> write.fail(told));
        }
    }

    /** Commits all of them together, or, if that fails, one after another. */
    private void commit(List<Write<?>> writes) throws Death {
        boolean[] unanswered = {false};
        try {
            apply(writes, unanswered);
        } catch (SQLException | RuntimeException e) {
            rollBack();
            if (!unanswered[0] || !happened(e, writes)) {
                if (writes.size() > 1) {
                    for (Write<?> write : writes) {
                        commit(List.of(write));
                    }
                    return;
                }
                writes.get(0).refuse(SqliteFailure.of(e, file.path()));
            }
        }
        for (Write<?> write : writes) {
            if (!write.refused()) {
                heard(Moment.AFTER, write);
            }
        }
        writes.forEach(Write::tell);
    }

    private void apply(List<Write<?>> writes, boolean[] unanswered) throws SQLException, Death {
        Database open = connection();
        open.run(BEGIN);
        long before = open.changes();
        for (Write<?> write : writes) {
            heard(Moment.BEFORE, write);
            if (writes.size() > 1) {
                applyBesideOthers(write, open);
            } else if (!write.runGuarded(open)) {
                write.run(open);
            }
            if (!write.refused()) {
                heard(Moment.INSIDE, write);
            }
        }
        if (open.changes() == before) {
            open.run(ROLLBACK);
            return;
        }
        number++;
        if (!SqliteOwners.mark(open, owner, number)) {
            throw new Death(declaredDead());
        }
        unanswered[0] = true;
        commit.run(open);
        unanswered[0] = false;
    }

    /** Does a write; if it fails, it is as if it had not been there. */
    private void applyBesideOthers(Write<?> write, Database open) throws SQLException {
        try {
            if (write.runGuarded(open)) {
                return;
            }
        } catch (SQLException e) {
            // after any other error the transaction may be gone, and a savepoint would begin another one
            if (SqliteFailure.primary(e) != SQLiteErrorCode.SQLITE_CONSTRAINT) {
                throw e;
            }
            write.refuse(SqliteFailure.of(e, file.path()));
            return;
        }
        open.run(SAVEPOINT);
        try {
            write.run(open);
            open.run(RELEASE);
        } catch (SQLException | RuntimeException e) {
            // fails if the whole transaction was dropped; then each write gets its own
            open.run(BACK_TO_SAVEPOINT);
            open.run(RELEASE);
            write.refuse(SqliteFailure.of(e, file.path()));
        }
    }

    /**
     * Whether a commit that was not answered has happened; asks on a new connection. If that cannot be found out, the writes
     * are refused with these words and count as answered.
     */
    private boolean happened(Exception failure, List<Write<?>> writes) throws Death {
        disconnect();
        try {
            Long last = SqliteOwners.lastBatch(connection(), owner);
            if (last == null) {
                throw new Death(declaredDead());
            }
            if (last == number) {
                LOG.warn("a commit to {} was reported as failed and has happened", file.path(), failure);
            }
            return last == number;
        } catch (SQLException e) {
            failure.addSuppressed(e);
            var unknown = new JournalException("a commit to " + file.path() + " failed and the file cannot be"
                    + " read: it is not known whether the write has happened", failure);
            writes.forEach(write -> write.refuse(unknown));
            return true;
        }
    }

    private JournalException declaredDead() {
        return new JournalException("another process has declared this journal of " + file.path()
                + " dead, because the lock of its owner file was lost; open it again", null);
    }

    private Database connection() throws SQLException {
        Database open = db;
        if (open == null) {
            open = connect.open();
            connections++;
            db = open;
        }
        return open;
    }

    private void rollBack() {
        Database open = db;
        if (open != null) {
            try {
                open.run(ROLLBACK);
            } catch (SQLException e) {
                LOG.debug("the transaction was gone already", e);
            }
        }
    }

    private void disconnect() {
        Database open = db;
        db = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.warn("closing {} failed", file.path(), e);
            }
        }
    }

    private void heard(Moment moment, Write<?> write) throws Death {
        String name = write.name();
        if (name != null) {
            try {
                probe.at(moment, name);
            } catch (Throwable e) {
                throw new Death(e);
            }
        }
    }

    private void end(@Nullable Throwable why) {
        death = why;
        List<Write<?>> rest = inbox.abort();
        if (why != null) {
            batch.forEach(write -> write.fail(why));
            rest.forEach(write -> write.fail(why));
        }
    }
}
