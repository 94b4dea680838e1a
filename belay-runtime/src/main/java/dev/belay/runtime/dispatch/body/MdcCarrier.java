package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.dispatch.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Carries the logging context. */
public final class MdcCarrier implements ContextCarrier {

    public static final MdcCarrier INSTANCE = new MdcCarrier();

    private MdcCarrier() {}

    @Override
    public Captured capture() {
        Map<String, String> captured = MDC.getCopyOfContextMap();
        return () -> {
            Map<String, String> before = MDC.getCopyOfContextMap();
            set(captured);
            return () -> set(before);
        };
    }

    private static void set(@Nullable Map<String, String> context) {
        if (context == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(context);
        }
    }
}
