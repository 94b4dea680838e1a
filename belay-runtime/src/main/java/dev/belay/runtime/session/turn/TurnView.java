package dev.belay.runtime.session.turn;

import dev.belay.model.Message;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.state.TurnSearch;
import dev.belay.runtime.session.state.TurnTools;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.HostValues;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A turn as the bodies of its calls see it.
 *
 * @param session whose turn
 * @param config how models are asked in it
 * @param tools the session's tools
 * @param search finds tools that the model is not offered
 * @param added the messages of the turn so far
 * @param supplies what the body of a call is supplied with; null for what the runtime supplies
 * @param states of plugins, as a call sees them before its own changes
 * @param gating what a policy may know of it
 * @param lineage where its calls belong
 */
public record TurnView(SessionId session, TurnConfig config, TurnTools tools, TurnSearch search,
        Supplier<List<Message>> added,
        Function<CallReference, @Nullable HostValues> supplies,
        Function<CallReference, StateValues> states, TurnGating gating,
        Supplier<CallOwner.Lineage> lineage) {}
