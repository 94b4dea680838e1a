package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.tool.context.Incarnation;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Scopes that a write may have claimed for this host and whose claim nobody has, because the write was not answered: they would be
 * taken by nobody as long as this process lives. They are given back, and found like all that is ready.
 *
 * <p>Concurrency: thread-safe; {@link #giveBack} is called by one thread at a time. A scope counts as lost if two looks in a row find
 * it claimed and not live, so that a claim that is just on its way to its thread is left alone. If one takes longer, its holder is
 * fenced at its first write.
 */
final class LostClaims {

    private static final long NOT_SEEN = -1;
    /** A store that fails for long must not fill the heap; what it could not even be asked it has not claimed. */
    private static final int MOST = 10_000;
    /** A claim that is given back is known by its scope and its fence. */
    private static final Incarnation ANY = new Incarnation(0, 0);

    private final JournalEffectHost host;
    /** Those of which only the store can say which scope it is, by whose they are. */
    private final Map<Object, Supplier<Optional<ScopeId>>> unnamed = new ConcurrentHashMap<>();
    /** With the fence that the last look has seen. */
    private final Map<ScopeId, Long> doubted = new ConcurrentHashMap<>();

    LostClaims(JournalEffectHost host) {
        this.host = host;
    }

    /** Makes a write that may claim a scope, and takes note of the scope if the write fails. */
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

    /** Gives back what is lost; whether there was something. What the store does not answer is asked at the next look. */
    boolean giveBack() {
        unnamed.forEach((whose, named) -> {
            try {
                named.get().ifPresent(scope -> doubted.put(scope, NOT_SEEN));
            } catch (JournalException e) {
                if (e.retryable()) {
                    throw e;
                } // else nobody can read whose it is, and the others must not wait for that
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
        ScopeState state = host.journal().state(scope).orElse(null);
        if (state == null || state.status() != ScopeState.Status.RUNNING || host.live(scope) != null) {
            doubted.remove(scope);
            return false;
        }
        long fence = state.fence().value();
        if (fence != seen) {
            doubted.put(scope, fence);
            return false;
        }
        // does nothing if it is somebody else who runs it
        host.giveBack(
                new Claim(scope, state.input(), fence, ANY, 0, state.entries(), state.cancelReason()));
        doubted.remove(scope);
        return true;
    }
}
