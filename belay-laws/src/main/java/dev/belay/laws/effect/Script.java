package dev.belay.laws.effect;

import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.SimulatedCrash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** A probe that kills a process at a write or holds a write up, and records the writes. Thread-safe. */
final class Script implements JournalProbe {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Heard> heard = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();
    private final List<Heard> deaths = new ArrayList<>();
    private boolean dead;

    private record Heard(Moment moment, String write) {}

    /** Holds a write up. */
    static final class Gate {

        private final Moment moment;
        private final Predicate<String> writes;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        private Gate(Moment moment, Predicate<String> writes) {
            this.moment = moment;
            this.writes = writes;
        }

        void awaitReached() throws InterruptedException {
            reached.await();
        }

        boolean isReached() {
            return reached.getCount() == 0;
        }

        void open() {
            open.countDown();
        }
    }

    @Override
    public void at(Moment moment, String write) {
        Gate gate = enter(moment, write);
        if (gate != null) {
            gate.reached.countDown();
            awaitUninterruptibly(gate.open);
            if (isDead()) {
                throw new SimulatedCrash(write);
            }
        }
    }

    private @org.jspecify.annotations.Nullable Gate enter(Moment moment, String write) {
        lock.lock();
        try {
            var now = new Heard(moment, write);
            dead |= deaths.stream().anyMatch(death -> death.moment == moment && matches(write, death.write));
            if (dead) {
                changed.signalAll();
                throw new SimulatedCrash(moment + " " + write);
            }
            heard.add(now);
            changed.signalAll();
            for (Gate gate : gates) {
                if (gate.moment == moment && !gate.isReached() && gate.writes.test(write)) {
                    return gate;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses every write from now on. */
    void die() {
        lock.lock();
        try {
            dead = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        gates.forEach(Gate::open);
    }

    /** Dies at the first write of that name. */
    void dieAt(Moment moment, String write) {
        lock.lock();
        try {
            deaths.add(new Heard(moment, write));
        } finally {
            lock.unlock();
        }
    }

    /** Holds up the first write of that name until the gate is opened. */
    Gate holdUp(Moment moment, String write) {
        lock.lock();
        try {
            var gate = new Gate(moment, name -> matches(name, write));
            gates.add(gate);
            return gate;
        } finally {
            lock.unlock();
        }
    }

    boolean isDead() {
        lock.lock();
        try {
            return dead;
        } finally {
            lock.unlock();
        }
    }

    void awaitDead() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!dead) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether so many writes of that name are durable. */
    boolean wrote(String write, int times) {
        lock.lock();
        try {
            return count(write) >= times;
        } finally {
            lock.unlock();
        }
    }

    int written(String write) {
        lock.lock();
        try {
            return (int) count(write);
        } finally {
            lock.unlock();
        }
    }

    private long count(String write) {
        return heard.stream().filter(one -> one.moment == Moment.AFTER && matches(one.write, write)).count();
    }

    /** Whether a name is equal to the wanted one or begins with it. */
    private static boolean matches(String name, String asked) {
        return name.equals(asked) || name.startsWith(asked + " ");
    }

    /** Waits a moment for a write; the caller lets time pass in between. */
    @SuppressWarnings("WaitNotInLoop") // the caller checks again after any wake-up
    void awaitChange(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            changed.awaitNanos(nanos);
        } finally {
            lock.unlock();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
