package dev.belay.tool.context;

import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolId;
import java.util.function.Function;

/** Contexts of calls outside a runtime. */
public final class ToolContexts {

    private ToolContexts() {}

    /**
     * Uses a plain context for the time of one call; afterwards every capability throws {@code call_ended}.
     *
     * @param callId the call
     * @param place where it stands
     * @param tool the tool
     * @param host what the host supplies
     * @param use runs the call
     */
    public static <R> R plain(CallId callId, IdempotencyKey.Place place, ToolId tool, HostValues host,
            Function<ToolContext, R> use) {
        var context = new PlainToolContext(callId, place, tool, host);
        try {
            return use.apply(context);
        } finally {
            context.end();
        }
    }
}
