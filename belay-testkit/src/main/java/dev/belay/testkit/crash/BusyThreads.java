package dev.belay.testkit.crash;

import dev.belay.testkit.SimulatedCrash;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the threads of a process and knows whether one of them is working: time passes only when none is, on slow machines too.
 * Thread-safe.
 */
final class BusyThreads implements ThreadFactory {

    private final Set<Thread> living = ConcurrentHashMap.newKeySet();
    private final AtomicLong number = new AtomicLong();

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = Thread.ofVirtual()
                .name("crash-kit-" + number.getAndIncrement())
                .uncaughtExceptionHandler(BusyThreads::fell)
                .unstarted(() -> {
                    try {
                        task.run();
                    } finally {
                        living.remove(Thread.currentThread());
                    }
                });
        living.add(thread);
        return thread;
    }

    /** Whether one of them is working or about to. */
    boolean areBusy() {
        return living.stream()
                .map(Thread::getState)
                .anyMatch(state -> state == Thread.State.NEW || state == Thread.State.RUNNABLE);
    }

    /** Ignores the death of the process; other failures are reported. */
    private static void fell(Thread thread, Throwable fault) {
        if (!(fault instanceof SimulatedCrash)) {
            thread.getThreadGroup().uncaughtException(thread, fault);
        }
    }
}
