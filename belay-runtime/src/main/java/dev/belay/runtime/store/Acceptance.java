package dev.belay.runtime.store;

import dev.belay.runtime.store.journal.Claim;
import org.jspecify.annotations.Nullable;

/** What became of an arrival. */
public sealed interface Acceptance {

    /**
     * A turn was started for it.
     *
     * @param turn its number
     * @param claim the right to run it, or null if that was not asked for
     */
    record Started(long turn, @Nullable Claim claim) implements Acceptance {}

    /**
     * It waits for a turn.
     *
     * @param place its place among the arrivals of the session
     */
    record Waits(long place) implements Acceptance {}

    /**
     * It is known.
     *
     * @param arrived what was kept when it came first
     */
    record Known(Arrived arrived) implements Acceptance {}

    /**
     * Its id is known with another content, or as another kind. Nothing was written.
     *
     * @param arrived what was kept
     */
    record Conflict(Arrived arrived) implements Acceptance {}

    /** It is an input, and the session is closed. Nothing was written. */
    record Closed() implements Acceptance {}

    /** Something else arrived since the place that was expected. Nothing was written. */
    record Overtaken() implements Acceptance {}
}
