package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.tool.context.Incarnation;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Scopes that may be claimed by a write of this host whose reply was lost. No process would take such a scope as long as this one
 * lives. Lost claims are given back, and {@link WorkFinder} finds their scopes like all ready ones.
 *
 * <p>Concurrency: thread-safe; {@link #giveBack} is called by one thread at a time. A claim counts as lost if two looks in a row find
 * the scope claimed and not live, so that a claim on its way to its thread is left alone. If it stays on its way for longer, its first
 * write is fenced.
 */
final class LostClaims {

    private static final long NOT_SEEN = -1;
    /** A store that fails for long must not fill the heap. */
    private static final int MOST = 10_000;
    /** The journal identifies a claim that is given back by its scope and its fence. */
    private static final Incarnation ANY = new Incarnation(0, 0);

    private final HostServices host;
    private final LiveScopes live;
    /** Writes that failed, by their names; each asks the store which scope it may have claimed. */
    private final Map<Object, Supplier<Optional<ScopeId>>> unnamed = new ConcurrentHashMap<>();
    /** Scopes that may be lost, with the fence that the last look has seen. */
    private final Map<ScopeId, Long> doubted = new ConcurrentHashMap<>();

    LostClaims(HostServices host, LiveScopes live) {
        this.host = host;
        this.live = live;
    }

    /**
     * Makes a write that may claim a scope, and takes note of the scope if the write fails.
     *
     * @param whose tells such writes apart
     * @param scope asks the store for the scope
     */
    <T> T noting(Object whose, Supplier<Optional<ScopeId>> scope, Supplier<T> write) {
        try {
            return write.get();
        } catch (JournalException e) {
            if (e.retryable() && unnamed.size() < MOST) {
                unnamed.put(whose, scope);
            }
            throw e;
        }
    }

    /** Makes a write that may claim this scope. */
    <T> T noting(ScopeId scope, Supplier<T> write) {
        return noting(scope, () -> Optional.of(scope), write);
    }

    /** Gives back the lost claims; whether there were any. A question that the store does not answer is asked again at the next look. */
    boolean giveBack() {
        unnamed.forEach((whose, named) -> {
            try {
                named.get().ifPresent(scope -> doubted.put(scope, NOT_SEEN));
            } catch (JournalException e) {
                if (e.retryable()) {
                    throw e;
                } // else its record is unreadable for good, and the others must not wait for it
            }
            unnamed.remove(whose, named);
        });
        boolean found = false;
        for (Map.Entry<ScopeId, Long> doubt : Map.copyOf(doubted).entrySet()) {
            try {
                found |= isGivenBack(doubt.getKey(), doubt.getValue());
            } catch (JournalException e) {
                if (e.retryable()) {
                    throw e;
                }
                doubted.remove(doubt.getKey());
            }
        }
        return found;
    }

    private boolean isGivenBack(ScopeId scope, long seen) {
        ScopeState state = host.store().read(ScopeReads.state(scope)).orElse(null);
        if (state == null || state.status() != ScopeState.Status.RUNNING || live.find(scope) != null) {
            doubted.remove(scope);
            return false;
        }
        long fence = state.fence().value();
        if (fence != seen) {
            doubted.put(scope, fence);
            return false;
        }
        // does nothing if another process runs it
        host.store()
                .apply(host.store()
                        .scopes()
                        .giveBack(
                                new Claim(scope, state.input(), fence, ANY, 0, state.entries(),
                                        state.cancelReason()),
                                host.time().now()));
        doubted.remove(scope);
        return true;
    }
}
