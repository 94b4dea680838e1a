package dev.belay.runtime.plugin.engine;

import dev.belay.runtime.effect.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the hooks of plugins on a thread of their own, so that one that hangs can be given up.
 *
 * <p><b>Concurrency.</b> One run at a time. The hooks' thread says whose hook it enters; an alarm looks how long that takes.
 */
final class HookThread {

    /** How long one hook may take. */
    static final Duration MOST = Duration.ofSeconds(5);

    private static final ThreadFactory THREADS = Thread.ofVirtual().name("belay-hook").factory();

    private final TimeSource time;
    private final Duration most;
    /** Whether an interrupt of the thread that waits is handed on. */
    private final boolean handsOn;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile String plugin = "";
    private volatile long since;
    private volatile boolean expired;

    private HookThread(TimeSource time, Duration most, boolean handsOn) {
        this.time = time;
        this.most = most;
        this.handsOn = handsOn;
    }

    /** A hook threw, or took too long. */
    static final class HookFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String plugin;

        HookFailure(String plugin, String message, @Nullable Throwable cause) {
            super(plugin.isEmpty() ? message : "plugin " + plugin + ": " + message, cause);
            this.plugin = plugin;
        }

        String plugin() {
            return plugin;
        }
    }

    /** The next hook is of this plugin. Said by the hooks' thread. */
    void enters(String next) {
        plugin = next;
        since = time.nanos();
    }

    /** Whether what it says still counts. */
    boolean isOpen() {
        return !expired;
    }

    /** Runs hooks; {@link HookFailure} if one of them throws or hangs. */
    static <T> T run(TimeSource time, java.util.function.Function<HookThread, T> hooks) {
        var thread = new HookThread(time, MOST, false);
        return thread.run(() -> hooks.apply(thread));
    }

    /** The same for a hook that may take longer, and that an interrupt of the calling thread reaches. */
    static <T> T run(TimeSource time, Duration most, java.util.function.Function<HookThread, T> hooks) {
        var thread = new HookThread(time, most, true);
        return thread.run(() -> hooks.apply(thread));
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields to a thread that it has started itself, and waits if that is not enough
    private <T> T run(Supplier<T> hooks) {
        var answer = new Answer<T>();
        enters("");
        Thread running = THREADS.newThread(() -> {
            try {
                answer.value = hooks.get();
            } catch (Throwable e) {
                answer.thrown = e;
            } finally {
                done.countDown();
            }
        });
        running.start();
        if (Thread.currentThread().isVirtual()) {
            Thread.yield(); // to the hooks: most of them are done then, and cost no alarm
        }
        if (done.getCount() != 0) {
            TimeSource.Alarm alarm = time.after(most, this::look);
            awaitDone(running);
            alarm.cancel();
        }
        if (expired) {
            running.interrupt();
            throw new HookFailure(plugin, "it took more than " + most.toSeconds() + " seconds", null);
        }
        Throwable thrown = answer.thrown;
        if (thrown instanceof VirtualMachineError broken && !(thrown instanceof StackOverflowError)) {
            throw broken;
        }
        if (thrown != null) {
            throw new HookFailure(plugin, worded(thrown), thrown);
        }
        return answer.get();
    }

    /** What an exception says; errors such as a stack overflow often say nothing. */
    static String worded(Throwable thrown) {
        return thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
    }

    private static final class Answer<T> {

        private volatile @Nullable T value;
        private volatile @Nullable Throwable thrown;

        @SuppressWarnings("NullAway") // null if the hooks say so
        T get() {
            return value;
        }
    }

    private void look() {
        if (done.getCount() == 0) {
            return;
        }
        Duration left = most.minusNanos(time.nanos() - since);
        if (left.isPositive()) {
            time.after(left, this::look);
        } else {
            expired = true;
            done.countDown();
        }
    }

    /** An interrupt of the call must not become a verdict of a plugin: it is kept for later. */
    private void awaitDone(Thread running) {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                if (handsOn) {
                    running.interrupt();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
