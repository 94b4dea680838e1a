package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolOutcome;

/**
 * The program that runs in scopes. A host enters it from the top, on any node, as often as a scope has work. Everything it does that
 * is not a function of its input and of the scope's answers must go through the scope. Many virtual threads of the host call it at
 * once.
 */
@FunctionalInterface
public interface ScopeRunner {

    /**
     * Runs a scope.
     *
     * @param scope answers recorded effects; confined to this thread, unless handed over
     * @param input of the scope; {@link ScopeInput#kind} says which sort of scope it is
     * @return the result; recorded, and ends the scope
     */
    Json run(EffectScope scope, ScopeInput input);

    /**
     * Runs a child that data alone describes. A host calls it instead of {@link ChildCommand.Child#run} if
     * {@link HostOptions#encodesChildren}. Runners whose scopes have children implement it.
     *
     * @param scope the child's
     * @param input of its {@link ChildCommand.Child}
     */
    default ToolOutcome child(EffectScope scope, ScopeInput input) {
        throw new UnsupportedOperationException("this runner knows no children of kind " + input.kind());
    }

    /**
     * The name under which a scope keeps attachments: its own, unless it shares them with other scopes. Then it is the common
     * beginning of all their names, up to a slash.
     */
    default String keeper(ScopeId scope) {
        return scope.value();
    }

    /**
     * A scope is over for this host: it has ended, is parked or stuck, or has another owner. Must be short.
     *
     * @param fence of the claim under which it ran here
     */
    default void left(ScopeId scope, long fence) {}

    /** A scope was parked: nothing of it goes on here until a wait is settled, a pause ends or a moment comes. Must be short. */
    default void parked(ScopeId scope, ScopeInput input) {}

    /**
     * A result came after its effect was settled without it, and will be kept. Called on the thread that brought it, and again if
     * it throws because the store fails for a while; any other exception is logged.
     *
     * @param key the effect, with the path of its child scope in front
     */
    default void late(ScopeId scope, EffectKey key, Json result) {}

    /** The host closes: threads that wait inside a scope for something other than an effect must give up. Must be short. */
    default void closing() {}
}
