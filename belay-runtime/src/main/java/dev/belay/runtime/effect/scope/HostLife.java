package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.store.journal.JournalHost;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How far a host is: which runner it serves, whether it is closing, whether it is closed, whether it has failed. Each of the steps
 * happens once and is never taken back. Thread-safe.
 *
 * <p>A host that is closing and not closed drains: nothing more begins, except in scopes that a body running here waits for.
 *
 * <p>A host fails if one of its own threads does: the store's writer, an alarm, or a thread that takes work. A failed host counts as
 * closing and closed; {@code close} still works. Threads of bodies and models are none of these.
 */
public final class HostLife {

    private final AtomicReference<@Nullable ScopeRunner> runner = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicReference<@Nullable JournalException> failure = new AtomicReference<>();
    /** Scopes that bodies wait for, each with the number of bodies. */
    private final Map<ScopeId, Integer> needed = new ConcurrentHashMap<>();
    private volatile Consumer<JournalException> whenFailed = failed -> {};
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

    /** Tells the served runner that the host closes. */
    public void tellClosing() {
        ScopeRunner served = runner.get();
        if (served != null) {
            served.closing();
        }
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
        return closing.get() || failure.get() != null;
    }

    /** Takes note that a body running here waits for a scope; the answer takes the note back. */
    public Runnable need(ScopeId scope) {
        needed.merge(scope, 1, Integer::sum);
        return () -> needed.computeIfPresent(scope, (same, count) -> count == 1 ? null : count - 1);
    }

    /** The scopes that bodies wait for. */
    public Set<ScopeId> needed() {
        return Set.copyOf(needed.keySet());
    }

    /** Whether nothing more begins in a scope. */
    public boolean stops(ScopeId scope) {
        return isClosed() || (closing.get() && !needed.containsKey(scope));
    }

    /** Whether a scope that wakes is run here. */
    public boolean takes(ScopeId scope) {
        return hasRunner() && !stops(scope);
    }

    /** Closes: from now on writes are not tried again. */
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed || failure.get() != null;
    }

    /** How far the host is. */
    public JournalHost.Stage stage() {
        if (failure.get() != null) {
            return JournalHost.Stage.FAILED;
        }
        if (closing.get()) {
            return closed ? JournalHost.Stage.CLOSED : JournalHost.Stage.DRAINING;
        }
        return hasRunner() ? JournalHost.Stage.SERVING : JournalHost.Stage.NOT_SERVING;
    }

    /** What callers of a host are told that is closing: {@code runtime_failed} or {@code journal_closed}. */
    public JournalException gone() {
        JournalException failed = failure.get();
        return failed == null ? JournalException.closed() : failed;
    }

    /** Says what ends the host when it fails. */
    public void whenFailed(Consumer<JournalException> end) {
        whenFailed = end;
    }

    /** Fails, unless the host has failed before. */
    public void fail(Throwable cause) {
        JournalException failed = cause instanceof JournalException told && told.isRuntimeFailure()
                ? told
                : JournalException.failed(cause);
        if (failure.compareAndSet(null, failed)) {
            whenFailed.accept(failed);
        }
    }

    /** Fails if the store says that it has; whether it does. */
    public boolean failsWith(Throwable fault) {
        boolean fails = fault instanceof JournalException told && told.isRuntimeFailure();
        if (fails) {
            fail(fault);
        }
        return fails;
    }

    /** A task whose end by anything thrown is the failure of the host. */
    public Runnable vital(Runnable task) {
        return new Vital(task);
    }

    /** A task that the host cannot do without. */
    public final class Vital implements Runnable {

        private final Runnable task;

        private Vital(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                task.run();
            } catch (Throwable e) {
                fail(e);
            }
        }

        /** It cannot be run. */
        public void lost(Throwable why) {
            fail(why);
        }
    }
}
