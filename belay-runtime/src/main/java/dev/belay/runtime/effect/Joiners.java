package dev.belay.runtime.effect;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Those who wait until a scope has ended. Thread-safe. */
final class Joiners {

    private final Map<ScopeId, Set<Semaphore>> bells = new ConcurrentHashMap<>();

    /** Waits until a scope does not go on by itself, or does not exist. */
    Optional<ScopeState> join(ScopeId scope, Supplier<Optional<ScopeState>> look)
            throws InterruptedException {
        var bell = new Semaphore(0);
        bells.compute(scope, (any, known) -> {
            Set<Semaphore> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            all.add(bell);
            return all;
        });
        try {
            while (true) {
                Optional<ScopeState> state = look.get();
                if (state.isEmpty() || state.get().isSettled()) {
                    return state;
                }
                bell.acquire();
            }
        } finally {
            bells.computeIfPresent(scope, (any, all) -> {
                all.remove(bell);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** Makes those who wait for a scope look again. */
    void ring(ScopeId scope) {
        bells.getOrDefault(scope, Set.of()).forEach(Semaphore::release);
    }

    void ringAll() {
        bells.values().forEach(all -> all.forEach(Semaphore::release));
    }
}
