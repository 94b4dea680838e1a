package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.turn.SessionEngine;
import dev.belay.runtime.session.turn.TurnCommits;
import dev.belay.runtime.session.turn.TurnStart;
import dev.belay.runtime.session.turn.TurnState;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import java.util.List;
import java.util.Optional;

/** What an operator does about turns that cannot go on by themselves. Thread-safe. */
public final class StuckTurns {

    private static final int PAGE = 1_000;

    private final SessionEngine engine;

    public StuckTurns(SessionEngine engine) {
        this.engine = engine;
    }

    /** All of them. */
    public List<StuckTurn> list() {
        return engine.host()
                .stuck()
                .stream()
                .filter(state -> TurnScope.isTurn(state.input().kind()))
                .flatMap(state -> stuck(state).stream())
                .toList();
    }

    private Optional<StuckTurn> stuck(ScopeState state) {
        String because = String.valueOf(state.stuckBecause());
        try {
            TurnStart start = TurnStart.of(state.input());
            return Optional.of(new StuckTurn(start.session(), start.turn(), because));
        } catch (BelayException unreadable) {
            return TurnScope.turn(state.id())
                    .flatMap(turn -> session(state).map(id -> new StuckTurn(id, turn, because)));
        }
    }

    /** Whose turn it is, if that cannot be read in the turn itself. */
    private Optional<SessionId> session(ScopeState state) {
        SessionId after = null;
        while (true) {
            List<SessionHead> some = engine.sessions(after, PAGE);
            for (SessionHead head : some) {
                if (state.id().value().startsWith(TurnScope.prefix(head.incarnation()))) {
                    return Optional.of(head.id());
                }
            }
            if (some.isEmpty()) {
                return Optional.empty();
            }
            after = some.getLast().id();
        }
    }

    /** Lets one go on; false if it is not stuck. */
    public boolean retry(SessionId session, long turn) {
        return engine.scope(session, turn).filter(engine.host()::retry).isPresent();
    }

    /**
     * Commits one as far as its records say, so that its session can go on; false if it is not stuck. What was decided about tools
     * and settings in it waits for the next turn; what its calls have changed about tools is lost.
     */
    public boolean abandon(SessionId session, long turn, String reason) {
        ScopeState stuck = engine.scope(session, turn)
                .flatMap(engine.host()::state)
                .filter(state -> state.status() == ScopeState.Status.STUCK)
                .orElse(null);
        if (stuck == null) {
            return false;
        }
        TurnStart start = TurnStart.of(stuck.input());
        var abandoned = new AbandonedTurn(engine, start, reason);
        TurnState state = abandoned.state(engine.images().before(start, stuck.fence().value()));
        state.leaveCommands();
        if (stuck.entries() > 0 && abandoned.asksNext()) {
            state.lostRound(); // whoever entered it so often may have asked
        }
        TurnResult result = TurnCommits.result(start, state, abandoned.end());
        TurnCommit commit = TurnCommits.of(start, state, result, null);
        abandoned.stopBegun();
        settle(state, commit.result());
        Committed committed = engine.host()
                .claiming(session, () -> engine.activeScope(session),
                        () -> engine.store().abandon(commit, engine.host().hasRoom(), engine.now()));
        engine.images().forget(session);
        if (!(committed instanceof Committed.Done(long started, Claim next))) {
            return false;
        }
        engine.host().ended(stuck.id());
        engine.streams().of(session).tell(new TurnEvent.Committed(turn, result));
        if (next != null) {
            engine.host().adopt(next);
        }
        return true;
    }

    /** Before the commit, like a turn that ends by itself. */
    private void settle(TurnState state, Json result) {
        state.settles().forEach(token -> engine.host().resolve(token, new Resolution.Ok(result)));
    }
}
