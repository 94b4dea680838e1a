package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.dispatch.ContextCarrier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * Carries the MDC of SLF4J, and marks the lines that a body logs. Thread-safe.
 *
 * @param keys which are carried; null for all
 */
public record MdcCarrier(@Nullable Set<String> keys) implements ContextCarrier {

    /** The name under which the MDC is kept with inputs. */
    static final String NAME = "mdc";
    /** What the marks begin with; they are set anew for each call and never kept. */
    private static final String MARK = "belay.";
    /** The session whose turn runs. */
    public static final String SESSION = MARK + "session";
    /** The number of the turn. */
    public static final String TURN = MARK + "turn";
    /** The process that runs. */
    public static final String PROCESS = MARK + "process";
    /** What the model calls the call. */
    public static final String CALL = MARK + "call";
    /** The tool, by the name that the model said. */
    public static final String TOOL = MARK + "tool";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, String> capture() {
        Map<String, String> now = now();
        if (now.isEmpty()) {
            return now;
        }
        Map<String, String> all = new TreeMap<>(now);
        all.keySet().removeIf(key -> key.startsWith(MARK) || (keys != null && !keys.contains(key)));
        return all;
    }

    @Override
    public Restored restore(Map<String, String> captured) {
        Map<String, String> before = now();
        set(captured);
        return () -> set(before);
    }

    /** Whether the logger has an MDC. */
    static boolean isKept() {
        return !(MDC.getMDCAdapter() instanceof NOPMDCAdapter);
    }

    /** All of it, marks included. */
    static Map<String, String> now() {
        Map<String, String> all = MDC.getCopyOfContextMap();
        return all == null ? Map.of() : all;
    }

    static void set(Map<String, String> context) {
        if (context.isEmpty()) {
            MDC.clear();
        } else {
            MDC.setContextMap(context);
        }
    }
}
