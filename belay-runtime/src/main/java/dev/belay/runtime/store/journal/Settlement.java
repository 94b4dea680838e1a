package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.Resolution;
import org.jspecify.annotations.Nullable;

/** What became of a resolution. */
public sealed interface Settlement {

    /**
     * It is the wait's.
     *
     * @param woken the right to run the scope, if this made it ready and it was asked for
     */
    record Accepted(@Nullable Claim woken) implements Settlement {}

    /**
     * Another one was first.
     *
     * @param winner that one
     */
    record Lost(Resolution winner) implements Settlement {}

    /** There is no such scope, it has another incarnation, or it has ended without that wait. */
    record Unknown() implements Settlement {}
}
