package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.MessageLog;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenDoubt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.turn.TurnCommits;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.session.turn.TurnState;
import dev.belay.runtime.store.Doubt;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns that cannot go on by themselves, and what an operator can do about them. Thread-safe. */
public final class StuckTurns {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    private static final int PAGE = 1_000;

    private final TurnServices services;

    public StuckTurns(TurnServices services) {
        this.services = services;
    }

    /** All of them. */
    public List<StuckTurn> list() {
        return services.host()
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

    /** The session of a turn whose own record of it cannot be read. */
    private Optional<SessionId> session(ScopeState state) {
        SessionId after = null;
        while (true) {
            List<SessionHead> some = services.store().sessions(after, PAGE);
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
        return services.inbox().scope(session, turn).filter(services.host()::retry).isPresent();
    }

    /**
     * Commits one as far as its records say, so that its session can go on; false if it is not stuck. What was decided about tools
     * and settings in it waits for the next turn; what its calls have changed about tools is lost.
     */
    public boolean abandon(SessionId session, long turn, String reason) {
        ScopeState stuck = services.inbox()
                .scope(session, turn)
                .flatMap(services.host()::state)
                .filter(state -> state.status() == ScopeState.Status.STUCK)
                .orElse(null);
        if (stuck == null) {
            return false;
        }
        TurnStart start = start(session, turn, stuck);
        var abandoned = new AbandonedTurn(services, start, reason);
        TurnState state = abandoned.state(before(start, stuck));
        state.leaveCommands();
        if (stuck.entries() > 0 && abandoned.asksNext()) {
            state.lostRound(); // an entry that failed may have asked a model
        }
        List<OpenDoubt.Of> doubts = abandoned.doubts();
        TurnResult result = TurnCommits.result(start, state, abandoned.end(), doubts.stream()
                .map(doubt -> Doubt.id(stuck.id().value(), doubt.record()))
                .toList());
        TurnCommit commit = TurnCommits.of(start, state, result, null, abandoned.calls(), doubts);
        abandoned.stopChildren();
        settle(state, commit.result());
        return services.inbox().abandon(commit, () -> {
            services.inbox().images().forget(session);
            services.host().ended(stuck.id());
            services.streams().of(session).tell(new TurnEvent.Committed(turn, result));
        });
    }

    /** How the turn began; read from its input's own row if the record of the turn cannot be read. */
    private TurnStart start(SessionId session, long turn, ScopeState stuck) {
        try {
            return TurnStart.of(stuck.input());
        } catch (BelayException unreadable) {
            SessionStore store = services.store();
            return store.turn(session, turn)
                    .flatMap(row -> store.arrival(session, row.input()))
                    .flatMap(input -> store.head(session)
                            .map(head -> new TurnStart(session, head.incarnation(), turn,
                                    input.arrival().id(), TurnInput.of(input.arrival().content()),
                                    TurnScope.agent(stuck.input().kind())
                                            .orElse(head.profile().agent()))))
                    .orElseThrow(() -> unreadable);
        }
    }

    /** What the turn started from. A past that cannot be read is none: an abandoned turn only adds to it. */
    private SessionImage before(TurnStart start, ScopeState stuck) {
        try {
            return services.inbox().images().before(start, stuck.fence().value());
        } catch (FencedException e) {
            throw e;
        } catch (BelayException e) {
            if (e instanceof JournalException store && !store.isDamage()) {
                throw e;
            }
            LOG.warn("Turn {} of session {} is abandoned without its past, which cannot be read",
                    start.turn(), start.session(), e);
            return new SessionImage(start.incarnation(), start.turn() - 1, "", MessageLog.empty(), Json.NULL,
                    null);
        }
    }

    /** Before the commit, like a turn that ends by itself. */
    private void settle(TurnState state, Json result) {
        state.settles().forEach(token -> services.host().settle(token, new Resolution.Ok(result)));
    }
}
