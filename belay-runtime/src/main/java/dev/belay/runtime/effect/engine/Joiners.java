package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.store.law.ScopeReads;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads that wait until a scope has ended. Thread-safe. */
final class Joiners {

    /** What no program takes rests after a minute. */
    private static final Duration BETWEEN_TICKS = Duration.ofSeconds(61);

    private final HostServices host;
    private volatile TimeSource.@Nullable Alarm tick;
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
        return join(scope, new Semaphore(0), () -> false, (state, looked) -> false);
    }

    /** Waits for that, or until so much time has passed; then the state may be any. */
    Optional<ScopeState> join(ScopeId scope, Duration most) throws InterruptedException {
        return join(scope, most, (state, looked) -> false);
    }

    /** Waits for that, or until a state is enough; without a limit for null. */
    Optional<ScopeState> join(ScopeId scope, @Nullable Duration most,
            BiPredicate<ScopeState, Consumer<ScopeId>> enough) throws InterruptedException {
        var bell = new Semaphore(0);
        if (most == null) {
            return join(scope, bell, () -> false, enough);
        }
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
            BiPredicate<ScopeState, Consumer<ScopeId>> enough) throws InterruptedException {
        Set<ScopeId> heard = new HashSet<>(2);
        try {
            hear(scope, bell, heard);
            tick();
            while (true) {
                boolean last = over.getAsBoolean();
                Optional<ScopeState> state = look(scope);
                if (state.isEmpty() || (state.get().isSettled() && !ending.contains(scope))
                        || (!state.get().isSettled()
                                && enough.test(state.get(), other -> hear(other, bell, heard)))
                        || last) {
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
            heard.forEach(each -> bells.computeIfPresent(each, (any, all) -> all.size() == 1
                    ? null
                    : all.stream().filter(other -> !other.equals(bell)).toList()));
        }
    }

    /** From some moment on nothing tells that a scope is not taken: all look again from time to time, by one alarm. */
    private void tick() {
        if (tick == null) {
            host.life().vital(this::setTick).run(); // without it all waiters sleep
        }
    }

    private synchronized void setTick() {
        if (tick == null && !host.life().isClosed()) {
            tick = host.time().after(BETWEEN_TICKS, this::ticked);
        }
    }

    private void ticked() {
        stop();
        if (!bells.isEmpty()) {
            tick();
            ringAll();
        }
    }

    /** No alarm holds a closed host in the heap. */
    synchronized void stop() {
        TimeSource.Alarm set = tick;
        if (set != null) {
            set.cancel();
            tick = null;
        }
    }

    private void hear(ScopeId scope, Semaphore bell, Set<ScopeId> heard) {
        if (heard.add(scope)) {
            bells.merge(scope, List.of(bell),
                    (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        }
    }

    /** A host that serves nothing does not look for writes of others, so its joiners do. */
    private TimeSource.Alarm lookAgain(Semaphore bell) {
        return host.life().hasRunner()
                ? () -> {}
                : host.time().after(host.options().pollEvery(), bell::release);
    }

    private Optional<ScopeState> look(ScopeId scope) {
        Optional<ScopeState> state = host.store().read(ScopeReads.state(scope));
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
