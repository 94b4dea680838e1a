package dev.belay.testkit.crash;

import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.testkit.SimulatedCrash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records the writes of one process, and kills it at its crash point. Thread-safe. */
final class CrashProbe implements JournalProbe {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Integer> occurrences = new HashMap<>();
    private final List<CrashPoint> heard = new ArrayList<>();
    private final Predicate<CrashPoint> dies;
    private @Nullable CrashPoint death;

    /** Dies at the first moment that matches. */
    CrashProbe(Predicate<CrashPoint> dies) {
        this.dies = dies;
    }

    @Override
    public void at(Moment moment, String write) {
        lock.lock();
        try {
            if (death == null) {
                var point = new CrashPoint(moment, write, occurrence(moment, write));
                heard.add(point);
                if (dies.test(point)) {
                    death = point;
                }
                changed.signalAll();
            }
            if (death != null) {
                throw new SimulatedCrash(death.toString());
            }
        } finally {
            lock.unlock();
        }
    }

    private int occurrence(Moment moment, String write) {
        return moment == Moment.BEFORE
                ? occurrences.merge(write, 1, Integer::sum)
                : occurrences.getOrDefault(write, 1);
    }

    /** Where the process died, or null if it lives. */
    @Nullable
    CrashPoint death() {
        lock.lock();
        try {
            return death;
        } finally {
            lock.unlock();
        }
    }

    /** All recorded moments, in order. */
    List<CrashPoint> heard() {
        lock.lock();
        try {
            return List.copyOf(heard);
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return heard.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits a moment for a write. */
    @SuppressWarnings("WaitNotInLoop") // the caller checks again after any wake-up
    void awaitChange(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            changed.awaitNanos(nanos);
        } finally {
            lock.unlock();
        }
    }
}
