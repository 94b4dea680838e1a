package dev.belay.runtime.dispatch;

import java.util.HashMap;
import java.util.Map;

/**
 * How many bodies may run at once. Calls beyond a cap wait in the order in which they came; waiting can be cancelled and does
 * not count as time of the call. Immutable.
 *
 * <p>A body that waits for other calls of the same dispatcher holds its place meanwhile: with a small cap it may wait for ever.
 *
 * @param runtime in the whole dispatcher
 * @param batch within one scope
 * @param tools by the name of the tool; a tool that is not named has no cap
 */
public record CallCaps(int runtime, int batch, Map<String, Integer> tools) {

    /** As many as there are calls: bodies mostly wait, and a waiting virtual thread costs little. */
    public static final CallCaps NONE = new CallCaps(Integer.MAX_VALUE, Integer.MAX_VALUE, Map.of());

    /** Refuses caps below 1. */
    public CallCaps {
        tools = Map.copyOf(tools);
        check("the runtime", runtime);
        check("a batch", batch);
        tools.forEach((tool, cap) -> check("tool " + tool, cap));
    }

    /** The same with a cap for the whole dispatcher. */
    public CallCaps withRuntime(int cap) {
        return new CallCaps(cap, batch, tools);
    }

    /** The same with a cap for each batch. */
    public CallCaps withBatch(int cap) {
        return new CallCaps(runtime, cap, tools);
    }

    /** The same with a cap for one tool. */
    public CallCaps withTool(String name, int cap) {
        Map<String, Integer> all = new HashMap<>(tools);
        all.put(name, cap);
        return new CallCaps(runtime, batch, all);
    }

    private static void check(String whose, int cap) {
        if (cap < 1) {
            throw new IllegalArgumentException(
                    "the cap of " + whose + " must be at least 1, found " + cap + "; leave it out for none");
        }
    }
}
