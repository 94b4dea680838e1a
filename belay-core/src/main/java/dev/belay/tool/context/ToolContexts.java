package dev.belay.tool.context;

import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import java.util.function.Function;

/** Contexts of calls outside a runtime. */
public final class ToolContexts {

    private ToolContexts() {}

    /** A context as the type that a body asks for; {@code capability_unavailable} if the place of the call has no such context. */
    public static <C> C as(Class<C> type, ToolContext context) {
        if (!type.isInstance(context)) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                    "capability_unavailable", "this tool needs a " + type.getSimpleName()
                            + ", and this call has none: it runs outside the sessions of a runtime"));
        }
        return type.cast(context);
    }

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
