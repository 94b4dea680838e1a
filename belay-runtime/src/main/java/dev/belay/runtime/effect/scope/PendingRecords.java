package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.FencedException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records of a scope that were handed to the journal and may not be durable yet, in their order.
 *
 * <p>Concurrency: the threads of a scope add to it; one more thread waits for the records in their order and tells of them; whoever is
 * about to do what others can see waits for all of them. One lock guards the queue; the other is held while somebody waits for a
 * record, so that everybody behind waits for the same.
 *
 * <p>Durability: only results of work that nobody can tell from work that was not done are in here. What is lost is done again.
 *
 * <p>Recovery: a record that could not be written ends the entry; until then everybody who asks is told. The next entry does the work
 * again.
 */
public final class PendingRecords {

    /** Enough to share commits, few enough to be kept in memory: larger results than 64 KiB are not in here. */
    static final int MOST = 64;

    private final Consumer<Runnable> threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock settling = new ReentrantLock();
    private final ArrayDeque<Runnable> records = new ArrayDeque<>();
    private boolean watched;
    private volatile @Nullable Throwable fault;

    /**
     * None yet.
     *
     * @param threads runs what waits for records while the scope goes on
     */
    PendingRecords(Consumer<Runnable> threads) {
        this.threads = threads;
    }

    /** A new entry begins, in which what has failed is done again. All records of the one before were waited for. */
    public void begin() {
        fault = null;
    }

    /** Throws if a record could not be written; does not wait. Always true. */
    boolean requireWhole() {
        Throwable failed = fault;
        if (failed != null) {
            rethrow(failed);
        }
        return true;
    }

    /**
     * Adds a record; waits for the oldest if there are many. Throws if one could not be written.
     *
     * @param done whether there is nothing to wait for
     * @param written waits until it is durable and tells of it, or throws
     */
    void add(boolean done, Runnable written) {
        boolean many;
        boolean unwatched;
        lock.lock();
        try {
            records.add(written);
            many = done || records.size() > MOST;
            unwatched = !many && !watched;
            watched |= unwatched;
        } finally {
            lock.unlock();
        }
        if (unwatched) {
            threads.accept(this::watch);
        }
        while (many) {
            many = settleNext(false) && done;
        }
        requireWhole();
    }

    /** Takes note of records as they become durable, so that others hear of them while the scope is busy. */
    private void watch() {
        boolean more = true;
        while (more) {
            more = settleNext(true);
        }
    }

    /** Waits until all of them are durable; throws if one could not be written. */
    public void settle() {
        boolean more = true;
        while (more) {
            more = settleNext(false);
        }
        requireWhole();
    }

    /** The same at the end of an entry that has failed; whoever took the scope over counts more than why it failed. */
    public void settleAfter(Throwable failed) {
        try {
            settle();
        } catch (FencedException taken) {
            throw taken;
        } catch (Throwable e) {
            if (!e.equals(failed)) {
                failed.addSuppressed(e);
            }
        }
    }

    /** Waits for the oldest; false if there is none, and nobody waits for one. */
    private boolean settleNext(boolean watching) {
        settling.lock();
        try {
            Runnable written = next(watching);
            if (written == null) {
                return false;
            }
            try {
                written.run();
            } catch (Throwable e) {
                if (fault == null || e instanceof FencedException) {
                    fault = e;
                }
            }
            return true;
        } finally {
            settling.unlock();
        }
    }

    private @Nullable Runnable next(boolean watching) {
        lock.lock();
        try {
            Runnable written = records.poll();
            watched &= written != null || !watching;
            return written;
        } finally {
            lock.unlock();
        }
    }

    private static void rethrow(Throwable fault) {
        switch (fault) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(fault);
        }
    }
}
