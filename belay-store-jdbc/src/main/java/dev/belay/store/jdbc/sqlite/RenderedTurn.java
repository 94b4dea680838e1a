package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.tool.context.Incarnation;

/**
 * The beginning of a turn, rendered before the writing thread gets it: for that the number of the turn and its input have to be
 * guessed from what was read. A guess that turns out wrong is made again.
 *
 * @param session the session's incarnation
 * @param turn its number
 * @param arrival the id of what starts it
 * @param input what its scope starts from
 * @param value that as text
 * @param hash of that
 * @param incarnation drawn for the scope
 */
record RenderedTurn(Incarnation session, long turn, String arrival, ScopeInput input, String value,
        String hash,
        Incarnation incarnation) {

    static RenderedTurn of(SessionId id, Incarnation session, long turn, Arrival first,
            Incarnation incarnation) {
        ScopeInput input = TurnScope.input(id, session, turn, first);
        return new RenderedTurn(session, turn, first.id(), input, input.value().text(), input.hash(),
                incarnation);
    }

    /** Whether it is the one that is wanted. */
    boolean fits(Incarnation wantedSession, long wantedTurn, String wantedArrival) {
        return session.equals(wantedSession) && turn == wantedTurn && arrival.equals(wantedArrival);
    }

    ScopeId scope() {
        return TurnScope.id(session, turn);
    }

    /** The right to run it, for whoever has just submitted it. */
    Claim claim(long secret) {
        return new Claim(scope(), input, 1, incarnation, secret, 1, null);
    }
}
