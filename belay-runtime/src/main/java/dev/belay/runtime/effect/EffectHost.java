package dev.belay.runtime.effect;

import dev.belay.tool.context.CompletionKey;
import java.util.Set;

/**
 * Runs scopes that may be entered again. What a scope has recorded is answered, not repeated. Thread-safe.
 *
 * <p>{@code EffectHostContract} in the test kit is what an implementation must pass.
 */
public interface EffectHost extends ScopeView, ScopeOperations, AutoCloseable {

    /** Starts to call a runner whenever a scope has work: new, woken, or left behind by a process that died. Once per host. */
    void serve(ScopeRunner runner);

    /** Serves scopes of some kinds only; others are left to other hosts on the same records. */
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

    /** Stops entering scopes, interrupts what runs, and gives everything back. What was not recorded goes on elsewhere. */
    @Override
    void close();
}
