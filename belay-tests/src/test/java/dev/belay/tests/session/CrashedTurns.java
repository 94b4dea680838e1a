package dev.belay.tests.session;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.effect.JournalProbe.Moment;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Plays a scenario once without a fault, which lists its writes, then once for each write and each moment of it at which the
 * process dies and a new one goes on.
 */
final class CrashedTurns {

    /** What happens in a scenario. Made anew for each play, so that it can count. */
    interface Scenario {

        Model model();

        BelayBuilder with(BelayBuilder builder);

        /** Starts what is to happen; called again in each new process, so everything in it has an id. */
        void begin(Belay belay) throws Exception;

        /** Waits for the end, as the world does its part. */
        TurnResult end(Belay belay) throws Exception;

        /** What must be the same, crash or not; asked at the end. */
        String evidence(Belay belay);
    }

    /**
     * What came of one play.
     *
     * @param where the process died, or nowhere
     * @param written by the process that died
     * @param result of the turn
     * @param messages of the session
     * @param evidence of the scenario
     */
    record Play(String where, List<String> written, TurnResult result, List<Message> messages,
            String evidence) {}

    private final Supplier<Scenario> scenarios;

    CrashedTurns(Supplier<Scenario> scenarios) {
        this.scenarios = scenarios;
    }

    /** The play without a fault first, then one for each crash. */
    List<Play> play() throws Exception {
        List<String> writes;
        List<Play> plays = new ArrayList<>();
        try (var bench = new SessionBench()) {
            Scenario scenario = scenarios.get();
            Belay belay = bench.open(scenario.model(), scenario::with);
            scenario.begin(belay);
            plays.add(played("nowhere", List.of(), scenario, belay));
            writes = bench.writes();
        }
        Map<String, Integer> seen = new HashMap<>();
        for (String write : writes) {
            int times = seen.merge(write, 1, Integer::sum);
            for (Moment moment : Moment.values()) {
                plays.add(crashed(new SessionBench.Death(moment, write, times)));
            }
        }
        return plays;
    }

    private Play crashed(SessionBench.Death death) throws Exception {
        try (var bench = new SessionBench()) {
            Scenario scenario = scenarios.get();
            SessionBench.Dying dying = bench.dying(scenario.model(), death, scenario::with);
            Thread world = Thread.ofVirtual().start(() -> {
                try {
                    scenario.begin(dying.belay);
                    scenario.end(dying.belay);
                } catch (Throwable dead) {
                    // whoever talks to a process that dies hears of it in many ways
                }
            });
            while (world.isAlive() && !dying.isDead()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            if (!dying.isDead()) {
                // threads met in another order, and this write was not needed
                return played("nowhere", List.of(), scenario, dying.belay);
            }
            dying.awaitDeath();
            world.interrupt();
            world.join();
            Belay next = bench.open(scenario.model(), scenario::with);
            scenario.begin(next);
            return played(death.toString(), dying.written(), scenario, next);
        }
    }

    private static Play played(String where, List<String> written, Scenario scenario, Belay belay)
            throws Exception {
        TurnResult result = scenario.end(belay);
        Session session = belay.session(result.session());
        return new Play(where, written, result, List.copyOf(session.messages()), scenario.evidence(belay));
    }
}
