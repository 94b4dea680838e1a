package dev.belay.runtime.dispatch;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries the context of a thread (logging, trace, security) to the threads on which hooks and bodies run. Thread-safe. A
 * carrier that throws is logged and left out.
 */
@FunctionalInterface
public interface ContextCarrier {

    /** The context of one thread. */
    @FunctionalInterface
    interface Captured {

        /** Sets it on this thread, until the answer is closed on the same thread. */
        Restored restore();
    }

    /** Undoes a restoration. */
    @FunctionalInterface
    interface Restored extends AutoCloseable {

        /** Sets the context that the thread had before. */
        @Override
        void close();
    }

    /** Takes the context of this thread. */
    Captured capture();

    /** Carries the MDC of SLF4J; always used. */
    static ContextCarrier mdc() {
        return () -> {
            Map<String, String> captured = MDC.getCopyOfContextMap();
            return () -> {
                Map<String, String> before = MDC.getCopyOfContextMap();
                setMdc(captured);
                return () -> setMdc(before);
            };
        };
    }

    private static void setMdc(@Nullable Map<String, String> context) {
        if (context == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(context);
        }
    }
}
