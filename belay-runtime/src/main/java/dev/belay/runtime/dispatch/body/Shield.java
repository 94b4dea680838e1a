package dev.belay.runtime.dispatch.body;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts a body only while it runs code of its own. Inside the journal an interrupt would look like a failure of the store;
 * there it is kept until the body is back.
 *
 * <p><b>Concurrency.</b> One monitor orders the interrupt against the ways in and out; other threads of the body pass unshielded,
 * because they are never interrupted.
 */
final class Shield {

    private @Nullable Thread body;
    private boolean inside;
    private boolean kept;

    synchronized void guard(Thread thread) {
        body = thread;
    }

    /** Interrupts the body, now or when it is back in its own code. */
    synchronized void interrupt() {
        Thread thread = body;
        if (inside) {
            kept = true;
        } else if (thread != null) {
            thread.interrupt();
        }
    }

    /** Runs code of the runtime, which is not interrupted. */
    <T> T inside(Supplier<T> action) {
        if (!isBody()) {
            return action.get();
        }
        boolean before = move(true);
        try {
            return action.get();
        } finally {
            move(before);
        }
    }

    /** What a body does within the runtime's code, such as a step. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run() throws Exception;
    }

    /** Runs code of the body within code of the runtime. */
    <T extends @Nullable Object> T outside(Work<T> work) throws Exception {
        boolean before = move(false);
        try {
            return work.run();
        } finally {
            move(before);
        }
    }

    private synchronized boolean isBody() {
        return Thread.currentThread().equals(body);
    }

    private synchronized boolean move(boolean into) {
        boolean before = inside;
        inside = into;
        if (into) {
            kept |= Thread.interrupted();
        } else if (kept) {
            kept = false;
            Thread.currentThread().interrupt();
        }
        return before;
    }
}
