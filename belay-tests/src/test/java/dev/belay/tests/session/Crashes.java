package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Plays a scenario once without a fault, which lists its writes, then once for each write and each moment of it at which the
 * runtime dies and a new one goes on. Every planned death comes and every play ends, or the test fails and says which did not.
 *
 * @param <R> what can be seen at the end
 */
public final class Crashes<R> {

    /**
     * What happens in a scenario. Made anew for each play, so that it can count.
     *
     * @param <R> what can be seen at the end
     */
    public interface Scenario<R> {

        Model model();

        BelayBuilder with(BelayBuilder builder);

        /** Starts what is to happen and does the world's part; called again in each new runtime, so everything in it has an id. */
        void begin(Belay belay) throws Exception;

        /** Waits for the end; all that can be seen of it. */
        R end(Belay belay) throws Exception;
    }

    /**
     * What came of one play.
     *
     * @param where the runtime died; nowhere in the play without a fault
     * @param written by the runtime that died
     * @param end what could be seen
     * @param <R> its type
     */
    public record Play<R>(String where, List<String> written, R end) {}

    private static final int TRIES = 100;
    /** A play takes milliseconds. */
    private static final Duration MOST = Duration.ofMinutes(1);

    private final Supplier<? extends Scenario<R>> scenarios;

    public Crashes(Supplier<? extends Scenario<R>> scenarios) {
        this.scenarios = scenarios;
    }

    /** The play without a fault first, then one for each crash. */
    public List<Play<R>> play() throws Exception {
        List<Play<R>> plays = new ArrayList<>();
        List<String> writes = Limit.of(MOST, "the play without a fault", () -> {
            try (var bench = new SessionBench()) {
                Scenario<R> scenario = scenarios.get();
                Belay belay = bench.open(scenario.model(), scenario::with);
                scenario.begin(belay);
                plays.add(new Play<>("nowhere", List.of(), scenario.end(belay)));
                return bench.writes();
            }
        });
        assertThat(writes).as("a start, some work and an end").hasSizeGreaterThan(1);
        Map<String, Integer> seen = new HashMap<>();
        for (String write : writes) {
            int times = seen.merge(SessionBench.alike(write), 1, Integer::sum);
            for (Moment moment : Moment.values()) {
                plays.add(crashed(new SessionBench.Death(moment, write, times)));
            }
        }
        return plays;
    }

    /**
     * Plays until the process has died where it should. Threads that meet in another order may leave a write out in one play, not in
     * all of them.
     */
    private Play<R> crashed(SessionBench.Death death) throws Exception {
        List<Throwable> ends = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
            Optional<Play<R>> play = Limit.of(MOST, "the play with " + death, () -> tried(death, ends));
            if (play.isPresent()) {
                return play.get();
            }
        }
        var alive = new AssertionError("no process died at " + death + ", in " + TRIES
                + " plays: a write of the play without a fault must come in every play");
        ends.forEach(alive::addSuppressed);
        throw alive;
    }

    private Optional<Play<R>> tried(SessionBench.Death death, List<Throwable> ends) throws Exception {
        try (var bench = new SessionBench()) {
            Scenario<R> scenario = scenarios.get();
            SessionBench.Dying dying = bench.dying(scenario.model(), death, scenario::with);
            Thread world = Thread.ofVirtual().start(() -> {
                try {
                    scenario.begin(dying.belay);
                    scenario.end(dying.belay);
                } catch (Throwable dead) {
                    ends.add(dead); // as everything in its process, or what keeps the scenario from its end
                }
            });
            while (world.isAlive() && !dying.isDead()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
            if (!dying.hasDied()) {
                return Optional.empty();
            }
            world.interrupt();
            world.join();
            ends.clear();
            Belay next = bench.open(scenario.model(), scenario::with);
            scenario.begin(next);
            return Optional.of(new Play<>(death.toString(), dying.written(), scenario.end(next)));
        }
    }
}
