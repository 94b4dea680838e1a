package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out how a runtime is.
 *
 * @param store is read
 * @param host says what runs
 * @param time the host's
 */
record Checkup(SessionStore store, JournalHost host, TimeSource time) {

    Health of(Set<String> agents, Set<String> sessions) {
        Journal journal = store.journal();
        String fault = "";
        Duration late = Duration.ZERO;
        try {
            late = journal.readySince()
                    .map(since -> Duration.between(since, time.now()))
                    .filter(Duration::isPositive)
                    .orElse(Duration.ZERO);
        } catch (BelayException e) {
            fault = e.code() + ": " + e.getMessage();
        }
        Journal.Writes writes = journal.writes();
        return new Health(life(),
                new Health.Store(fault.isEmpty(), fault, Optional.ofNullable(writes.sinceGood()),
                        Optional.ofNullable(writes.sinceFailed())),
                agents, sessions, journal.served(), journal.pauses().holds(Pause.Target.EVERYTHING.key()),
                late,
                (int) host.running().stream().filter(scope -> TurnScope.isTurn(scope.kind())).count(),
                (int) host.working().stream().filter(body -> body.tool().isPresent()).count());
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
