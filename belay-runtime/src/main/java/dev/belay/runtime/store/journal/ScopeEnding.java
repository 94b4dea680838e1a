package dev.belay.runtime.store.journal;

import dev.belay.json.Json;
import java.time.Instant;

/** Ends a scope, and whatever else must happen in the same write. */
@FunctionalInterface
public interface ScopeEnding {

    /**
     * Ends the scope as {@link dev.belay.runtime.store.law.ScopeRules#end} does.
     *
     * @param claim the right to do so
     * @param result what the runner returned
     * @param at the time
     * @return false if the claim does not hold any more and nothing was written
     */
    boolean end(Claim claim, Json result, Instant at);
}
