package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.ScopeId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Scopes of which a wait was settled, or which were cancelled, while they were not live here. One that is new may be just about to be:
 * between the write that claims it and its first entry nobody can be told, and its first entry reads nothing unless it finds itself
 * here. Thread-safe.
 */
final class EarlyNews {

    /** That moment is short; scopes that never come here must not fill the heap. */
    private static final int MOST = 10_000;

    private final Set<ScopeId> scopes = new LinkedHashSet<>();

    synchronized void add(ScopeId scope) {
        scopes.add(scope);
        if (scopes.size() > MOST) {
            var oldest = scopes.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Forgets a scope; whether there was news of it. */
    synchronized boolean remove(ScopeId scope) {
        return scopes.remove(scope);
    }
}
