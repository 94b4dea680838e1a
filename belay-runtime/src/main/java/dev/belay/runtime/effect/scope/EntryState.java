package dev.belay.runtime.effect.scope;

import dev.belay.BelayException;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Suspended;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether an entry into a scope can be used: by one thread at a time, the one that made this or the one it was handed to, until
 * it is suspended or a fault has broken it.
 */
final class EntryState {

    private static final Thread NOBODY = Thread.ofVirtual().unstarted(() -> {});

    private final LiveScope live;
    private final Thread home = Thread.currentThread();
    private final AtomicReference<Thread> owner = new AtomicReference<>(home);
    private volatile boolean suspended;
    private volatile List<Waiting> waiting = List.of();
    private volatile @Nullable BelayException broken;

    EntryState(LiveScope live) {
        this.live = live;
    }

    boolean isSuspended() {
        return suspended;
    }

    /** What it waits for, once it is suspended. */
    List<Waiting> waiting() {
        return waiting;
    }

    /** Ends this entry; the scope is entered again when one of these has happened. */
    Suspended suspend(List<Waiting> on) {
        waiting = List.copyOf(on);
        suspended = true;
        return Suspended.INSTANCE;
    }

    /** Throws unless this thread can use it. */
    void begin() {
        check(live.claim().scope());
        usable();
    }

    /** The same for what cannot be undone. */
    void beginSettled() {
        begin();
        settle();
    }

    /** Throws unless it can be used, by whatever thread. */
    void usable() {
        if (suspended) {
            throw Suspended.INSTANCE;
        }
        requireWhole();
        if (live.host().isClosing()) {
            throw JournalException.closed();
        }
    }

    /** Throws what has broken this entry, whatever a body made of it. */
    void requireWhole() {
        BelayException earlier = broken;
        if (earlier != null) {
            throw earlier;
        }
    }

    /** A fault of the store or of the record ends this entry, even if a body catches it. */
    <T> T guarded(Supplier<T> action) {
        try {
            return action.get();
        } catch (FencedException | JournalException | ReplayMismatchException e) {
            broken = e;
            throw e;
        }
    }

    /** What others learn of, or what cannot be undone, waits until all before it is durable. */
    void settle() {
        guarded(() -> {
            live.underWay().settle();
            return true;
        });
    }

    /** The same unless something runs ahead; that only needs all before it to be well so far. */
    void settle(boolean ahead) {
        if (ahead) {
            guarded(live.underWay()::requireWhole);
        } else {
            settle();
        }
    }

    void handOver(Thread thread) {
        owner.set(thread);
    }

    void takeBack() {
        owner.set(home);
    }

    /** Does something during which nobody uses the scope: a child may run on its parent's thread, and has its own. */
    <T> T lend(Supplier<T> action) {
        Thread before = owner.getAndSet(NOBODY);
        try {
            return action.get();
        } finally {
            owner.compareAndSet(NOBODY, before); // unless it was taken back meanwhile
        }
    }

    private void check(ScopeId scope) {
        Thread current = Thread.currentThread();
        if (current.equals(owner.get())) {
            return;
        }
        if (current.equals(home)) {
            throw new IllegalStateException("scope " + scope + " was handed to another thread or to a child");
        }
        throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "call_ended",
                "the call has ended, or this thread is not the one it runs on; its scope cannot be used here"));
    }
}
