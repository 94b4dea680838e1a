package dev.belay.runtime.effect;

import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Keeps an entry into a scope to one thread at a time: the one that made this, or the one it was handed to. */
final class Confinement {

    private static final Thread NOBODY = Thread.ofVirtual().unstarted(() -> {});

    private final Thread home = Thread.currentThread();
    private final AtomicReference<Thread> owner = new AtomicReference<>(home);

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

    void check(ScopeId scope) {
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
