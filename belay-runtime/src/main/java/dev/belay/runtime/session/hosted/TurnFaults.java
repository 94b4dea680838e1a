package dev.belay.runtime.session.hosted;

import dev.belay.BelayException;
import dev.belay.model.ModelException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalHost;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    /** The model fails in a way that may pass, and is not asked before its next try is due. */
    static ModelException modelWaits(TurnStart start, Outage outage, Duration left,
            @Nullable ModelException failure) {
        FailedTry last = Objects.requireNonNull(outage.last());
        var waits = new ModelException(ModelException.Kind.UNAVAILABLE, "try " + outage.tries()
                + " of a round in " + name(start.session(), start.turn()) + " failed (" + last.code() + ": "
                + last.message() + "); call step() again at " + last.due() + ", before that the model is not"
                + " asked; patience ends at " + outage.until(), failure)
                .withRetryAfter(left);
        return failure == null ? waits : failure.partial().map(waits::withPartial).orElse(waits);
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

    /** The scope was left while calls waited; throws unless that is because it was parked. */
    static void requireParked(JournalHost host, TurnStart start) {
        ScopeState state = host.state(start.scope()).orElse(null);
        if (host.isClosing() || state == null || state.status() == ScopeState.Status.STUCK) {
            throw gone(host, start);
        }
    }

    private static String name(SessionId session, long turn) {
        return "turn " + turn + " of session " + session;
    }

    /** The round after one that is committed now was recorded with other replies to it. */
    static ReplayMismatchException otherReplies(TurnStart turn, int round, RoundRecord.Before known,
            int now) {
        return new ReplayMismatchException(turn.scope(), "round/" + (round + 1), known.kept()
                ? "it has " + known.replies().size() + " replies to the round before, now " + now
                : "the round before it was dropped, and is to be committed now");
    }
}
