package dev.belay.runtime.store;

import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal.Claim;
import org.jspecify.annotations.Nullable;

/** What became of an attempt to settle a doubt. */
public sealed interface DoubtSettling {

    /**
     * It is settled now.
     *
     * @param held the wait of the call that it held, or null if it held none
     * @param said what that wait was settled with, or null
     * @param woken the right to run the scope of that call, if it goes on here
     */
    record Settled(@Nullable WaitName held, @Nullable Resolution said,
            @Nullable Claim woken) implements DoubtSettling {}

    /**
     * It was settled before.
     *
     * @param first how
     */
    record Already(Doubt.Settlement first) implements DoubtSettling {}

    /** There is no doubt of that id. */
    record Unknown() implements DoubtSettling {}
}
