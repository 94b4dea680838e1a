package dev.belay.runtime.effect;

import dev.belay.tool.ToolOutcome;

/**
 * A scope to run below another one.
 *
 * @param name its name within the parent; unique there
 * @param child what runs in it
 */
public record ChildCommand(EffectKey name, Child child) {

    /** A child as an object of this process. Thread-safe; run again, in a new scope, each time that its parent enters it. */
    public interface Child {

        /**
         * The child as data, for a runner that has only that ({@link ScopeRunner#child}). Two children of one name are the same if
         * their inputs are equal. Made when it is asked for.
         */
        ScopeInput input();

        /** Runs the child here. May throw {@link dev.belay.tool.context.Suspended}. */
        ToolOutcome run(EffectScope scope);
    }
}
