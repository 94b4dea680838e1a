package dev.belay.store.jdbc.file;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.commit.PendingAnswer;
import dev.belay.runtime.store.commit.WorkQueue;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Threads that read beside the one that writes: they see what was committed and wait for nobody. Each has its own connection,
 * opened when it is first needed.
 */
public final class ReaderPool {

    /** A read takes microseconds; more threads would only hold more connections. */
    private static final int THREADS = 2;

    private static final class Read<R extends @Nullable Object> extends PendingAnswer<R> {

        private final Database.Work<R> work;

        Read(Database.Work<R> work) {
            this.work = work;
        }

        void run(Database db) throws SQLException {
            give(work.run(db));
        }
    }

    private final SqliteFile file;
    private final WorkQueue<Read<?>> inbox = new WorkQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable Throwable failed;

    public ReaderPool(SqliteFile file) {
        this.file = file;
        for (int i = 1; i <= THREADS; i++) {
            threads.add(Thread.ofPlatform().name("belay-reader-" + i).daemon().unstarted(this::run));
        }
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    public <R extends @Nullable Object> R read(Database.Work<R> work) {
        var read = new Read<>(work);
        if (!inbox.put(List.of(read))) {
            Throwable why = failed;
            throw why == null ? JournalException.closed() : JournalException.failed(why);
        }
        return read.await();
    }

    /** Reads what was asked for, then ends. */
    public void close() {
        inbox.close();
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Database db = null;
        Read<?> next = null;
        try {
            for (next = inbox.take(); next != null; next = inbox.take()) {
                try {
                    if (db == null) {
                        db = file.reader();
                    }
                    next.run(db);
                } catch (SQLException | RuntimeException | Error e) {
                    next.fail(SqliteFailure.of(e, file.path()));
                    file.close(db);
                    db = null;
                }
            }
            file.close(db);
        } catch (Throwable e) {
            end(e, next);
        }
    }

    /** A thread of the pool has failed: each read that waits or comes later is told so, and the runtime ends with it. */
    private void end(Throwable failure, @Nullable Read<?> during) {
        failed = failure;
        inbox.close();
        if (during != null) {
            during.fail(failure(failure));
        }
        for (Read<?> rest = inbox.take(); rest != null; rest = inbox.take()) {
            rest.fail(failure(failure));
        }
    }

    private static Throwable failure(Throwable failure) {
        try {
            return JournalException.failed(failure);
        } catch (Throwable e) { // memory is short
            return failure;
        }
    }
}
