package dev.belay.runtime.effect;

import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs scopes that may be entered again. What a scope has recorded is answered, not repeated. Thread-safe.
 *
 * <p>{@code EffectHostContract} in the test kit is what an implementation must pass.
 */
public interface EffectHost extends AutoCloseable {

    /** Starts to call a runner whenever a scope has work: new, woken, or left behind by a process that died. Once per host. */
    void serve(ScopeRunner runner);

    /** The same for scopes of some kinds only; others are left to other hosts on the same records. */
    void serve(ScopeRunner runner, Set<String> kinds);

    /**
     * Accepts a scope durably. The same id with the same input is the same scope and changes nothing.
     *
     * @throws dev.belay.BelayException {@code input_conflict} if the id is known with another input
     */
    void submit(ScopeId scope, ScopeInput input);

    /** Settles a wait. The first one wins, also over one that comes before the scope waits. */
    Delivery resolve(CompletionKey key, Resolution value);

    /** Settles a wait by the whole string of its key. */
    Delivery resolve(String token, Resolution value);

    /** Asks a scope to end. Durable, and ordered against its end. */
    CancelReceipt cancel(ScopeId scope, String reason);

    /** What is known of a scope; empty if nothing is. */
    Optional<ScopeState> state(ScopeId scope);

    /** Waits until a scope has ended or is stuck; a parked scope is waited for too. Empty if there is no such scope. */
    Optional<ScopeState> join(ScopeId scope) throws InterruptedException;

    /** The same, but no longer than that; a scope that goes on by itself then is told as it is. */
    Optional<ScopeState> join(ScopeId scope, Duration most) throws InterruptedException;

    /** Waits of a scope, settled ones too. */
    List<WaitState> waits(ScopeId scope);

    /** Results that came after their call was settled. */
    List<LateResult> lateResults(ScopeId scope);

    /** Scopes that are not entered any more until somebody decides. */
    List<ScopeState> stuck();

    /** Lets a stuck scope be entered again; false if it is not stuck. */
    boolean retry(ScopeId scope);

    /** Ends a stuck scope with a result; false if it is not stuck. */
    boolean abandon(ScopeId scope, dev.belay.json.Json result);

    /** Stops entering scopes, interrupts what runs, and gives everything back. What was not recorded goes on elsewhere. */
    @Override
    void close();
}
