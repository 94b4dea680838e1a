package dev.belay.runtime.effect.scope;

import dev.belay.BelayException;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Suspended;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One entry into a scope, or into a child of it: its path, its place among siblings, and whether it can be used.
 *
 * <p>Concurrency: one thread at a time uses an entry: the thread that made it, or the thread it was handed to. It ends when it is
 * suspended or when a fault breaks it; then every thread is refused.
 */
public final class EntryState {

    /** Stands for no thread: it is never started. */
    private static final Thread NO_THREAD = Thread.ofVirtual().unstarted(() -> {});

    private final LiveScope live;
    private final String path;
    private final SiblingOrder.Place place;
    private final Thread home = Thread.currentThread();
    private final AtomicReference<Thread> owner = new AtomicReference<>(home);
    private volatile boolean suspended;
    private volatile List<Waiting> waiting = List.of();
    private volatile @Nullable BelayException broken;

    /**
     * Starts an entry on this thread.
     *
     * @param path in front of every key and wait name; empty for the scope itself
     * @param place among the siblings
     */
    EntryState(LiveScope live, String path, SiblingOrder.Place place) {
        this.live = live;
        this.path = path;
        this.place = place;
    }

    LiveScope live() {
        return live;
    }

    String path() {
        return path;
    }

    SiblingOrder.Place place() {
        return place;
    }

    WaitName fullName(WaitName name) {
        return new WaitName(path + name.value());
    }

    public boolean isSuspended() {
        return suspended;
    }

    /** The conditions it waits for, once it is suspended. */
    public List<Waiting> waiting() {
        return waiting;
    }

    /** Ends this entry; the scope is entered again when one of these conditions holds. */
    Suspended suspend(List<Waiting> on) {
        waiting = List.copyOf(on);
        suspended = true;
        return Suspended.INSTANCE;
    }

    /** Holds this thread for a while until a condition holds, then suspends this entry. */
    void holdOrSuspend(Waiting condition) {
        if (!live.memory().hold(condition)) {
            throw suspend(List.of(condition));
        }
    }

    /** Suspends this entry if a pause holds an effect that is to begin. */
    void requireUnpaused(Effect<?> effect) {
        if (!live.host().store().served().pauses().keys().isEmpty()) {
            requireUnpaused(effect.pausedBy());
        }
    }

    /** Suspends this entry if one of these pauses is in force; one that was cancelled goes on, to end. */
    void requireUnpaused(List<String> pausedBy) {
        if (live.memory().cancelReason() != null) {
            return;
        }
        List<String> held = live.host().store().served().pauses().holding(pausedBy);
        if (!held.isEmpty()) {
            throw suspend(held.stream().<Waiting>map(Waiting.ForPause::new).toList());
        }
    }

    /** Throws unless this thread can use it. */
    void begin() {
        check(live.id());
        usable();
    }

    /** Throws unless this thread can finish something with it, also while the host closes: what ends in time is recorded. */
    void finishing() {
        check(live.id());
        if (suspended) {
            throw Suspended.INSTANCE;
        }
        requireWhole();
    }

    /** Begins an operation that cannot be undone: waits until all records before it are durable. */
    void beginSettled() {
        begin();
        settle();
    }

    /** Throws unless it can be used, by any thread. */
    void usable() {
        if (suspended) {
            throw Suspended.INSTANCE;
        }
        requireWhole();
        if (live.stops()) {
            throw live.host().life().gone();
        }
    }

    /** Throws the fault that has broken this entry, even if a body has caught it. */
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

    /** Waits until all records before this moment are durable. */
    void settle() {
        settle(false);
    }

    /** Waits for them, unless the next effect runs ahead; then it only checks that none of them has failed so far. */
    void settle(boolean ahead) {
        guarded(ahead ? live.pending()::requireWhole : live.pending()::settle);
    }

    void handOver(Thread thread) {
        owner.set(thread);
    }

    void takeBack() {
        owner.set(home);
    }

    /** Runs an action during which no thread may use this entry: a child on the same thread has an entry of its own. */
    <T> T lend(Supplier<T> action) {
        Thread before = owner.getAndSet(NO_THREAD);
        try {
            return action.get();
        } finally {
            owner.compareAndSet(NO_THREAD, before); // unless it was taken back meanwhile
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
