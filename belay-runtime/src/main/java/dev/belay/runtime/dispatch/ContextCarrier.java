package dev.belay.runtime.dispatch;

import dev.belay.runtime.dispatch.body.MdcCarrier;
import java.util.Map;
import java.util.Set;

/**
 * Carries a part of the caller's context (logging, trace, security) to the bodies and hooks that work for the caller, in whatever
 * process they run. What it captures is data: it is kept with the input, outlives the process, and is no part of what the input says. So it
 * must be short, and it must hold no secret that may not be stored. Thread-safe. A carrier that throws is logged and left out.
 */
public interface ContextCarrier {

    /** Undoes a restoration. */
    @FunctionalInterface
    interface Restored extends AutoCloseable {

        /** Sets the context that the thread had before. */
        @Override
        void close();
    }

    /** Its name, 1 to 32 of a to z, 0 to 9, {@code _} and {@code -}. Recorded, so keep it; a carrier replaces another of its name. */
    String name();

    /** Takes the context of this thread, as texts by names of its own. */
    Map<String, String> capture();

    /** Sets a captured context on this thread, until the answer is closed on the same thread. Empty if there was none. */
    Restored restore(Map<String, String> captured);

    /** Carries the whole MDC of SLF4J; used unless another carrier has the name {@code mdc}. */
    static ContextCarrier mdc() {
        return new MdcCarrier(null);
    }

    /** Carries some keys of the MDC of SLF4J, in place of all of it. */
    static ContextCarrier mdc(String... keys) {
        return new MdcCarrier(Set.of(keys));
    }
}
