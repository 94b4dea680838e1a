package dev.belay.runtime.effect;

import dev.belay.runtime.effect.engine.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** Time, as a host and its calls see it. Thread-safe. A test brings its own. */
public interface TimeSource {

    /** An action that will be run. */
    interface Alarm {

        /** Cancels the action, unless it runs already. */
        void cancel();
    }

    /** The wall clock; may jump. For moments that are recorded. */
    Instant now();

    /** A clock that only goes forward, in nanoseconds from an arbitrary start. For durations. */
    long nanos();

    /** Runs a short action after a time that a jump of the wall clock does not change. */
    Alarm after(Duration delay, Runnable action);

    /** Runs a short action when the wall clock shows a moment, also if it jumps there. */
    Alarm at(Instant due, Runnable action);

    /** Holds this thread for a time, or until it is interrupted; the interrupt stays set. */
    default void pause(Duration duration) {
        var over = new CountDownLatch(1);
        Alarm alarm = after(duration, over::countDown);
        try {
            over.await();
        } catch (InterruptedException e) {
            alarm.cancel();
            Thread.currentThread().interrupt();
        }
    }

    /** The machine's time; its one daemon thread starts with the first alarm. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
