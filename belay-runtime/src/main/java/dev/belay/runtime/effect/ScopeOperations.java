package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import java.util.List;

/** The verbs of an operator for scopes. Thread-safe. */
public interface ScopeOperations {

    /** Lets a stuck scope be entered again; false if it is not stuck. */
    boolean retry(ScopeId scope);

    /** Ends a stuck scope with a result; false if it is not stuck. */
    default boolean abandon(ScopeId scope, Json result) {
        return abandon(scope, result, List.of());
    }

    /** The same, and opens doubts about its work. */
    boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts);

    /** Asks a scope to end. Durable, and ordered against its end. */
    CancelReceipt cancel(ScopeId scope, String reason);
}
