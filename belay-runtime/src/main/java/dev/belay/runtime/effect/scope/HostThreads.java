package dev.belay.runtime.effect.scope;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

/** The running threads of a host. Thread-safe. */
public final class HostThreads {

    private final ThreadFactory factory;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    public HostThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    public Thread start(Runnable task) {
        Thread thread = factory.newThread(() -> {
            try {
                task.run();
            } finally {
                running.remove(Thread.currentThread());
            }
        });
        // together: awaitAll must not find a thread that cannot be joined yet
        synchronized (running) {
            running.add(thread);
            try {
                thread.start();
            } catch (Throwable e) {
                running.remove(thread); // a thread that was never started cannot be joined
                throw e;
            }
        }
        return thread;
    }

    /** Waits until all threads have ended, for a time at most. */
    public void awaitAll(Duration most) {
        List<Thread> some;
        synchronized (running) {
            some = List.copyOf(running);
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
