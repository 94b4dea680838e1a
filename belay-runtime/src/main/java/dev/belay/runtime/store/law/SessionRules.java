package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ProcessRows.GRANTS;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.INPUTS;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.RESULTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.CALLS;
import static dev.belay.runtime.store.rows.SessionRows.INCARNATIONS;
import static dev.belay.runtime.store.rows.SessionRows.MESSAGES;
import static dev.belay.runtime.store.rows.SessionRows.PASTS;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;
import static dev.belay.runtime.store.rows.StoreRows.KEPT;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Call;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.SessionRows.Named;
import dev.belay.runtime.store.rows.SessionRows.Past;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.runtime.store.rows.StoreRows.Kept;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What writes decide about sessions, together with the scopes of their turns.
 *
 * @param scopes what they decide about scopes
 */
record SessionRules(ScopeRules scopes) {

    /** Rows of a scope, which go with it. */
    private static final List<Table<?>> OF_A_SCOPE = List.of(INPUTS, RESULTS, EFFECTS, WAITS, LATE, KEPT, SCOPES);
    /** Rows of a session, which go with it. */
    private static final List<Table<?>> OF_A_SESSION = List.of(ARRIVALS, TURNS, MESSAGES, CALLS, PASTS,
            SESSIONS);

    Operation<Acceptance> accept(SessionId session, Incarnation ifNew, Arrival arrival, long expectedPlace,
            boolean take, Incarnation ofScope, Instant at) {
        String id = session.value();
        return Operation.of("accept " + session + " " + arrival.id(), arrival.content().text().length() * 2L,
                rows -> {
                    selectOrMake(rows, session, ifNew);
                    rows.add(Selector.one(ARRIVALS, id, arrival.id()));
                    Secrets.select(rows);
                }, unit -> {
                    Session known = unit.get(SESSIONS, id);
                    Arrived before = unit.get(ARRIVALS, id, arrival.id());
                    if (before != null) {
                        var kept = SessionReads.arrived(before);
                        return before.arrival().isSameAs(arrival)
                                ? new Acceptance.Known(kept)
                                : new Acceptance.Conflict(kept);
                    }
                    if (expectedPlace >= 0 && expectedPlace != (known == null ? 0 : known.lastPlace())) {
                        return new Acceptance.Overtaken();
                    }
                    Session head = found(unit, session, ifNew, at).arrived(at);
                    var arrived = new Arrived(id, arrival, head.lastPlace(), null, at);
                    if (arrival.kind() != Arrival.Kind.INPUT || head.active() != null) {
                        unit.put(ARRIVALS, arrived);
                        unit.put(SESSIONS, head);
                        return new Acceptance.Waits(head.lastPlace());
                    }
                    return new Acceptance.Started(head.revision() + 1,
                            begin(unit, head, arrived, take, ofScope, at));
                });
    }

    /** Names a session, and what shows that it may be made. */
    static void selectOrMake(Collection<Selector<?>> rows, SessionId session, Incarnation ifNew) {
        rows.add(Selector.one(SESSIONS, session.value()));
        rows.add(Selector.one(INCARNATIONS, ifNew.toString()));
    }

    /** A session, made if there is none. Its row is put by the caller, or here if it is new. */
    static Session found(Unit unit, SessionId session, Incarnation ifNew, Instant at) {
        Session known = unit.get(SESSIONS, session.value());
        return known != null ? known : made(unit, Session.empty(session.value(), ifNew, at));
    }

    private static Session made(Unit unit, Session session) {
        if (unit.get(INCARNATIONS, session.incarnation().toString()) != null) {
            throw new IllegalArgumentException("the incarnation " + session.incarnation()
                    + " belongs to another session; draw one for " + session.id());
        }
        unit.put(INCARNATIONS, new Named(session.incarnation(), session.id()));
        unit.put(SESSIONS, session);
        return session;
    }

    /** Begins the next turn for an arrival; the right to run it, if that is wanted. */
    private @Nullable Claim begin(Unit unit, Session head, Arrived first, boolean take, Incarnation ofScope,
            Instant at) {
        long turn = head.revision() + 1;
        ScopeInput input = TurnScope.input(new SessionId(head.id()), head.incarnation(), turn,
                first.arrival());
        unit.put(ARRIVALS, first.taken(turn));
        unit.put(TURNS, new Turn(head.id(), turn, first.arrival().id(), at, true, null));
        unit.put(SESSIONS, head.begun(turn, TurnScope.isOpen(input.kind()), at));
        return scopes.begin(unit, TurnScope.id(head.incarnation(), turn), input, take, ofScope, at);
    }

