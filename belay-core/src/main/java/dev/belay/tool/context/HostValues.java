package dev.belay.tool.context;

import dev.belay.tool.FromHost;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Values of the host for parameters marked {@link FromHost}, by type. Values are asked for at each call, so that a supplier can
 * be asked again after a restart. Immutable.
 */
public final class HostValues {

    /** Nothing. */
    public static final HostValues NONE = new HostValues(Map.of());

    private final Map<Class<?>, Supplier<?>> suppliers;

    private HostValues(Map<Class<?>, Supplier<?>> suppliers) {
        this.suppliers = suppliers;
    }

    /** The same with a supplier for one type; a second one for the same type replaces the first. */
    public <T> HostValues with(Class<T> type, Supplier<? extends T> supplier) {
        Map<Class<?>, Supplier<?>> all = new HashMap<>(suppliers);
        all.put(type, supplier);
        return new HostValues(Map.copyOf(all));
    }

    /** Types that have a supplier. */
    public Set<Class<?>> types() {
        return suppliers.keySet();
    }

    /** A value of a type; empty if it has no supplier. */
    public Optional<Object> get(Class<?> type) {
        return Optional.ofNullable(suppliers.get(type)).map(Supplier::get);
    }
}
