package dev.belay.runtime.session.turn;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.search.ToolIndexes;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.engine.AgentPlugins;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.session.asking.SessionSettings;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.ToolContext;
import dev.belay.tool.context.Incarnation;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What every turn of one agent uses. Made once by the assembly; immutable, its parts are thread-safe.
 *
 * @param agent its name
 * @param store where sessions are kept
 * @param host over the store's journal
 * @param inbox accepts arrivals and commits turns
 * @param streams events of sessions
 * @param settings how turns are run
 * @param tools the live tools of each session
 * @param dispatchers run the calls of turns
 * @param plugins of the agent
 * @param bodies gives the bodies of a turn's calls their session
 * @param time the host's
 * @param random where chance comes from; thread-safe
 * @param indexes of tools that can be searched
 */
public record TurnServices(String agent, Store store, JournalHost host, Inbox inbox,
        SessionStreams streams,
        SessionSettings settings, SessionRegistries tools, TurnDispatchers dispatchers,
        AgentPlugins plugins, Bodies bodies, TimeSource time, RandomGenerator random,
        ToolIndexes indexes) {

    /** The plugins of a session. */
    public SessionPlugins pluginsOf(SessionId session, @Nullable Incarnation incarnation) {
        return plugins.of(session, incarnation, () -> store.read(SessionReads.head(session)));
    }

    /** The states of plugins that a session keeps; null for one that was not made. */
    public StateValues restored(SessionPlugins built, @Nullable SessionHead head) {
        return head == null
                ? StateValues.of(built, null, none -> Optional.empty())
                : StateValues.of(built, SavedState.of(head.state()).plugins(),
                        SavedState.contents(store, head.incarnation()));
    }

    /** The tools of a session, those of its plugins included. */
    public ToolRegistry toolsOf(SessionId session, @Nullable Incarnation incarnation) {
        return pluginsOf(session, incarnation).tools(tools.of(session));
    }

    /** Gives bodies the session around their call. Thread-safe. */
    public interface Bodies {

        /** A turn is entered: starts the monitors of its session's plugins that were not started before. */
        void watch(TurnStart turn, SessionPlugins plugins);

        /** The context of a body; see {@link CallOwner#around}. */
        ToolContext around(TurnView turn, ToolContext context, CallReference call, CallOwner.Left left);
    }
}
