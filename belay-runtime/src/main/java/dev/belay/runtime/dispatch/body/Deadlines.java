package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.effect.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How long a body may run. Time counts from {@link #start} to {@link #stop}, except between {@link #pause} and {@link #resume}.
 *
 * <p><b>Concurrency.</b> One monitor; alarms ring on the thread of the time source and call the action outside it. Progress only
 * notes the time: an alarm that rings too early sets itself anew.
 */
public final class Deadlines {

    private final TimeSource time;
    private final Duration total;
    private final @Nullable Duration idle;
    private final Consumer<String> expired;

    private TimeSource.@Nullable Alarm totalAlarm;
    private TimeSource.@Nullable Alarm idleAlarm;
    private boolean counting;
    private boolean over;
    private long since;
    private long lastSign;
    private long used;

    /**
     * Limits of one attempt.
     *
     * @param total what is left of the total
     * @param idle longest time without a sign of life, or null for any
     * @param expired told why, once or twice
     */
    Deadlines(TimeSource time, Duration total, @Nullable Duration idle, Consumer<String> expired) {
        this.time = time;
        this.total = total;
        this.idle = idle;
        this.expired = expired;
    }

    /** Begins to count. */
    synchronized void start() {
        resume();
    }

    /** Counts on. */
    synchronized void resume() {
        if (counting || over) {
            return;
        }
        counting = true;
        since = time.nanos();
        lastSign = since;
        totalAlarm = time.after(total.minusNanos(used), this::totalRang);
        Duration limit = idle;
        if (limit != null) {
            idleAlarm = time.after(limit, this::idleRang);
        }
    }

    /** Stops counting for a while. */
    synchronized void pause() {
        if (!counting) {
            return;
        }
        used += time.nanos() - since;
        counting = false;
        cancel(totalAlarm);
        cancel(idleAlarm);
    }

    /** Stops counting for good: a body that goes on alone sets no alarm any more. */
    synchronized void stop() {
        pause();
        over = true;
    }

    /** A sign of life. */
    synchronized void touch() {
        lastSign = time.nanos();
    }

    /** How long it has counted. */
    public synchronized Duration used() {
        return Duration.ofNanos(counting ? used + time.nanos() - since : used);
    }

    /** When the total is used up, if nothing pauses it. */
    Instant at() {
        return time.now().plus(total.minus(used()));
    }

    private void totalRang() {
        synchronized (this) {
            if (!counting) {
                return;
            }
        }
        expired.accept("did not finish within " + total);
    }

    private void idleRang() {
        Duration limit = idle;
        synchronized (this) {
            if (!counting || limit == null) {
                return;
            }
            long left = limit.toNanos() - (time.nanos() - lastSign);
            if (left > 0) {
                idleAlarm = time.after(Duration.ofNanos(left), this::idleRang);
                return;
            }
        }
        expired.accept("showed no progress for " + limit);
    }

    private static void cancel(TimeSource.@Nullable Alarm alarm) {
        if (alarm != null) {
            alarm.cancel();
        }
    }
}
