package dev.belay.runtime.effect;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records of a scope that were handed to the journal and may not be durable yet, in their order.
 *
 * <p>Concurrency: the threads of a scope add to it; whoever is about to do what others can see waits for all of them. One lock is held
 * while somebody waits, so that everybody behind waits for the same.
 *
 * <p>Durability: only results of work that nobody can tell from work that was not done are in here. What is lost is done again.
 *
 * <p>Recovery: a record that could not be written ends the entry. The first such fault is told to everybody who asks later.
 */
final class UnderWay {

    /** Enough to share commits, few enough to be kept in memory: a record holds up to 64 KiB. */
    static final int MOST = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> records = new ArrayDeque<>();
    private @Nullable Throwable fault;

    /**
     * Adds a record; waits for the oldest if there are many.
     *
     * @param written waits until it is durable, or throws
     */
    void add(Runnable written) {
        lock.lock();
        try {
            records.add(written);
            while (records.size() > MOST) {
                settleOne(records.remove());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all of them are durable; throws if one could not be written. */
    void settle() {
        lock.lock();
        try {
            while (!records.isEmpty()) {
                settleOne(records.remove());
            }
            if (fault != null) {
                rethrow(fault);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The same at the end of an entry that has failed; whoever took the scope over counts more than why it failed. */
    void settleAfter(Throwable failed) {
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

    private void settleOne(Runnable written) {
        try {
            written.run();
        } catch (Throwable e) {
            if (fault == null || e instanceof FencedException) {
                fault = e;
            }
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
