package dev.belay.tests.session;

import dev.belay.runtime.dispatch.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries a name that a program keeps with its threads.
 *
 * @param current of each thread
 */
public record Tenants(ThreadLocal<String> current) implements ContextCarrier {

    @Override
    public String name() {
        return "tenant";
    }

    @Override
    public Map<String, String> capture() {
        String tenant = current.get();
        return tenant == null ? Map.of() : Map.of("name", tenant);
    }

    @Override
    public Restored restore(Map<String, String> captured) {
        String before = current.get();
        set(captured.get("name"));
        return () -> set(before);
    }

    private void set(@Nullable String tenant) {
        if (tenant == null) {
            current.remove();
        } else {
            current.set(tenant);
        }
    }
}
