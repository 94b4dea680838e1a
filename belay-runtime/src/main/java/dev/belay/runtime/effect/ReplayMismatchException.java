package dev.belay.runtime.effect;

import dev.belay.BelayException;

/**
 * The code asks for an effect that differs from its record. Nothing is run; the scope is stuck until an operator decides. Usually a
 * runner was changed, or decided by time or chance.
 */
public final class ReplayMismatchException extends BelayException {

    private static final long serialVersionUID = 1L;

    /** Creates one for an effect of a scope. */
    public ReplayMismatchException(ScopeId scope, String key, String difference) {
        super("replay_mismatch", "scope " + scope + ", effect " + key + ": " + difference);
    }
}
