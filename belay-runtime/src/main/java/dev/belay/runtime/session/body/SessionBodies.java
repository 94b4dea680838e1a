package dev.belay.runtime.session.body;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.session.turn.TurnView;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.tool.ToolContext;
import java.util.function.BiPredicate;

/**
 * Gives the bodies of one agent's calls the session around them. Thread-safe.
 *
 * @param agent its name
 * @param agents all of the runtime
 * @param store where sessions are kept
 * @param inbox of all sessions
 * @param streams events of sessions
 * @param processes that bodies may start
 * @param snapshots whether a body of the first session may read the second one
 */
public record SessionBodies(String agent, Agents agents, Store store, Inbox inbox,
        SessionStreams streams, ProcessEngine processes,
        BiPredicate<SessionId, SessionId> snapshots) implements TurnServices.Bodies {

    /** The models that bodies may ask. */
    Models models() {
        return agents.of(agent).settings().models();
    }

    /** Decides about the calls of the agent. */
    Gate gate() {
        return agents.of(agent).dispatchers().gate();
    }

    @Override
    public void watch(TurnStart turn, SessionPlugins plugins) {
        SessionMonitors.start(turn, plugins, agent, processes, store);
    }

    @Override
    public ToolContext around(TurnView turn, ToolContext context, CallReference call, CallOwner.Left left) {
        return new CallCapabilities(this, turn, call, context, left);
    }
}
