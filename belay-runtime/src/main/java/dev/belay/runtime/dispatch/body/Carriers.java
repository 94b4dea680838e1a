package dev.belay.runtime.dispatch.body;

import dev.belay.BelayException;
import dev.belay.runtime.dispatch.ContextCarrier;
import dev.belay.runtime.dispatch.ContextCarrier.Restored;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All carriers of a runtime as one. What a carrier throws is logged; the others go on. Thread-safe. */
public record Carriers(List<ContextCarrier> carriers) {

    /** More than a request is known by; each input keeps them for ever. */
    static final int MOST_ENTRIES = 32;
    /** The same for their bytes, names included. */
    static final int MOST_BYTES = 8 << 10;

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    /** A context that can be set on a thread. */
    @FunctionalInterface
    public interface Captured {

        /** Sets it on this thread, until the answer is closed on the same thread. */
        Restored restore();

        /** The same with marks in the MDC, which are made if the logger has one. */
        default Captured marked(Supplier<Map<String, String>> marks) {
            return !MdcCarrier.isKept() ? this : () -> {
                Restored restored = restore();
                Map<String, String> before = MdcCarrier.now();
                Map<String, String> more = new HashMap<>(before);
                more.putAll(marks.get());
                MdcCarrier.set(more);
                return () -> {
                    MdcCarrier.set(before);
                    restored.close();
                };
            };
        }
    }

    /** A later carrier replaces an earlier one of its name. */
    public Carriers {
        Map<String, ContextCarrier> byName = new TreeMap<>();
        carriers.forEach(carrier -> byName.put(name(carrier), carrier));
        carriers = List.copyOf(byName.values());
    }

    private static String name(ContextCarrier carrier) {
        String name = carrier.name();
        if (!name.matches("[a-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException(
                    "a carrier is named by 1 to 32 of a to z, 0 to 9, _ and -, found \"" + name + "\"");
        }
        return name;
    }

    /**
     * The context of this thread as it is kept with an input: the name of the carrier, a dot, and the carrier's own name.
     *
     * @throws BelayException {@code context_too_large} if there is more of it than an input may keep
     */
    public Map<String, String> accepted() {
        Map<String, String> all = Map.of();
        for (ContextCarrier carrier : carriers) {
            Map<String, String> captured = captured(carrier);
            if (!captured.isEmpty()) {
                all = all.isEmpty() ? new TreeMap<>() : all;
                add(carrier.name() + ".", captured, all);
            }
        }
        if (all.isEmpty()) {
            return all;
        }
        long bytes = 0;
        for (Map.Entry<String, String> entry : all.entrySet()) {
            bytes += bytes(entry.getKey()) + bytes(entry.getValue());
        }
        if (all.size() > MOST_ENTRIES || bytes > MOST_BYTES) {
            throw new BelayException("context_too_large", "an input keeps up to " + MOST_ENTRIES
                    + " texts of its caller's context with " + MOST_BYTES + " bytes, found " + all.size()
                    + " with " + bytes + ": " + all.keySet()
                    + "; name the keys of the MDC to carry with carrier(ContextCarrier.mdc(…)), or carry less");
        }
        return all;
    }

    /** What a carrier carries; nothing if it throws. */
    private static Map<String, String> captured(ContextCarrier carrier) {
        try {
            return carrier.capture();
        } catch (Throwable e) {
            warn(e);
            return Map.of();
        }
    }

    private static void add(String prefix, Map<String, String> captured, Map<String, String> all) {
        captured.forEach((key, text) -> {
            if (text != null) {
                all.put(prefix + key, text);
            }
        });
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The context that was kept with an input. */
    public Captured of(Map<String, String> kept) {
        return () -> restore(kept);
    }

    /** The context of this thread, for another thread of this process; the whole MDC with its marks. */
    public Captured here() {
        Map<String, String> mdc = MdcCarrier.now();
        List<Captured> others = carriers.size() == 1 ? List.of() : new ArrayList<>(carriers.size());
        for (int i = 0; i < carriers.size(); i++) {
            ContextCarrier carrier = carriers.get(i);
            if (!carrier.name().equals(MdcCarrier.NAME)) {
                contained(() -> {
                    Map<String, String> captured = carrier.capture();
                    others.add(() -> carrier.restore(captured));
                });
            }
        }
        return () -> {
            Map<String, String> before = MdcCarrier.now();
            Restored restored = restore(others);
            MdcCarrier.set(mdc);
            return () -> {
                MdcCarrier.set(before);
                restored.close();
            };
        };
    }

    private static Restored restore(List<Captured> all) {
        if (all.isEmpty()) {
            return () -> {};
        }
        var restored = new ArrayList<Restored>(all.size());
        all.forEach(one -> contained(() -> restored.add(one.restore())));
        return () -> restored.reversed().forEach(one -> contained(one::close));
    }

    private Restored restore(Map<String, String> kept) {
        List<Captured> all = new ArrayList<>(carriers.size());
        for (ContextCarrier carrier : carriers) {
            Map<String, String> own = kept.isEmpty() ? Map.of() : new HashMap<>();
            String prefix = carrier.name() + ".";
            kept.forEach((key, text) -> {
                if (key.startsWith(prefix)) {
                    own.put(key.substring(prefix.length()), text);
                }
            });
            all.add(() -> carrier.restore(own));
        }
        return restore(all);
    }

    /** Does something in a context. */
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
            warn(e);
        }
    }

    private static void warn(Throwable e) {
        Fatal.rethrow(e);
        LOG.warn("A context carrier threw; what it carries is missing in a body", e);
    }
}
