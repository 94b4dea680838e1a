package dev.belay.runtime.session.turn;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.HostValues;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A turn as the bodies of its calls see it.
 *
 * @param session whose turn
 * @param config how models are asked in it
 * @param tools the session's tools
 * @param supplies what the body of a call is supplied with; null for what the runtime supplies
 */
public record TurnView(SessionId session, TurnConfig config, TurnTools tools,
        Function<CallReference, @Nullable HostValues> supplies) {}
