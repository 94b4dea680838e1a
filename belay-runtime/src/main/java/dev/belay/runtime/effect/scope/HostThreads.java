package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The running threads of a host. Thread-safe. */
public final class HostThreads {

    private final ThreadFactory factory;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    public HostThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    public Thread start(Runnable task) {
        Thread thread = factory.newThread(() -> {
            try {
                task.run();
            } finally {
                ends(Thread.currentThread());
            }
        });
        lock.lock(); // together: awaitAll must not find a thread that cannot be joined yet
        try {
            running.add(thread);
            thread.start();
        } catch (Throwable e) {
            running.remove(thread); // a thread that was never started cannot be joined
            throw e;
        } finally {
            lock.unlock();
        }
        return thread;
    }

    private void ends(Thread thread) {
        lock.lock();
        try {
            running.remove(thread);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until none runs, also of those that are started meanwhile, for a time at most. An interrupt ends the wait and is set again. */
    public void awaitNone(Duration most, TimeSource time) {
        boolean[] over = {false};
        TimeSource.Alarm end = time.after(most, () -> {
            lock.lock();
            try {
                over[0] = true;
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        try {
            while (!over[0] && running.stream().anyMatch(thread -> !thread.equals(Thread.currentThread()))) {
                ended.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
            end.cancel();
        }
    }

    /** Waits until all threads have ended, for a time at most. */
    public void awaitAll(Duration most) {
        List<Thread> some;
        lock.lock();
        try {
            some = List.copyOf(running);
        } finally {
            lock.unlock();
        }
        await(some, most);
    }

    /**
     * Waits until some threads have ended, for a time at most; an interrupt ends the wait and is set again. In real time, also in
     * tests: no test moves its clock while a host closes.
     */
    public static void await(Collection<Thread> some, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        try {
            for (Thread thread : some) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                if (!thread.equals(Thread.currentThread())) {
                    thread.join(Duration.ofNanos(left));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
