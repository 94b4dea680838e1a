package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.context.Incarnation;
import org.jspecify.annotations.Nullable;

/**
 * The right to run a scope.
 *
 * @param scope which
 * @param input what it starts from
 * @param fence grows by one each time the scope is taken
 * @param incarnation made with the scope, so that keys of a scope that was deleted stay useless
 * @param secret which secret signs the scope's keys, unless it was revoked
 * @param entries how often the scope was entered since its last record, this time included
 * @param cancelReason why the scope should end, or null
 * @param left whether its last owner died while it ran, so that more may have been done than is recorded
 */
public record Claim(ScopeId scope, ScopeInput input, long fence, Incarnation incarnation, long secret,
        int entries, @Nullable String cancelReason, boolean left) {

    /** The right to run a scope whose last owner did not die. */
    public Claim(ScopeId scope, ScopeInput input, long fence, Incarnation incarnation, long secret,
            int entries, @Nullable String cancelReason) {
        this(scope, input, fence, incarnation, secret, entries, cancelReason, false);
    }

    /** The same for a scope whose last owner died while it ran. */
    public Claim ofTheDead() {
        return new Claim(scope, input, fence, incarnation, secret, entries, cancelReason, true);
    }

    /** The same after its owner has written a record. */
    public Claim recorded() {
        return left
                ? new Claim(scope, input, fence, incarnation, secret, entries, cancelReason)
                : this;
    }
}
