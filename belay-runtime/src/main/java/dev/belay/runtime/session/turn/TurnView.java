package dev.belay.runtime.session.turn;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.HostValues;
import org.jspecify.annotations.Nullable;

/**
 * A turn as the bodies of its calls see it.
 *
 * @param session whose turn
 * @param config how models are asked in it
 * @param tools the session's tools
 * @param supplies what bodies are supplied with, if that is not what the runtime supplies
 */
public record TurnView(SessionId session, TurnConfig config, TurnTools tools, Supplies supplies) {

    /** Finds what the body of a call is supplied with. Thread-safe. */
    @FunctionalInterface
    public interface Supplies {

        /** Null for what the runtime supplies. */
        @Nullable
        HostValues to(CallReference call);
    }
}
