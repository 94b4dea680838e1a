package dev.belay.runtime.store.commit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that callers have asked for and a thread has not begun yet, in order. It needs no bound of its own: every caller waits for
 * its answer, or for one of the last few. Thread-safe.
 *
 * @param <T> the tasks
 */
public final class WorkQueue<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final ArrayDeque<T> queue = new ArrayDeque<>();
    private boolean closed;

    /** An empty one. */
    public WorkQueue() {}

    /** Adds all of them or, once it is closed, none. */
    public boolean put(List<? extends T> tasks) {
        lock.lock();
        try {
            if (!closed) {
                queue.addAll(tasks);
                filled.signal();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** The next one; waits for it. Null once it is closed and empty. */
    public @Nullable T take() {
        lock.lock();
        try {
            while (queue.isEmpty()) {
                if (closed) {
                    return null;
                }
                filled.awaitUninterruptibly();
            }
            return queue.poll();
        } finally {
            lock.unlock();
        }
    }

    /** The next one; null if there is none within a time. */
    public @Nullable T take(Duration within) {
        lock.lock();
        try {
            long left = within.toNanos();
            while (queue.isEmpty() && !closed && left > 0) {
                try {
                    left = filled.awaitNanos(left);
                } catch (InterruptedException e) {
                    // the thread is the store's own, and ends when the queue is closed
                }
            }
            return queue.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Moves what is there, from the front, as long as it is fit. */
    public void drain(List<? super T> into, Predicate<T> fit) {
        lock.lock();
        try {
            T next = queue.peek();
            while (next != null && fit.test(next)) {
                into.add(next);
                queue.poll();
                next = queue.peek();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more; what is there can still be taken. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
