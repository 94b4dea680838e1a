package dev.belay.runtime.effect;

import dev.belay.tool.context.CompletionKey;
import java.util.Set;

/**
 * Runs scopes that may be entered again. A recorded effect is answered from its record, not repeated. Thread-safe.
 *
 * <p>An implementation must pass {@code EffectHostContract} in the test kit.
 */
public interface EffectHost extends ScopeView, ScopeOperations, AutoCloseable {

    /** Calls a runner for every scope that has work: new, woken, or left by a process that died. Once per host. */
    void serve(ScopeRunner runner);

    /** Serves scopes of some kinds only; other hosts on the same records serve the rest. */
    void serve(ScopeRunner runner, Set<String> kinds);

    /**
     * Accepts a scope durably. The same id with the same input is the same scope and changes nothing.
     *
     * @throws dev.belay.BelayException {@code input_conflict} if the id is known with another input
     */
    void submit(ScopeId scope, ScopeInput input);

    /** Settles a wait. The first settlement wins, even if it comes before the scope waits. */
    Delivery resolve(CompletionKey key, Resolution value);

    /** Settles a wait by the whole string of its key. */
    Delivery resolve(String token, Resolution value);

    /** Stops entering scopes, interrupts running work, and gives all scopes back to the store. Another host can take them. */
    @Override
    void close();
}
