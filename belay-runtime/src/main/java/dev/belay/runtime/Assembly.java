package dev.belay.runtime;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.process.engine.ProcessSettings;
import dev.belay.runtime.session.archive.StuckTurns;
import dev.belay.runtime.session.archive.WholeSessions;
import dev.belay.runtime.session.asking.SessionSettings;
import dev.belay.runtime.session.body.ProcessSessions;
import dev.belay.runtime.session.body.SessionBodies;
import dev.belay.runtime.session.hosted.HostedLoops;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.session.turn.SessionRegistries;
import dev.belay.runtime.session.turn.TurnDispatchers;
import dev.belay.runtime.session.turn.TurnRunner;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The parts of a runtime, wired together.
 *
 * @param turns what every turn uses
 * @param loops turns whose loops programs own
 * @param archive copies and deletes sessions
 * @param stuck turns that cannot go on by themselves
 * @param processes durable work outside any turn
 * @param calls batches of calls outside any session
 */
record Assembly(TurnServices turns, HostedLoops loops, WholeSessions archive, StuckTurns stuck,
        ProcessEngine processes, DurableCalls calls) {

    /**
     * What a runtime is made of.
     *
     * @param store where sessions are kept; closed with the runtime
     * @param host over the store's journal; served by the runtime and closed with it
     * @param registry all tools
     * @param dispatcher runs calls
     * @param direct runs calls that the program asks for itself
     * @param settings how turns are run
     * @param processes what processes run beside tools and turns
     * @param time the host's
     * @param random for ids and incarnations; thread-safe
     */
    record Given(SessionStore store, JournalHost host, ToolRegistry registry, ToolDispatcher dispatcher,
            ToolDispatcher direct, SessionSettings settings, ProcessSettings processes, TimeSource time,
            RandomGenerator random) {}

    /** Makes the parts and starts to serve: scopes that were left behind go on from here. */
    static Assembly open(Given given) {
        JournalHost host = given.host();
        var inbox = new Inbox(given.store(), host, given.time(), given.random(),
                given.settings().models().canAnswer());
        var streams = new SessionStreams(Long.toHexString(given.random().nextLong()));
        var processes = new ProcessEngine(new ProcessEngine.Parts(given.store().processes(), host,
                given.registry(), given.dispatcher(), given.processes(), new ProcessSessions(inbox),
                given.time(), given.random()));
        var bodies = new SessionBodies(given.store(), inbox, streams, given.settings().models(), processes,
                given.settings().snapshots());
        var turns = new TurnServices(given.store(), host, inbox, streams, given.settings(),
                new SessionRegistries(given.registry()), new TurnDispatchers(given.dispatcher()), bodies,
                given.time());
        var kinds = new ScopeKinds(host);
        var loops = new HostedLoops(turns, kinds::serve);
        kinds.add(TurnScope.KIND, new TurnRunner(turns));
        kinds.add(TurnScope.OPEN_KIND, loops);
        kinds.add(ProcessScope.KIND, processes);
        var calls = new DurableCalls(host, given.direct());
        kinds.add(DurableCalls.KIND, calls.runner());
        Set<String> served = new HashSet<>(Set.of(ProcessScope.KIND, DurableCalls.KIND));
        if (given.settings().models().canAnswer()) {
            served.add(TurnScope.KIND);
        }
        given.processes().bodies().keySet().forEach(body -> served.add(ProcessScope.bodyKind(body)));
        kinds.open(served);
        return new Assembly(turns, loops, new WholeSessions(turns), new StuckTurns(turns), processes, calls);
    }
}
