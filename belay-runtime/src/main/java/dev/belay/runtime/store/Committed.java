package dev.belay.runtime.store;

import dev.belay.runtime.store.journal.Claim;
import org.jspecify.annotations.Nullable;

/** What became of a commit. */
public sealed interface Committed {

    /**
     * The turn is committed, its scope has ended.
     *
     * @param next the right to run the next turn, if an input waited for one and the right was asked for; else null
     * @param started the number of that next turn, or 0
     */
    record Done(long started, @Nullable Claim next) implements Committed {}

    /**
     * It was committed before with the same receipt; nothing was written.
     *
     * @param turn as it was committed
     */
    record Already(TurnRow turn) implements Committed {}

    /**
     * It was committed before with another receipt, or the session is not at the turn before it; nothing was written.
     *
     * @param head where the session is
     */
    record Diverged(SessionHead head) implements Committed {}

    /** The claim does not hold: another owner has the scope, or it is gone; nothing was written. */
    record Fenced() implements Committed {}
}
