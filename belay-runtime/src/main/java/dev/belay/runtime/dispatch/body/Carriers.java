package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.dispatch.ContextCarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All carriers as one. What a carrier throws is logged; the others go on. Thread-safe. */
public record Carriers(List<ContextCarrier> carriers) implements ContextCarrier {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    @Override
    public Captured capture() {
        var captured = new ArrayList<Captured>(carriers.size());
        for (ContextCarrier carrier : carriers) {
            contained(() -> captured.add(carrier.capture()));
        }
        return () -> {
            var restored = new ArrayList<Restored>(captured.size());
            captured.forEach(one -> contained(() -> restored.add(one.restore())));
            return () -> restored.reversed().forEach(one -> contained(one::close));
        };
    }

    /** Does something in the context of another thread. */
    public static <T> T within(Captured context, Supplier<T> action) {
        Restored restored = context.restore();
        try {
            return action.get();
        } finally {
            restored.close();
        }
    }

    private static void contained(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("A context carrier threw; what it carries is missing in a body", e);
        }
    }
}
