package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import org.jspecify.annotations.Nullable;

/** What is looked at before an entry into a turn does anything: a turn that this program cannot run rests, if nothing was done. */
final class TurnEntrance {

    private TurnEntrance() {}

    /**
     * Refuses a turn that begins and whose model is not here, before listeners are told. A command that waits may name another model, and a
     * turn that has reached a bound or was cancelled asks none.
     */
    static TurnLoop enter(TurnLoop turn) {
        if (turn.replays() || turn.start().input().manner().action() != null) {
            return turn;
        }
        try {
            turn.config().requireModel(turn.plugins().session());
        } catch (BelayException e) {
            if (turn.stop(1).isEmpty()
                    && turn.services().inbox().waiting(turn.start().session()).isEmpty()) {
                throw e;
            }
        }
        return turn;
    }

    /** Whether an entry has recorded nothing, and has asked no hook, action or model. */
    static boolean isUntouched(@Nullable TurnLoop turn) {
        return turn == null || !(turn.plugins().hasBegun() || turn.scope().hasRecorded()
                || !turn.commands().actions().unrecorded().isEmpty());
    }
}