    Operation<Boolean> withdraw(SessionId session, String id, Instant at) {
        return Operation.of("withdraw " + session + " " + id, 0, rows -> {
            rows.add(Selector.one(SESSIONS, session.value()));
            rows.add(Selector.one(ARRIVALS, session.value(), id));
        }, unit -> {
            Session head = unit.get(SESSIONS, session.value());
            Arrived row = unit.get(ARRIVALS, session.value(), id);
            boolean waits = row != null && row.turn() == null;
            if (head != null && waits) {
                unit.delete(ARRIVALS, session.value(), id);
                unit.put(SESSIONS, head.withdrawn(at));
            }
            return waits;
        });
    }

    Operation<Committed> commit(Claim claim, TurnCommit commit, boolean take, Incarnation ofNext,
            Instant at) {
        Payload result = Payload.of(commit.result());
        String scope = claim.scope().value();
        return new Operation<>("commit " + commit.session() + " " + commit.turn(), size(commit, result),
                rows -> {
                    selectCommit(rows, commit);
                    rows.add(Selector.one(SCOPES, scope));
                    ScopeRules.selectEnd(rows, scope, result);
                }, (unit, rows) -> selectRefusal(unit, rows, commit), unit -> {
                    Session head = unit.get(SESSIONS, commit.session().value());
                    if (head == null || !scope.startsWith(TurnScope.prefix(head.incarnation()))) {
                        return new Committed.Fenced();
                    }
                    boolean own = claim.scope().equals(TurnScope.id(head.incarnation(), commit.turn()));
                    return end(unit, head, commit, result, take, ofNext, at,
                            () -> own && scopes.end(unit, claim, result, at));
                });
    }

    Operation<Committed> abandon(TurnCommit commit, boolean take, Incarnation ofNext, Instant at) {
        Payload result = Payload.of(commit.result());
        return new Operation<>("abandon " + commit.session() + " " + commit.turn(), size(commit, result),
                rows -> selectCommit(rows, commit), (unit, rows) -> {
                    selectRefusal(unit, rows, commit);
                    Session head = unit.get(SESSIONS, commit.session().value());
                    if (head != null) {
                        String scope = TurnScope.id(head.incarnation(), commit.turn()).value();
                        rows.add(Selector.one(SCOPES, scope));
                        ScopeRules.selectEnd(rows, scope, result);
                    }
                }, unit -> {
                    Session head = unit.get(SESSIONS, commit.session().value());
                    if (head == null) {
                        return new Committed.Fenced();
                    }
                    ScopeId scope = TurnScope.id(head.incarnation(), commit.turn());
                    return end(unit, head, commit, result, take, ofNext, at,
                            () -> scopes.abandon(unit, scope, result, at));
                });
    }

    private static long size(TurnCommit commit, Payload result) {
        Json state = commit.state();
        return commit.messages().stream().mapToLong(message -> message.text().length()).sum()
                + (state == null ? 0 : state.text().length()) + result.size();
    }

    private static void selectCommit(Collection<Selector<?>> rows, TurnCommit commit) {
        String id = commit.session().value();
        rows.add(Selector.one(SESSIONS, id));
        rows.add(Selector.one(TURNS, id, commit.turn()));
        commit.taken().forEach(taken -> rows.add(Selector.one(ARRIVALS, id, taken)));
        rows.add(nextInput(commit));
        Secrets.select(rows);
    }

    /** The first input that waits is among these, whatever the turn takes along. */
    private static Selector<Arrived> nextInput(TurnCommit commit) {
        return new Selector.Found<>(Index.INPUTS, commit.session().value(), null, null, null,
                commit.taken().size() + 1);
    }

    /** Names what the answer needs if the turn is not the active one. */
    private static void selectRefusal(Unit unit, Collection<Selector<?>> rows, TurnCommit commit) {
        Session head = unit.get(SESSIONS, commit.session().value());
        if (head != null && !isActive(head, commit)) {
            SessionReads.selectState(rows, head);
            SessionReads.selectResult(rows, head, unit.get(TURNS, head.id(), commit.turn()));
        }
    }

    private static boolean isActive(Session head, TurnCommit commit) {
        return head.active() != null && head.active() == commit.turn();
    }

