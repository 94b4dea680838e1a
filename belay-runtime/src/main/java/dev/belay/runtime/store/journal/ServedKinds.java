package dev.belay.runtime.store.journal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kinds of scopes that a journal takes by itself: all kinds until {@link #set} is called. For journals. Thread-safe. */
public final class ServedKinds {

    private volatile @Nullable Set<String> kinds;

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

    /** Whether scopes of a kind are taken. */
    public boolean contains(String kind) {
        Set<String> served = kinds;
        return served == null || served.contains(kind);
    }
}
