package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.MessageLog;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.session.turn.TurnCommits;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.OperatorReads.StuckScope;
import dev.belay.runtime.store.law.SessionReads;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

    /** A page of them. Batches that are stuck may stand behind them, so that the last page may be empty. */
    public Page<StuckTurn> list(@Nullable String after, int most) {
        List<StuckScope> found = services.store()
                .read(OperatorReads.stuck(after == null ? TurnScope.BEFORE_ALL : new ScopeId(after), most));
        return new Page<>(found.stream()
                .filter(scope -> TurnScope.isTurn(scope.state().input().kind()))
                .flatMap(scope -> stuck(scope.state(), scope.since()).stream())
                .toList(), found.size() < most ? null : found.getLast().state().id().value());
    }

    private Optional<StuckTurn> stuck(ScopeState state, Instant since) {
        String because = String.valueOf(state.stuckBecause());
        try {
            TurnStart start = TurnStart.of(state.input());
            return Optional.of(new StuckTurn(start.session(), start.turn(), because, since));
        } catch (BelayException unreadable) {
            return TurnScope.turn(state.id())
                    .flatMap(turn -> session(state).map(id -> new StuckTurn(id, turn, because, since)));
        }
    }

    /** The session of a turn whose own record of it cannot be read. */
    private Optional<SessionId> session(ScopeState state) {
        SessionId after = null;
        while (true) {
            List<SessionHead> some = services.store().read(SessionReads.heads(after, PAGE));
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

    /** Lets a stuck one go on. */
    public VerbResult retry(SessionId session, long turn, Actor by) {
        ScopeId scope = services.inbox().scope(session, turn).orElse(null);
        if (scope == null) {
            return unknown(session, turn);
        }
        if (services.host().by(noting(by, "retry", session, turn, null)).retry(scope)) {
            return VerbResult.DONE;
        }
        return services.host()
                .state(scope)
                .map(state -> state.status() == Status.ENDED
                        ? new VerbResult.NotPossible("turn " + turn + " of session " + session + " has ended")
                        : VerbResult.ALREADY)
                .orElseGet(() -> unknown(session, turn));
    }

    private Store noting(Actor by, String verb, SessionId session, long turn,
            @Nullable String reason) {
        return services.store()
                .noting(AuditEntry.Note.of(by, verb, session + "/" + turn, reason), services.inbox().now());
    }

    private static VerbResult unknown(SessionId session, long turn) {
        return new VerbResult.NotPossible("there is no turn " + turn + " in session " + session);
    }

    /** Asks the active turn of a session to end. */
    public VerbResult cancel(SessionId session, String reason, Actor by) {
        SessionHead head = services.store().read(SessionReads.head(session)).orElse(null);
        if (head == null || head.active() == null) {
            return new VerbResult.NotPossible("session " + session + " has no turn that could be cancelled");
        }
        long turn = head.active();
        return switch (services.host()
                .by(noting(by, "cancel", session, turn, reason))
                .cancel(TurnScope.id(head.incarnation(), turn), reason)) {
            case CancelReceipt.Requested requested -> VerbResult.DONE;
            case CancelReceipt.AlreadyRequested already -> VerbResult.ALREADY;
            case CancelReceipt.AlreadyEnded ended ->
                new VerbResult.NotPossible("turn " + turn + " of session " + session + " has ended");
            case CancelReceipt.Unknown gone -> unknown(session, turn);
        };
    }

    /**
     * Commits a turn that no process runs as far as its records say, so that its session can go on. What was decided about tools
     * and settings in it waits for the next turn; what its calls have changed about tools is lost.
     *
     * <p>Recovery: a turn that is not stuck is made stuck first, so that no process takes it meanwhile. If this process dies in between,
     * the turn is listed as stuck, and can be retried or abandoned.
     */
    public VerbResult abandon(SessionId session, long turn, String reason, Actor by) {
        ScopeId scope = services.inbox().scope(session, turn).orElse(null);
        if (scope == null) {
            return unknown(session, turn);
        }
        ScopeState state = services.host().state(scope).orElse(null);
        if (state != null && state.status() != Status.STUCK
                && services.store()
                        .apply(services.store()
                                .scopes()
                                .stop(scope, "it is being abandoned by " + by.name() + ": " + reason,
                                        services.inbox().now()))) {
            state = services.host().state(scope).orElse(null);
        }
        if (state == null) {
            return unknown(session, turn);
        }
        return switch (state.status()) {
            case STUCK -> abandon(session, turn, reason, state, by);
            case ENDED -> VerbResult.ALREADY;
            case READY, RUNNING, PARKED -> running(session, turn);
        };
    }

    private static VerbResult running(SessionId session, long turn) {
        return new VerbResult.NotPossible("turn " + turn + " of session " + session
                + " runs in a process that is alive; cancel it, or stop that process first");
    }

    private VerbResult abandon(SessionId session, long turn, String reason, ScopeState stuck, Actor by) {
        TurnStart start = start(session, turn, stuck);
        // from here on no answer to a parked call is accepted, so that none is lost between reading and writing
        services.host().cancel(stuck.id(), "the turn is abandoned: " + reason);
        var abandoned = new AbandonedTurn(services, start, reason);
        SessionImage image = before(start, stuck);
        TurnState state = abandoned.state(image);
        state.leaveCommands();
        if (stuck.entries() > 0 && abandoned.asksNext()) {
            state.lostRound(); // an entry that failed may have asked a model
        }
        List<OpenDoubt.Of> doubts = abandoned.doubts();
        TurnResult.Ended result = TurnCommits.result(start, state, abandoned.end(), abandoned.doubtIds());
        TurnCommit commit = TurnCommits.of(start, state, result, abandoned.changed(image),
                abandoned.calls(), doubts, List.of());
        abandoned.stopChildren();
        settle(state, commit.result());
        boolean done = services.inbox()
                .abandon(commit, noting(by, "abandon", session, turn, reason), () -> {
                    services.inbox().images().forget(session);
                    services.host().ended(stuck.id());
                    TurnCommits.tell(services.streams().of(session), start, doubts);
                    services.streams().of(session).tell(new TurnEvent.Committed(turn, result));
                });
        return done ? VerbResult.DONE : running(session, turn);
    }

    /** How the turn began; read from its input's own row if the record of the turn cannot be read. */
    private TurnStart start(SessionId session, long turn, ScopeState stuck) {
        try {
            return TurnStart.of(stuck.input());
        } catch (BelayException unreadable) {
            Store store = services.store();
            return store.read(SessionReads.turn(session, turn))
                    .flatMap(row -> store.read(SessionReads.arrival(session, row.input())))
                    .flatMap(input -> store.read(SessionReads.head(session))
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
            return new SessionImage(start.incarnation(), start.turn() - 1, "", 0, MessageLog.empty(),
                    Json.NULL,
                    null, null);
        }
    }

    /** Before the commit, like a turn that ends by itself. */
    private void settle(TurnState state, Json result) {
        state.settles().forEach(token -> services.host().settle(token, new Resolution.Ok(result)));
    }
}
