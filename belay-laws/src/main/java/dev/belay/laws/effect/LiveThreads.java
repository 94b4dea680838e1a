package dev.belay.laws.effect;

import dev.belay.testkit.SimulatedCrash;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Makes virtual threads and knows how many of them live. Thread-safe. */
final class LiveThreads implements ThreadFactory {

    /** Ignores the death of the process; other failures are reported. */
    private final ThreadFactory factory = Thread.ofVirtual()
            .name("scope-", 0)
            .uncaughtExceptionHandler((thread, fault) -> {
                if (!(fault instanceof SimulatedCrash)) {
                    thread.getThreadGroup().uncaughtException(thread, fault);
                }
            })
            .factory();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private int live;

    @Override
    public Thread newThread(Runnable task) {
        add(1); // counted here, so that a test does not miss a thread that is slow to start
        return factory.newThread(() -> {
            try {
                task.run();
            } finally {
                add(-1);
            }
        });
    }

    private void add(int change) {
        lock.lock();
        try {
            live += change;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until at most so many live. */
    void awaitAtMost(int count) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (live > count) {
                ended.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
