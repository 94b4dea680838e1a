package dev.belay.runtime.effect;

import dev.belay.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the records of scopes. Changes nothing. Thread-safe. */
public interface ScopeView {

    /** The state of a scope; empty if there is no such scope. */
    Optional<ScopeState> state(ScopeId scope);

    /** Waits until a scope has ended or is stuck; a parked scope is waited for too. Empty if there is no such scope. */
    Optional<ScopeState> join(ScopeId scope) throws InterruptedException;

    /** Waits as {@link #join(ScopeId)} does, but no longer than a duration; then the state may be any. */
    Optional<ScopeState> join(ScopeId scope, Duration most) throws InterruptedException;

    /**
     * Waits for that, or until a state of a scope that may go on is enough.
     *
     * @param most null for as long as it takes
     * @param enough is asked when this process learns that the scope was parked or has changed; and when one of the scopes has that it has
     *        named to its second argument before it has read them
     */
    Optional<ScopeState> join(ScopeId scope, @Nullable Duration most,
            BiPredicate<ScopeState, Consumer<ScopeId>> enough) throws InterruptedException;

    /** Waits of a scope, settled ones included. */
    List<WaitState> waits(ScopeId scope);

    /** Results that came after their call was settled. */
    List<LateResult> lateResults(ScopeId scope);

    /** Scopes that are not entered again until an operator decides. */
    List<ScopeState> stuck();

    /**
     * A result that came after its effect was settled without it. It is kept and changes nothing.
     *
     * @param key of the effect
     * @param result as it came
     * @param at when it came
     */
    record LateResult(EffectKey key, Json result, Instant at) {}
}
