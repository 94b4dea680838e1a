package dev.belay.runtime.effect;

import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;

/** Keeps an entry into a scope to one thread at a time: the one that made this, or the one it was handed to. */
final class Confinement {

    private final Thread home = Thread.currentThread();
    private volatile Thread owner = home;

    void handOver(Thread thread) {
        owner = thread;
    }

    void takeBack() {
        owner = home;
    }

    void check(ScopeId scope) {
        Thread current = Thread.currentThread();
        if (current.equals(owner)) {
            return;
        }
        if (current.equals(home)) {
            throw new IllegalStateException("scope " + scope + " was handed to another thread");
        }
        throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "call_ended",
                "the call has ended, or this thread is not the one it runs on; its scope cannot be used here"));
    }
}
