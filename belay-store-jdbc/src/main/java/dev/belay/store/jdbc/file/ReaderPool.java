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
 *
 * @param <C> a connection
 */
public final class ReaderPool<C> {

    /** Where the connections come from. */
    public interface Source<C> {

        /** Opens a connection that reads. */
        C reader() throws SQLException;

        /** Closes a connection. Throws nothing. */
        void close(@Nullable C reader);

        /** What a caller is told of a read that failed. */
        RuntimeException failure(Throwable thrown);
    }

    /** Reads. Nothing of the user's may run in it. */
    public interface Work<C, R extends @Nullable Object> {

        R run(C reader) throws SQLException;
    }

    /** A read takes microseconds; more threads would only hold more connections. */
    private static final int THREADS = 2;

    private static final class Read<C, R extends @Nullable Object> extends PendingAnswer<R> {

        private final Work<C, R> work;

        Read(Work<C, R> work) {
            this.work = work;
        }

        void run(C db) throws SQLException {
            give(work.run(db));
        }
    }

    private final Source<C> source;
    private final WorkQueue<Read<C, ?>> inbox = new WorkQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable Throwable failed;

    public ReaderPool(Source<C> source) {
        this.source = source;
        for (int i = 1; i <= THREADS; i++) {
            threads.add(Thread.ofPlatform().name("belay-reader-" + i).daemon().unstarted(this::run));
        }
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    public <R extends @Nullable Object> R read(Work<C, R> work) {
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
        C db = null;
        Read<C, ?> next = null;
        try {
            for (next = inbox.take(); next != null; next = inbox.take()) {
                try {
                    if (db == null) {
                        db = source.reader();
                    }
                    next.run(db);
                } catch (SQLException | RuntimeException | Error e) {
                    next.fail(source.failure(e));
                    source.close(db);
                    db = null;
                }
            }
            source.close(db);
        } catch (Throwable e) {
            end(e, next);
        }
    }

    /** A thread of the pool has failed: each read that waits or comes later is told so, and the runtime ends with it. */
    private void end(Throwable failure, @Nullable Read<C, ?> during) {
        failed = failure;
        inbox.close();
        if (during != null) {
            during.fail(failure(failure));
        }
        for (Read<C, ?> rest = inbox.take(); rest != null; rest = inbox.take()) {
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
