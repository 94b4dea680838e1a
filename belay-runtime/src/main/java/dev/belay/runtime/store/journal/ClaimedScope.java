package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.EffectScope;
import java.util.function.Function;

/** A scope whose records share a store with sessions and processes, so that their writes can carry its claim. */
public interface ClaimedScope extends EffectScope {

    /** The scope as one of a {@link JournalHost}. */
    static ClaimedScope of(EffectScope scope) {
        if (scope instanceof ClaimedScope claimed) {
            return claimed;
        }
        throw new IllegalArgumentException(
                "sessions and processes need a host that shares their store, found " + scope);
    }

    /**
     * Ends the scope by a write that does more than that, in place of the host's own. The last thing that a runner says; not for
     * children.
     *
     * @param ending asked once the runner has returned
     */
    void endWith(ScopeEnding ending);

    /**
     * Makes a write of the store under the scope's claim. It is no effect: the caller makes sure that writing again does no harm.
     * A fault of the store ends this entry, as one of a record does.
     */
    <T> T write(Function<Claim, T> write);
}
