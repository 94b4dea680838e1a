package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.WaitName;
import dev.belay.tool.ToolOutcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The completion key of a call, while one record of the call is made. An answer that was accepted for the key is the outcome of the call,
 * whichever attempt has handed it out; a record that ends the call closes the wait, so that none is accepted after it. Confined to the
 * call's thread.
 */
final class HandedKey {

    private final OneCall call;
    private boolean out;
    private boolean taken;

    /**
     * For one record.
     *
     * @param out whether an earlier attempt, or an earlier entry, may have handed it out
     */
    HandedKey(OneCall call, boolean out) {
        this.call = call;
        this.out = out;
    }

    /** Notes whether a body has taken it. */
    void handedOut(boolean byBody) {
        out |= byBody;
    }

    /** Whether an answer to it may come, or have come. */
    boolean isOut() {
        return out;
    }

    /** The answer that was accepted for it, as this process knows; the record that is made has it. */
    Optional<ToolOutcome> accepted() {
        Optional<ToolOutcome> said = out ? call.accepted() : Optional.empty();
        taken = said.isPresent();
        return said;
    }

    /** Whether the record that is made has an answer that was accepted. */
    boolean isTaken() {
        return taken;
    }

    /** The wait that a record closes, or null. An answer that the record has, has closed it. */
    @Nullable
    WaitName closedBy(AttemptRecord attempted) {
        boolean ends = attempted instanceof AttemptRecord.Ended || attempted instanceof AttemptRecord.Held;
        return out && !taken && ends ? AttemptRecord.COMPLETION : null;
    }
}
