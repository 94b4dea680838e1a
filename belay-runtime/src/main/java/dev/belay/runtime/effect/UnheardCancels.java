package dev.belay.runtime.effect;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cancellations of scopes that are not live here, or not yet: one that comes between the claim of a new scope and its first entry
 * is told when the scope is live. Thread-safe.
 */
final class UnheardCancels {

    /** That moment is short; scopes that never come here must not fill the heap. */
    private static final int MOST = 10_000;

    private final Map<ScopeId, String> reasons = new LinkedHashMap<>();

    synchronized void put(ScopeId scope, String reason) {
        reasons.put(scope, reason);
        if (reasons.size() > MOST) {
            var oldest = reasons.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    synchronized @Nullable String take(ScopeId scope) {
        return reasons.remove(scope);
    }
}
