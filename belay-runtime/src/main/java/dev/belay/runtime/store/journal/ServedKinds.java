package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.ScopeInput;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kinds of scopes that a journal takes by itself: all kinds until {@link #set} is called. For journals. Thread-safe. */
public final class ServedKinds {

    private volatile @Nullable Set<String> kinds;
    private volatile Pauses pauses = Pauses.NONE;

    /** All kinds. */
    public ServedKinds() {}

    /** Says which, from now on. */
    public void set(Set<String> served) {
        kinds = Set.copyOf(served);
    }

    /** Which; null if all are. */
    public @Nullable Set<String> get() {
        return kinds;
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
        return contains(scope.kind()) && !pauses.holds(scope);
    }

    /** Whether scopes of a kind are taken. */
    public boolean contains(String kind) {
        Set<String> served = kinds;
        return served == null || served.contains(kind);
    }
}
