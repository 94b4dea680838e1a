package dev.belay.runtime.dispatch.body;

import dev.belay.tool.context.Suspended;

/** Throwables that must never be contained: errors of the virtual machine, and the unwinding of a scope that waits. */
public final class Fatal {

    private Fatal() {}

    /** Throws what must not be contained; returns for all else. */
    public static void rethrow(Throwable thrown) {
        if (thrown instanceof Suspended waiting) {
            throw waiting;
        }
        if (thrown instanceof VirtualMachineError broken && !(thrown instanceof StackOverflowError)) {
            throw broken;
        }
    }
}
