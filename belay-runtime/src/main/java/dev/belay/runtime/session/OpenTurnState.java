package dev.belay.runtime.session;

import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * A turn whose loop a program owns, and that is not committed.
 *
 * @param session whose
 * @param turn its number
 * @param inputId the id of its input, by which {@link Session#begin} finds it
 * @param loop the name of its loop, or null
 * @param phase how it stands
 */
public record OpenTurnState(SessionId session, long turn, String inputId, @Nullable String loop,
        Phase phase) {

    /** How an open turn stands. */
    public enum Phase {
        /** A loop is at work on it, or was when its process died. */
        RUNNING,
        /** The calls it waited for are settled: its loop can go on. */
        READY,
        /** It waits for calls, or for {@link Session#begin}. */
        WAITING,
        /** It cannot go on by itself; the runtime's {@code stuck()} says why. */
        STUCK
    }

    public static OpenTurnState of(ScopeState scope) {
        TurnStart start = TurnStart.of(scope.input());
        String loop = start.input().loop();
        return new OpenTurnState(start.session(), start.turn(), start.inputId(),
                loop == null || loop.isEmpty() ? null : loop, switch (scope.status()) {
                    case RUNNING -> Phase.RUNNING;
                    case READY -> Phase.READY;
                    case PARKED, ENDED -> Phase.WAITING;
                    case STUCK -> Phase.STUCK;
                });
    }
}
