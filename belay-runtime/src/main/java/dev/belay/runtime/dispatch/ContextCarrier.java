package dev.belay.runtime.dispatch;

import dev.belay.runtime.dispatch.body.MdcCarrier;

/**
 * Carries what a thread knows without being told (logging context, trace, security) to the threads on which hooks and bodies
 * run. Thread-safe. A carrier that throws is logged and left out.
 */
@FunctionalInterface
public interface ContextCarrier {

    /** What one thread knew. */
    @FunctionalInterface
    interface Captured {

        /** Makes it known to this thread, until the answer is closed on the same thread. */
        Restored restore();
    }

    /** Undoes a restoration. */
    @FunctionalInterface
    interface Restored extends AutoCloseable {

        /** Gives the thread back what it knew before. */
        @Override
        void close();
    }

    /** Takes what this thread knows. */
    Captured capture();

    /** Carries the MDC of SLF4J; always on board. */
    static ContextCarrier mdc() {
        return MdcCarrier.INSTANCE;
    }
}
