package dev.belay.runtime;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.search.ToolIndexes;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.output.OutputProjector.CallerView;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.engine.AgentPlugins;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.engine.AgentTools;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.process.engine.ProcessSettings;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.archive.StuckTurns;
import dev.belay.runtime.session.archive.WholeSessions;
import dev.belay.runtime.session.asking.SessionSettings;
import dev.belay.runtime.session.body.ProcessSessions;
import dev.belay.runtime.session.body.SessionBodies;
import dev.belay.runtime.session.body.SessionMonitors;
import dev.belay.runtime.session.hosted.HostedLoops;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.stream.Listeners;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.RestNotices;
import dev.belay.runtime.session.turn.SessionRegistries;
import dev.belay.runtime.session.turn.TurnDispatchers;
import dev.belay.runtime.session.turn.TurnRunner;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a runtime, wired together.
 *
 * @param agents what turns of each agent use
 * @param loops turns whose loops programs own
 * @param archive copies and deletes sessions
 * @param stuck turns that cannot go on by themselves
 * @param processes durable work outside any turn
 * @param batches calls outside any session, by the agents whose tools they use
 * @param sessions whose turns are run here; empty for all
 * @param start begins to serve: scopes that were left behind go on from here
 * @param closing ends it
 */
record Assembly(Agents agents, HostedLoops loops, WholeSessions archive, StuckTurns stuck,
        ProcessEngine processes, Map<String, DurableCalls> batches, Set<String> sessions, Runnable start,
        Closing closing) {

    /**
     * What an agent is made of.
     *
     * @param name which
     * @param settings how its turns are run
     * @param registry all its tools
     * @param dispatcher runs their calls
     * @param direct runs calls that the program asks for itself
     * @param plugins extend its sessions
     * @param callerView what programs are shown of outputs outside sessions
     */
    record AgentParts(String name, SessionSettings settings, ToolRegistry registry,
            ToolDispatcher dispatcher, ToolDispatcher direct, PluginStack plugins,
            CallerView callerView) {}

    /**
     * What a runtime is made of.
     *
     * @param store where sessions are kept; closed with the runtime
     * @param host over the store's journal; served by the runtime and closed with it
     * @param agents the default one first, which may have no model
     * @param snapshots whether a body of the first session may read the second one
     * @param remembered about how many bytes of sessions and their events may be remembered
     * @param processes what processes run beside tools and turns
     * @param time the host's
     * @param random for ids and incarnations; thread-safe
     * @param elsewhere whether other programs run what is accepted here
     * @param listeners told what happens in all sessions
     * @param drain how long {@link Belay#close()} waits for what runs
     * @param sessions whose turns are run here; empty for all
     */
    record Given(Store store, JournalHost host, List<AgentParts> agents,
            BiPredicate<SessionId, SessionId> snapshots, long remembered, ProcessSettings processes,
            TimeSource time,
            RandomGenerator random, boolean elsewhere, List<SessionEvents.Listener> listeners,
            Duration drain, Set<String> sessions) {}

    /** The live tools of the default agent. */
    ToolRegistry registry() {
        return agents.shared().tools().shared();
    }

    /** Batches of calls of an agent; {@code unknown_agent} if it is not defined here. A runtime without agents has those of the default one. */
    DurableCalls calls(String agent) {
        return Optional.ofNullable(batches.get(agent)).orElseThrow(() -> agents.unknown(agent));
    }

    /** A session that must have an agent, or may have any for null. */
    Session session(SessionId id, @Nullable String agent, Actor actor) {
        return new Session(agents, loops, archive, id, agent, actor);
    }

    /** Makes the parts. They serve nothing before {@link #start}. */
    static Assembly of(Given given) {
        JournalHost host = given.host();
        given.store()
                .served()
                .limit(given.sessions()
                        .stream()
                        .collect(Collectors.toMap(Function.identity(), name -> Long.MAX_VALUE)));
        var agents = new Agents(given.elsewhere());
        ToolDispatcher direct = given.agents().getFirst().direct();
        var inbox = new Inbox(given.store(), host, given.time(), given.random(),
                given.remembered() / 2,
                given.elsewhere() ? () -> Set.of(SessionProfile.DEFAULT_AGENT) : agents::names,
                direct.carriers());
        var streams = new SessionStreams(Long.toHexString(given.random().nextLong()),
                given.remembered() / 2, new Listeners(given.listeners()));
        Map<String, AgentTools> tools = new HashMap<>();
        given.agents()
                .forEach(agent -> tools.put(agent.name(),
                        new AgentTools(agent.registry(),
                                agent.dispatcher().showing(agent.callerView()))));
        Map<String, ProcessBody> processBodies = new HashMap<>(given.processes().bodies());
        given.agents()
                .stream()
                .filter(agent -> !agent.plugins().factories().isEmpty())
                .forEach(agent -> processBodies.put(SessionMonitors.body(agent.name()),
                        new SessionMonitors(agents, agent.name())));
        var processes = new ProcessEngine(new ProcessEngine.Parts(given.store(), host, tools,
                new ProcessSettings(processBodies, given.processes().dispatcher()),
                new ProcessSessions(inbox, agents), given.time(), given.random(),
                (process, sessions) -> WaitsFor.of(process, agents.names(), sessions), inbox.rests()));
        var indexes = new ToolIndexes();
        for (AgentParts agent : given.agents()) {
            var bodies = new SessionBodies(agent.name(), agents, given.store(), inbox, streams, processes,
                    given.snapshots());
            agents.add(new TurnServices(agent.name(), given.store(), host, inbox, streams, agent.settings(),
                    new SessionRegistries(agent.registry()), new TurnDispatchers(agent.dispatcher()),
                    new AgentPlugins(agent.name(), agent.plugins(), given.time()::nanos), bodies,
                    given.time(), given.random(), indexes));
        }
        direct.stopWaiting(host::stops);
        var rests = new RestNotices(inbox, host, given.time(), streams);
        var kinds = new ScopeKinds(host, rests::entered, rests::parked,
                () -> direct.stopWaiting(host::stops));
        var loops = new HostedLoops(agents, kinds::serve);
        kinds.add(TurnScope.KIND, new TurnRunner(agents));
        kinds.add(TurnScope.OPEN_KIND, loops);
        kinds.add(ProcessScope.KIND, processes);
        Set<String> served = new HashSet<>(Set.of(ProcessScope.KIND));
        Map<String, DurableCalls> batches = new HashMap<>();
        for (AgentParts agent : given.agents()) {
            if (agents.names().isEmpty() || agents.names().contains(agent.name())) {
                var calls = new DurableCalls(host, agent.direct(), agent.name(), note -> host
                        .by(given.store().noting(note, given.time().now())),
                        inbox.rests());
                batches.put(agent.name(), calls);
                kinds.add(calls.kind(), calls.runner());
                served.add(calls.kind());
                served.add(ProcessScope.agentKind(agent.name()));
            }
        }
        agents.names().forEach(agent -> served.add(TurnScope.kind(agent)));
        processBodies.keySet().forEach(body -> served.add(ProcessScope.bodyKind(body)));
        return new Assembly(agents, loops, new WholeSessions(agents), new StuckTurns(agents.shared()),
                processes, batches, given.sessions(), () -> kinds.open(served),
                new Closing(host, given.store(), given.drain(), agents::close));
    }
}
