package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.FencedException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records of a scope that were handed to the journal and may not be durable yet, in their order.
 *
 * <p>Concurrency: the threads of a scope add records; one more thread waits for them in their order and reports each. A thread that is
 * about to do something visible outside waits for all of them. {@code this} guards the queue; {@code settling} is held while a thread
 * waits for the oldest record, so that all threads behind wait for the same record.
 *
 * <p>Durability: only results of side-effect-free work are pending here. A lost record is made again by running the work again.
 *
 * <p>Recovery: a record that could not be written ends the entry; until then every thread that asks gets its fault. The next entry runs
 * the work again.
 */
public final class PendingRecords {

    /** Enough to share commits, few enough for the heap: results over 64 KiB are never pending here. */
    static final int MOST = 64;

    private final Consumer<Runnable> threads;
    private final ReentrantLock settling = new ReentrantLock();
    private final ArrayDeque<Runnable> records = new ArrayDeque<>(2);
    private boolean watched;
    private volatile @Nullable Throwable fault;

    /**
     * Starts without records.
     *
     * @param threads starts the thread that waits for records while the scope goes on
     */
    PendingRecords(Consumer<Runnable> threads) {
        this.threads = threads;
    }

    /** Begins a new entry, which runs failed work again. The entry before has waited for all its records. */
    public void begin() {
        fault = null;
    }

    /** Throws if a record could not be written; does not wait. Always true. */
    boolean requireWhole() {
        rethrow(fault);
        return true;
    }

    /**
     * Adds a record; waits for the oldest if there are many. Throws if a record could not be written.
     *
     * @param done whether the record is durable already
     * @param written waits until the record is durable and reports it, or throws
     */
    void add(boolean done, Runnable written) {
        boolean many;
        boolean unwatched;
        synchronized (this) {
            records.add(written);
            many = done || records.size() > MOST;
            unwatched = !many && !watched;
            watched |= unwatched;
        }
        if (unwatched) {
            threads.accept(this::watch);
        }
        while (many) {
            many = settleNext(false) && done;
        }
        requireWhole();
    }

    /** Reports records as they become durable, while the threads of the scope are busy. */
    private void watch() {
        boolean more = true;
        while (more) {
            more = settleNext(true);
        }
    }

    /** Waits until all records are durable; throws if one could not be written. Always true. */
    public boolean settle() {
        boolean more = true;
        while (more) {
            more = settleNext(false);
        }
        return requireWhole();
    }

    /** Waits for all records at the end of an entry that has failed; a take-over counts more than the failure. */
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

    /** Waits for the oldest record; false if there is none and no other thread waits for one. */
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

    private synchronized @Nullable Runnable next(boolean watching) {
        Runnable written = records.poll();
        watched &= written != null || !watching;
        return written;
    }

    /** Throws a fault of another thread, if there is one. */
    static void rethrow(@Nullable Throwable fault) {
        switch (fault) {
            case null -> {
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(fault);
        }
    }
}
