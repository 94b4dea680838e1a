package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds out how a runtime is.
 *
 * @param store is read
 * @param host says what runs
 * @param time the host's
 */
record Checkup(SessionStore store, JournalHost host, TimeSource time) {

    private static final int MOST_FAULTS = 100;

    Health of(Agents agents, Set<String> sessions) {
        Journal journal = store.journal();
        String fault = "";
        Duration late = Duration.ZERO;
        Set<String> faults = Set.of();
        try {
            late = journal.readySince()
                    .map(since -> Duration.between(since, time.now()))
                    .filter(Duration::isPositive)
                    .orElse(Duration.ZERO);
            faults = faults(agents);
        } catch (BelayException e) {
            fault = e.code() + ": " + e.getMessage();
        }
        Journal.Writes writes = journal.writes();
        return new Health(life(),
                new Health.Store(fault.isEmpty(), fault, Optional.ofNullable(writes.sinceGood()),
                        Optional.ofNullable(writes.sinceFailed())),
                agents.names(), sessions, journal.served(),
                journal.pauses().holds(Pause.Target.EVERYTHING.key()),
                late,
                (int) host.running().stream().filter(scope -> TurnScope.isTurn(scope.kind())).count(),
                (int) host.working().stream().filter(body -> body.tool().isPresent()).count(),
                faults);
    }

    private static Set<String> faults(Agents agents) {
        return Stream.concat(
                agents.misconfigured().stream().map(one -> one.code() + ": " + one.reason()),
                agents.waitingForPlugins().stream().map(one -> "plugin_not_restored: " + one.reason()))
                .limit(MOST_FAULTS)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Health.Life life() {
        return switch (host.stage()) {
            case NOT_SERVING -> Health.Life.NOT_STARTED;
            case SERVING -> Health.Life.WORKING;
            case DRAINING -> Health.Life.DRAINING;
            case CLOSED -> Health.Life.CLOSED;
            case FAILED -> Health.Life.FAILED;
        };
    }
}
