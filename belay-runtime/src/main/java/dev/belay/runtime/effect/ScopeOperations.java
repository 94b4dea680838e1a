package dev.belay.runtime.effect;

import dev.belay.json.Json;

/** The verbs of an operator for stuck scopes. Thread-safe. */
public interface ScopeOperations {

    /** Lets a stuck scope be entered again; false if it is not stuck. */
    boolean retry(ScopeId scope);

    /** Ends a stuck scope with a result; false if it is not stuck. */
    boolean abandon(ScopeId scope, Json result);
}
