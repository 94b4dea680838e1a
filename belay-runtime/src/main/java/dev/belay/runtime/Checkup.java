package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.Store.Writes;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.Pause;
import java.time.Duration;
import java.util.Objects;
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
record Checkup(Store store, JournalHost host, TimeSource time) {

    private static final int MOST_FAULTS = 100;

    Health of(Agents agents, Set<String> sessions) {
        String fault = "";
        Duration late = Duration.ZERO;
        Set<String> faults = Set.of();
        try {
            late = store.work()
                    .readySince()
                    .map(since -> Duration.between(since, time.now()))
                    .filter(Duration::isPositive)
                    .orElse(Duration.ZERO);
            faults = faults(agents);
        } catch (BelayException e) {
            fault = e.code() + ": " + e.getMessage();
        }
        Writes writes = store.writes();
        return new Health(life(),
                new Health.Store(fault.isEmpty(), fault, Optional.ofNullable(writes.sinceGood()),
                        Optional.ofNullable(writes.sinceFailed())),
                agents.names(), sessions, Objects.requireNonNullElse(store.served().get(), Set.of()),
                store.served().pauses().holds(Pause.Target.EVERYTHING.key()),
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