    private Committed end(Unit unit, Session head, TurnCommit commit, Payload result, boolean take,
            Incarnation ofNext, Instant at, BooleanSupplier endScope) {
        Turn turn = unit.get(TURNS, head.id(), commit.turn());
        if (!isActive(head, commit) || turn == null) {
            End end = turn == null ? null : turn.end();
            return turn != null && end != null && end.receipt().equals(commit.receipt())
                    ? new Committed.Already(SessionReads.turn(unit, head, turn))
                    : new Committed.Diverged(SessionReads.head(unit, head));
        }
        if (!endScope.getAsBoolean()) {
            return new Committed.Fenced();
        }
        Session ended = ended(unit, head, turn, commit, result.hash(), at);
        Arrived next = unit.first(nextInput(commit));
        if (next == null) {
            unit.put(SESSIONS, ended);
            return new Committed.Done(0, null);
        }
        return new Committed.Done(ended.revision() + 1,
                begin(unit, ended, next, take, ofNext, at));
    }

    /** Writes what a turn leaves; the head of its session after it. */
    private static Session ended(Unit unit, Session head, Turn turn, TurnCommit commit,
            @Nullable String output, Instant at) {
        long place = head.messages();
        for (Json message : commit.messages()) {
            unit.put(MESSAGES, new Message(head.id(), place++, commit.turn(), message));
        }
        long call = head.calls();
        for (Json made : commit.calls()) {
            unit.put(CALLS, new Call(head.id(), call++, commit.turn(), made));
        }
        int taken = 0;
        for (String id : commit.taken()) {
            Arrived row = unit.get(ARRIVALS, head.id(), id);
            if (row != null && row.turn() == null) {
                unit.put(ARRIVALS, row.taken(commit.turn()));
                taken++;
            }
        }
        unit.put(TURNS, new Turn(head.id(), turn.turn(), turn.input(), turn.acceptedAt(), true,
                new End(commit.receipt(), null, output, commit.state(), head.messages(), commit.messages().size(),
                        head.calls(), commit.calls().size(), at)));
        return head.committed(commit.state() != null, commit.messages().size(), commit.calls().size(), taken,
                at);
    }

    Operation<Boolean> create(NewSession session, Instant at) {
        Incarnation from = session.keepsOf();
        String keeper = TurnScope.prefix(session.incarnation());
        String id = session.id().value();
        long size = session.messages().stream().mapToLong(one -> one.message().text().length()).sum();
        return Operation.of("create " + session.id(), size, rows -> {
            selectOrMake(rows, session.id(), session.incarnation());
            if (from != null) {
                rows.add(Selector.one(INCARNATIONS, from.toString()));
                rows.add(Selector.of(KEPT, TurnScope.prefix(from)));
            }
        }, unit -> {
            if (unit.get(SESSIONS, id) != null) {
                return false;
            }
            if (from != null) {
                if (unit.get(INCARNATIONS, from.toString()) == null) {
                    throw session.orphaned();
                }
                unit.list(Selector.of(KEPT, TurnScope.prefix(from)))
                        .forEach(kept -> unit.put(KEPT,
                                new Kept(keeper, kept.reference(), kept.hash(), kept.since())));
            }
            made(unit, new Session(id, session.incarnation(), session.turns().size(), null, false, 0,
                    session.messages().size(), 0, 0, 0, at, at));
            unit.put(PASTS, new Past(id, session.origin(), session.state()));
            for (TurnRow turn : session.turns()) {
                unit.put(TURNS, past(id, turn));
            }
            for (StoredMessage message : session.messages()) {
                unit.put(MESSAGES, new Message(id, message.place(), message.turn(), message.message()));
            }
            return true;
        });
    }

    private static Turn past(String session, TurnRow turn) {
        TurnRow.End end = turn.end();
        return new Turn(session, turn.turn(), turn.input(), turn.acceptedAt(), false,
                end == null
                        ? null
                        : new End(end.receipt(), end.result(), null, end.state(), end.firstMessage(),
                                end.messages(), 0, 0, end.at()));
    }

    Operation<Boolean> delete(SessionId session) {
        String id = session.value();
        Selector<Grant> grants = Selector.found(Index.GRANTED, id);
        return Operation.of("delete " + session, 0, rows -> {
            rows.add(Selector.one(SESSIONS, id));
            rows.add(grants);
        }, unit -> {
            Session head = unit.get(SESSIONS, id);
            if (head != null) {
                for (long turn = 1; turn <= head.revision() + 1; turn++) {
                    String scope = TurnScope.id(head.incarnation(), turn).value();
                    OF_A_SCOPE.forEach(table -> unit.clear(table, scope));
                }
                unit.clear(KEPT, TurnScope.prefix(head.incarnation()));
                unit.list(grants).forEach(grant -> unit.delete(GRANTS, grant.process(), id));
                unit.clear(INCARNATIONS, head.incarnation().toString());
                OF_A_SESSION.forEach(table -> unit.clear(table, id));
            }
            return head != null;
        });
    }
}
