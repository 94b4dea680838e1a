package dev.belay.runtime.session.hosted;

import dev.belay.BelayException;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalHost;

/** Why a program's loop cannot use its turn, as it is told. */
final class TurnFaults {

    private TurnFaults() {}

    static BelayException committed(TurnStart start) {
        return new BelayException("turn_ended",
                name(start.session(), start.turn()) + " was committed; result() says how it ended");
    }

    static BelayException parked(TurnStart start) {
        return new BelayException("turn_parked", name(start.session(), start.turn())
                + " waits for calls; return, and begin it again when they are settled");
    }

    static BelayException stuck(SessionId session, long turn, ScopeState state) {
        return new BelayException("session_stuck", name(session, turn) + " cannot go on by itself: "
                + state.stuckBecause() + "; see stuck() of the runtime, then retry it or abandon it");
    }

    /** The turn is not run here any more: stuck if its scope is, otherwise lost. */
    static BelayException gone(JournalHost host, TurnStart start) {
        ScopeState state = host.isClosing() ? null : host.state(start.scope()).orElse(null);
        if (state != null && state.status() == ScopeState.Status.STUCK) {
            return stuck(start.session(), start.turn(), state);
        }
        return new BelayException("turn_lost", name(start.session(), start.turn())
                + " is not run here any more: it was closed, taken over, deleted, or the runtime is closed;"
                + " begin it again with the same input id");
    }

    private static String name(SessionId session, long turn) {
        return "turn " + turn + " of session " + session;
    }
}
