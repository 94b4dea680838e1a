package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.scope.HostServices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The threads that wait until a scope has ended. Thread-safe. */
final class Joiners {

    private final HostServices host;
    private final Map<ScopeId, List<Semaphore>> bells = new ConcurrentHashMap<>();
    /** Scopes whose end is being written here; their joiners wait until that write has returned. */
    private final Set<ScopeId> ending = ConcurrentHashMap.newKeySet();

    Joiners(HostServices host) {
        this.host = host;
    }

    /** Ends a scope; its joiners go on when the write has returned. */
    boolean ending(ScopeId scope, BooleanSupplier end) {
        ending.add(scope);
        try {
            return end.getAsBoolean();
        } finally {
            ending.remove(scope);
            ring(scope);
        }
    }

    /** Waits until a scope does not go on by itself, or does not exist. */
    Optional<ScopeState> join(ScopeId scope) throws InterruptedException {
        return join(scope, new Semaphore(0), () -> false, state -> false);
    }

    /** Waits for that, or until so much time has passed; then the state may be any. */
    Optional<ScopeState> join(ScopeId scope, Duration most) throws InterruptedException {
        return join(scope, most, state -> false);
    }

    /** Waits for that, or until a state is enough. */
    Optional<ScopeState> join(ScopeId scope, Duration most, Predicate<ScopeState> enough)
            throws InterruptedException {
        var bell = new Semaphore(0);
        long start = host.time().nanos();
        TimeSource.Alarm alarm = host.time().after(most, bell::release);
        try {
            return join(scope, bell,
                    () -> Duration.ofNanos(host.time().nanos() - start).compareTo(most) >= 0, enough);
        } finally {
            alarm.cancel();
        }
    }

    private Optional<ScopeState> join(ScopeId scope, Semaphore bell, BooleanSupplier over,
            Predicate<ScopeState> enough) throws InterruptedException {
        bells.merge(scope, List.of(bell),
                (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        try {
            while (true) {
                boolean last = over.getAsBoolean();
                Optional<ScopeState> state = look(scope);
                if (state.isEmpty() || last || (state.get().isSettled() && !ending.contains(scope))
                        || (!state.get().isSettled() && enough.test(state.get()))) {
                    return state;
                }
                TimeSource.Alarm again = lookAgain(bell);
                try {
                    bell.acquire();
                } finally {
                    again.cancel();
                }
            }
        } finally {
            bells.computeIfPresent(scope, (any, all) -> all.size() == 1
                    ? null
                    : all.stream().filter(other -> !other.equals(bell)).toList());
        }
    }

    /** A host that serves nothing does not look for writes of others, so its joiners do. */
    private TimeSource.Alarm lookAgain(Semaphore bell) {
        return host.life().hasRunner()
                ? () -> {}
                : host.time().after(host.options().pollEvery(), bell::release);
    }

    private Optional<ScopeState> look(ScopeId scope) {
        Optional<ScopeState> state = host.journal().state(scope);
        // a body waits for its interrupt: what it said about a closed host would be recorded as its own failure
        if (host.life().isClosed() && state.filter(ScopeState::isSettled).isEmpty()
                && !host.bodies().isBody(Thread.currentThread())) {
            throw host.life().gone();
        }
        return state;
    }

    /** Makes the joiners of a scope look again. */
    void ring(ScopeId scope) {
        bells.getOrDefault(scope, List.of()).forEach(Semaphore::release);
    }

    void ringAll() {
        bells.values().forEach(all -> all.forEach(Semaphore::release));
    }
}
