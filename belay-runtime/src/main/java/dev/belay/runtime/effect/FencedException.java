package dev.belay.runtime.effect;

import dev.belay.BelayException;

/** Another owner has taken the scope over; nothing was written. */
public final class FencedException extends BelayException {

    private static final long serialVersionUID = 1L;

    /** Creates one for a scope. */
    public FencedException(ScopeId scope, long fence) {
        super("fenced",
                "scope " + scope + " was taken over: fence " + fence + " is old, and nothing was written");
    }
}
