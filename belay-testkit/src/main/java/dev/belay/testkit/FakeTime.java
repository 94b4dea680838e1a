package dev.belay.testkit;

import dev.belay.runtime.effect.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Time that stands still until a test moves it. {@link #advance} lets time pass, {@link #jump} sets the wall clock. Thread-safe.
 *
 * <p>Alarms run in the order of their moments on the thread that moves the time. An alarm that is already due when it is set runs
 * at once, on a thread of its own, because the thread that sets it may hold locks.
 */
public final class FakeTime implements TimeSource {

    /** Where the wall clock starts unless a test says otherwise. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /** A test that waits for an alarm in vain fails after this time instead of hanging. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration GLANCE = Duration.ofMillis(1);
    private static final Duration STEP = Duration.ofMillis(50);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition alarmSet = lock.newCondition();
    private final List<Pending> alarms = new ArrayList<>();
    private Instant wall;
    private Duration passed = Duration.ZERO;
    private long nextNumber;

    /** Starts at {@link #START}. */
    public FakeTime() {
        this(START);
    }

    /** Starts at a moment. */
    public FakeTime(Instant start) {
        wall = start;
    }

    @Override
    public Instant now() {
        lock.lock();
        try {
            return wall;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanos() {
        lock.lock();
        try {
            return passed.toNanos();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Alarm after(Duration delay, Runnable action) {
        lock.lock();
        try {
            return set(new Passing(nextNumber++, action, passed.plus(delay)));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Alarm at(Instant due, Runnable action) {
        lock.lock();
        try {
            return set(new Showing(nextNumber++, action, due));
        } finally {
            lock.unlock();
        }
    }

    /** Lets time pass; returns when all alarms that came due have run, also those that were set meanwhile. */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time only passes forward, found " + time
                    + "; use jump to set the wall clock back");
        }
        Duration end = plus(time);
        for (Optional<Pending> due = next(end); due.isPresent(); due = next(end)) {
            due.get().action.run();
        }
    }

    /** Sets the wall clock forward or back; no time passes. Alarms of the wall clock that are due now have run on return. */
    public void jump(Duration by) {
        lock.lock();
        try {
            wall = wall.plus(by);
        } finally {
            lock.unlock();
        }
        advance(Duration.ZERO);
    }

    /** Lets time pass in small steps until a thread has ended, so that pauses on the way to its end are over. */
    public void passUntilEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(GLANCE);
                advance(STEP);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does work on a thread of its own and lets time pass in small steps meanwhile; its result. */
    public <T> T during(Callable<T> work) throws Exception {
        var task = new FutureTask<>(work);
        passUntilEnd(Thread.ofVirtual().name("fake-time").start(task));
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception fault ? fault : e;
        }
    }

    /** How many alarms are set and have not run. */
    public int alarms() {
        lock.lock();
        try {
            return alarms.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until at least so many alarms are set: then the threads under test have begun to wait. */
    public void awaitAlarms(int count) throws InterruptedException {
        await(() -> alarms.size() >= count, count + " alarms");
    }

    /** Waits until an alarm is set that is due after exactly so much time: then a certain thread under test has begun to wait. */
    public void awaitAlarmIn(Duration left) throws InterruptedException {
        await(() -> alarms.stream().anyMatch(alarm -> alarm.left().equals(left)), "an alarm in " + left);
    }

    private void await(BooleanSupplier set, String what) throws InterruptedException {
        long left = PATIENCE.toNanos();
        lock.lockInterruptibly();
        try {
            while (!set.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError(
                            "waited " + PATIENCE + " for " + what + ", found " + alarms.size()
                                    + ": " + alarms);
                }
                left = alarmSet.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private Pending set(Pending alarm) {
        if (!alarm.left().isPositive()) {
            Thread.ofVirtual().name("fake-time").start(alarm.action);
            return alarm;
        }
        alarms.add(alarm);
        alarmSet.signalAll();
        return alarm;
    }

    private Duration plus(Duration time) {
        lock.lock();
        try {
            return passed.plus(time);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves to the next alarm before the end, and takes it; or else to the end. In one step: an alarm that another thread sets is
     * either found here or due when it is set.
     */
    private Optional<Pending> next(Duration end) {
        lock.lock();
        try {
            Optional<Pending> first = alarms.stream()
                    .min(Comparator.comparing(Pending::left).thenComparingLong(alarm -> alarm.number))
                    .filter(alarm -> passed.plus(alarm.left()).compareTo(end) <= 0);
            pass(first.map(Pending::left).orElseGet(() -> end.minus(passed)));
            first.ifPresent(alarms::remove);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void pass(Duration time) {
        if (time.isPositive()) {
            passed = passed.plus(time);
            wall = wall.plus(time);
        }
    }

    private abstract class Pending implements Alarm {

        final long number;
        final Runnable action;

        Pending(long number, Runnable action) {
            this.number = number;
            this.action = action;
        }

        /** How much time must pass; called under the lock. */
        abstract Duration left();

        @Override
        public void cancel() {
            lock.lock();
            try {
                alarms.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits for time to pass. */
    private final class Passing extends Pending {

        private final Duration due;

        Passing(long number, Runnable action, Duration due) {
            super(number, action);
            this.due = due;
        }

        @Override
        Duration left() {
            return due.minus(passed);
        }

        @Override
        public String toString() {
            return "after " + due + " in all";
        }
    }

    /** Waits for a moment on the wall clock. */
    private final class Showing extends Pending {

        private final Instant due;

        Showing(long number, Runnable action, Instant due) {
            super(number, action);
            this.due = due;
        }

        @Override
        Duration left() {
            return Duration.between(wall, due);
        }

        @Override
        public String toString() {
            return "at " + due;
        }
    }
}
