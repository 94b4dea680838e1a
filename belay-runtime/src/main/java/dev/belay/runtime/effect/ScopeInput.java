package dev.belay.runtime.effect;

import dev.belay.json.Json;

/**
 * The input of a scope.
 *
 * @param kind of the scope, with a version; the {@link ScopeRunner} chooses by it what to run
 * @param value everything else
 */
public record ScopeInput(String kind, Json value) {

    private static final int LONGEST = 64;

    /** Checks the kind. */
    public ScopeInput {
        StoredNames.check("the kind of a scope", kind, LONGEST);
    }
}
