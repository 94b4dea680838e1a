package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.ScopeInput;
import org.jspecify.annotations.Nullable;

/** What became of a submission. */
public sealed interface Submission {

    /**
     * The scope is new.
     *
     * @param claim the right to run it, or null if it was not asked for
     */
    record Created(@Nullable Claim claim) implements Submission {}

    /** The scope is known, with the same input. */
    record Known() implements Submission {}

    /**
     * The scope is known with another input.
     *
     * @param recorded that input
     */
    record Conflict(ScopeInput recorded) implements Submission {}
}
