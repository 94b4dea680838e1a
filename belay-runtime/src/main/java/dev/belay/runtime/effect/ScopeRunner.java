package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolOutcome;

/**
 * What runs in scopes. It may be entered again from the top, on any node, as often as a scope has work; everything it does that
 * is not a function of its input and of what the scope answered must go through the scope. Called on a virtual thread of the
 * host, by many threads at once.
 */
@FunctionalInterface
public interface ScopeRunner {

    /**
     * Runs a scope.
     *
     * @param scope answers what was recorded; confined to this thread, unless handed over
     * @param input what it starts from; {@link ScopeInput#kind} says which sort of scope it is
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
     * Under whose name a scope keeps attachments: its own, unless it shares them with other scopes. Then it is what the names of
     * all of these begin with, up to a slash.
     */
    default String keeper(ScopeId scope) {
        return scope.value();
    }

    /**
     * A scope is over for this host: it has ended, is parked or stuck, or belongs to somebody else. Must be short.
     *
     * @param fence of the claim under which it ran here
     */
    default void left(ScopeId scope, long fence) {}

    /**
     * A result came after its effect was settled without it, and will be kept. Called on the thread that brought it, again if the
     * store fails meanwhile; what else is thrown is logged.
     *
     * @param key the effect, with the path of its child scope in front
     */
    default void late(ScopeId scope, EffectKey key, Json result) {}

    /** The host closes: whoever waits inside a scope for something that is no effect must give up. Must be short. */
    default void closing() {}
}
