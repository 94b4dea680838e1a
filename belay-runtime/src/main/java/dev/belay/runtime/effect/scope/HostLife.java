package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.ScopeRunner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How far a host is: which runner it serves, whether it is closing, whether it is closed. Each of the three steps happens once and
 * is never taken back. Thread-safe.
 */
public final class HostLife {

    private final AtomicReference<@Nullable ScopeRunner> runner = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /** Serves a runner from now on. */
    public void serve(ScopeRunner served) {
        if (!runner.compareAndSet(null, served)) {
            throw new IllegalStateException("this host serves a runner already");
        }
    }

    public boolean hasRunner() {
        return runner.get() != null;
    }

    /** The served runner. */
    public ScopeRunner runner() {
        ScopeRunner served = runner.get();
        if (served == null) {
            throw new IllegalStateException("this host serves no runner");
        }
        return served;
    }

    /** Whether scopes are entered. */
    public boolean isServing() {
        return hasRunner() && !isClosing();
    }

    /** Starts to close: from now on scopes issue nothing new. False if another thread has done so before. */
    public boolean beginClosing() {
        return closing.compareAndSet(false, true);
    }

    public boolean isClosing() {
        return closing.get();
    }

    /** Closes: from now on writes are not tried again. */
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }
}
