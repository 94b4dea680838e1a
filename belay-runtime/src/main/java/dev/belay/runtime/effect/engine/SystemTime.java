package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.scope.HostLife;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The machine's time. An alarm at a moment reads the wall clock at least once a second, because the platform does not tell when the
 * clock is set.
 */
public final class SystemTime implements TimeSource {

    public static final SystemTime INSTANCE = new SystemTime();

    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);
    /** How long the thread waits for another alarm before it ends: no thread is left when all runtimes are closed. */
    private static final long IDLE_MILLIS = 200;

    private final ScheduledThreadPoolExecutor alarms;

    SystemTime() {
        alarms = new ScheduledThreadPoolExecutor(1,
                task -> Thread.ofPlatform().name("belay-alarms").daemon().unstarted(task));
        alarms.setRemoveOnCancelPolicy(true);
        alarms.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        alarms.allowCoreThreadTimeOut(true);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Alarm after(Duration delay, Runnable action) {
        ScheduledFuture<?> future = alarms.schedule(action, nanosOf(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public Alarm at(Instant due, Runnable action) {
        var alarm = new WallAlarm(due, action);
        alarm.nap();
        return alarm;
    }

    private static long nanosOf(Duration delay) {
        return delay.compareTo(Duration.ofDays(365)) > 0
                ? Duration.ofDays(365).toNanos()
                : Math.max(0, delay.toNanos());
    }

    private final class WallAlarm implements Alarm {

        private final Instant due;
        private final Runnable action;
        private final AtomicReference<Alarm> next = new AtomicReference<>(() -> {});
        private volatile boolean cancelled;

        WallAlarm(Instant due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        void nap() {
            if (cancelled) {
                return;
            }
            try {
                Duration left = Duration.between(now(), due);
                if (left.isNegative() || left.isZero()) {
                    next.set(after(Duration.ZERO, this::ring));
                } else {
                    next.set(after(left.compareTo(LONGEST_NAP) < 0 ? left : LONGEST_NAP, this::nap));
                }
            } catch (Throwable e) { // the executor keeps to itself what its tasks throw
                if (action instanceof HostLife.Vital vital) {
                    vital.lost(e);
                }
                throw e;
            }
        }

        private void ring() {
            if (!cancelled) {
                action.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            next.get().cancel();
        }
    }
}
