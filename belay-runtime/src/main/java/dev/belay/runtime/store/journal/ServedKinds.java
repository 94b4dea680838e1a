package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.TurnScope;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scopes that a store takes by itself: those of all kinds until {@link #set} is called, and turns of all sessions until
 * {@link #limit} is called. Not kept. Thread-safe.
 */
public final class ServedKinds {

    private volatile @Nullable Set<String> kinds;
    private volatile Map<String, Long> sessions = Map.of();
    private volatile Pauses pauses = Pauses.NONE;

    /** All kinds. */
    public ServedKinds() {}

    /**
     * Says which, from now on: those whose input is of one of these kinds, when they are ready, due, settled or cancelled. Others become
     * ready, and are left to stores that take their kind or claim them.
     */
    public void set(Set<String> served) {
        kinds = Set.copyOf(served);
    }

    /** Which; null if all are. */
    public @Nullable Set<String> get() {
        return kinds;
    }

    /** Takes only turns of these sessions, each up to a number, and of sessions that calls have made below them; of all if there are none. */
    public void limit(Map<String, Long> lastTurns) {
        sessions = Map.copyOf(lastTurns);
    }

    /** The sessions whose turns are taken, each with the last one; empty if all are. */
    public Map<String, Long> sessions() {
        return sessions;
    }

    /** Says what is paused, from now on. */
    public void pause(Pauses inForce) {
        pauses = inForce;
    }

    /** What is paused. */
    public Pauses pauses() {
        return pauses;
    }

    /** Whether a scope is taken when it begins or wakes. */
    public boolean takes(ScopeInput scope) {
        return serves(scope) && !pauses.holds(scope);
    }

    /** Whether a scope is taken while nothing is paused. */
    public boolean serves(ScopeInput scope) {
        Map<String, Long> limit = sessions;
        return contains(scope.kind()) && (limit.isEmpty() || TurnScope.isOf(scope, limit));
    }

    private boolean contains(String kind) {
        Set<String> served = kinds;
        return served == null || served.contains(kind);
    }
}
