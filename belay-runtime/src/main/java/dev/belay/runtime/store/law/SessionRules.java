package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.HELD;
import static dev.belay.runtime.store.rows.ProcessRows.GRANTS;
import static dev.belay.runtime.store.rows.ScopeRows.AWAITED;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.INPUTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.RESULTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.CALLS;
import static dev.belay.runtime.store.rows.SessionRows.INCARNATIONS;
import static dev.belay.runtime.store.rows.SessionRows.MESSAGES;
import static dev.belay.runtime.store.rows.SessionRows.PASTS;
import static dev.belay.runtime.store.rows.SessionRows.PROFILES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;
import static dev.belay.runtime.store.rows.StoreRows.KEPT;

import dev.belay.BelayException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.law.SessionRules.Withdrawing;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.OperatorRows.Held;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.SessionRows.Named;
import dev.belay.runtime.store.rows.SessionRows.Past;
import dev.belay.runtime.store.rows.SessionRows.Profile;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.runtime.store.rows.StoreRows.Kept;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What writes decide about sessions, together with the scopes of their turns.
 *
 * @param scopes what they decide about scopes
 */
public record SessionRules(ScopeRules scopes) {

    /** What became of an input that is taken back. */
    public enum Withdrawing {
        /** It is gone, as if it had never come. */
        DONE,
        /** There is no such input. */
        UNKNOWN,
        /** It is in a turn. */
        IN_TURN,
        /** A turn of its session runs in another process: its next checkpoint does not take it. A round that has shown it before keeps it. */
        ASKED,
        /** It was asked back before, and the turn of that time still runs; nothing was written. */
        ASKED_BEFORE
    }

    /** Rows of a scope, which go with it. */
    private static final List<Table<?>> OF_A_SCOPE = List.of(INPUTS, RESULTS, EFFECTS, WAITS, KEYS, LATE,
            KEPT,
            AWAITED, SCOPES);
    /** Rows of a session, which go with it. */
    private static final List<Table<?>> OF_A_SESSION = List.of(ARRIVALS, TURNS, MESSAGES, CALLS, PASTS,
            PROFILES, SESSIONS);

    /**
     * Accepts something durably. Makes the session if there is none. An input starts a turn if none is active: its scope, named and described
     * by {@link TurnScope}, is submitted in the same write. Otherwise the arrival waits. One that is known is told so, whatever place is
     * expected.
     *
     * @param ifNew the incarnation of the session if it is made now; one that no other session has
     * @param expectedPlace the place of the last arrival that the sender knows of, or -1 if that does not matter
     * @param take whether to own the turn at once
     */
    public Operation<Acceptance> accept(SessionId session, Incarnation ifNew, Arrival arrival,
            long expectedPlace,
            boolean take, Instant at) {
        String id = session.value();
        Incarnation ofScope = scopes.incarnations().get();
        return Operation.of(new Operation.Label("accept ", session, arrival.id()),
                arrival.content().text().length() * 2L,
                rows -> {
                    selectOrMake(rows, session, ifNew);
                    rows.add(Selector.one(ARRIVALS, id, arrival.id()));
                    Secrets.select(rows);
                }, unit -> {
                    Session known = unit.get(SESSIONS, id);
                    Arrived before = unit.get(ARRIVALS, id, arrival.id());
                    if (before != null && !isGivenAnew(known, before, arrival)) {
                        var kept = SessionReads.arrived(before);
                        return before.arrival().isSameAs(arrival)
                                ? new Acceptance.Known(kept)
                                : new Acceptance.Conflict(kept);
                    }
                    if (expectedPlace >= 0 && expectedPlace != (known == null ? 0 : known.lastPlace())) {
                        return new Acceptance.Overtaken();
                    }
                    if (arrival.kind() == Arrival.Kind.INPUT && profile(unit, id).closedAt() != null) {
                        return new Acceptance.Closed();
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

    /** An input that was asked back may be given again; while a turn may still have it, with the same content. */
    private static boolean isGivenAnew(@Nullable Session head, Arrived before, Arrival again) {
        return before.isAskedBack()
                && ((head != null && before.isGone(head)) || before.arrival().isSameAs(again));
    }

    /** Names a session, and what shows that it may be made. */
    static void selectOrMake(Collection<Selector<?>> rows, SessionId session, Incarnation ifNew) {
        rows.add(Selector.one(SESSIONS, session.value()));
        rows.add(Selector.one(INCARNATIONS, ifNew.toString()));
        rows.add(Selector.one(PROFILES, session.value()));
    }

    /** What is said about a session. */
    static SessionProfile profile(Unit unit, String session) {
        Profile row = unit.get(PROFILES, session);
        return row == null ? SessionProfile.PLAIN : row.value();
    }

    /**
     * Says something else about a session, which counts from the next turn on, and for a turn that no runtime has entered. What was said
     * before; empty if there is no such session.
     *
     * @param change pure: it may be applied several times
     */
    public static Operation<Optional<SessionProfile>> profile(SessionId session,
            UnaryOperator<SessionProfile> change) {
        String id = session.value();
        return new Operation<>("profile " + session, 0, rows -> {
            rows.add(Selector.one(SESSIONS, id));
            rows.add(Selector.one(PROFILES, id));
        }, (unit, rows) -> selectActive(unit, rows, id), unit -> {
            Session head = unit.get(SESSIONS, id);
            if (head == null) {
                return Optional.empty();
            }
            SessionProfile before = profile(unit, id);
            SessionProfile after = change.apply(before);
            if (!after.equals(before)) {
                unit.put(PROFILES, new Profile(id, after));
                giveAway(unit, head, after.agent());
            }
            return Optional.of(before);
        });
    }

    /** A turn that waits and was never entered goes with its session. */
    private static void giveAway(Unit unit, Session head, String agent) {
        Scope scope = active(unit, head);
        if (scope != null && scope.status() == Status.READY && scope.fence() == 0
                && TurnScope.agent(scope.kind()).isPresent()) {
            unit.put(SCOPES, scope.ofKind(TurnScope.kind(agent)));
        }
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

    /** Begins the next turn for an arrival; the right to run it, if that is wanted and its agent is served here. */
    @Nullable
    Claim begin(Unit unit, Session head, Arrived first, boolean take, Incarnation ofScope,
            Instant at) {
        long turn = head.revision() + 1;
        SessionProfile profile = profile(unit, head.id());
        ScopeInput input = TurnScope.input(new SessionId(head.id()), head.incarnation(), turn,
                first.arrival(), profile);
        String scope = TurnScope.id(head.incarnation(), turn).value();
        profile.above().forEach(above -> unit.put(HELD, new Held(TurnScope.below(above), scope, at)));
        unit.put(ARRIVALS, first.taken(turn));
        unit.put(TURNS, new Turn(head.id(), turn, first.arrival().id(), at, true, null));
        unit.put(SESSIONS, head.begun(turn, TurnScope.isOpen(input.kind()), at));
        return scopes.begin(unit, new ScopeId(scope), input, take, ofScope, at);
    }

    /** The turn of a session ends: the sessions above it have one open turn less. */
    static void ended(Unit unit, Session head) {
        List<String> above = profile(unit, head.id()).above();
        if (head.active() != null && !above.isEmpty()) {
            String scope = TurnScope.id(head.incarnation(), head.active()).value();
            above.forEach(one -> unit.delete(HELD, TurnScope.below(one), scope));
        }
    }

    /** Takes back an arrival that waits, as if it had never come; false if it is in a turn, or unknown. */
    public Operation<Boolean> withdraw(SessionId session, String id, Instant at) {
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

    /** Takes back an input that waits; if a turn of its session runs in another process, no later round of that turn takes it. */
    public Operation<Withdrawing> withdrawAlone(SessionId session, String id, Instant at) {
        Operation<Boolean> withdraw = withdraw(session, id, at);
        return new Operation<>(withdraw.label(), 0, withdraw.first(), (unit, rows) -> selectActive(unit, rows,
                session.value()), unit -> {
                    Session head = unit.get(SESSIONS, session.value());
                    Arrived row = unit.get(ARRIVALS, session.value(), id);
                    if (head == null || row == null || row.arrival().kind() != Arrival.Kind.INPUT) {
                        return Withdrawing.UNKNOWN;
                    }
                    if (row.isAskedBack()) {
                        return row.isGone(head) ? Withdrawing.UNKNOWN : Withdrawing.ASKED_BEFORE;
                    }
                    if (row.turn() != null) {
                        return Withdrawing.IN_TURN;
                    }
                    Scope active = active(unit, head);
                    if (active != null && head.active() != null && active.status() == Status.RUNNING
                            && !scopes.owner().equals(active.owner())
                            && unit.isAlive(String.valueOf(active.owner()))) {
                        unit.put(ARRIVALS, row.askedBack(head.active()));
                        unit.put(SESSIONS, head.withdrawn(at));
                        return Withdrawing.ASKED;
                    }
                    return withdraw.decide().apply(unit) ? Withdrawing.DONE : Withdrawing.UNKNOWN;
                });
    }

    private static void selectActive(Unit unit, Collection<Selector<?>> rows, String session) {
        Session head = unit.get(SESSIONS, session);
        if (head != null && head.active() != null) {
            rows.add(Selector.one(SCOPES, TurnScope.id(head.incarnation(), head.active()).value()));
        }
    }

    /** The scope of the active turn, which was selected; null if there is none. */
    private static @Nullable Scope active(Unit unit, Session head) {
        return head.active() == null
                ? null
                : unit.get(SCOPES, TurnScope.id(head.incarnation(), head.active()).value());
    }

    /**
     * Makes a session with a past; false if there is one of that name. The past has no scopes. What it keeps of another session stays when
     * that one is deleted.
     *
     * @throws BelayException {@code unknown_session} if that other session is gone
     * @throws IllegalArgumentException if another session has the incarnation
     */
    public Operation<Boolean> create(NewSession session, Instant at) {
        Incarnation from = session.keepsOf();
        String keeper = TurnScope.prefix(session.incarnation());
        String id = session.id().value();
        long size = session.messages().stream().mapToLong(one -> one.message().text().length()).sum()
                + session.kept().stream().mapToLong(kept -> kept.reference().size()).sum();
        return Operation.of("create " + session.id(), size, rows -> {
            selectOrMake(rows, session.id(), session.incarnation());
            session.kept().forEach(kept -> Payload.of(kept).select(rows));
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
            for (KeptBytes kept : session.kept()) {
                Payload.of(kept).keep(unit, at);
                unit.put(KEPT, new Kept(keeper, kept.name(), kept.reference().hash(), at));
            }
            made(unit, new Session(id, session.incarnation(), session.turns().size(), null, false, 0,
                    session.messages().size(), 0, 0, 0, at, at));
            unit.put(PASTS, new Past(id, session.origin(), session.state()));
            if (!session.profile().equals(SessionProfile.PLAIN)) {
                unit.put(PROFILES, new Profile(id, session.profile()));
            }
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

    /**
     * Deletes a session with all that was kept of it, the scopes of its turns and its grants of processes included. False if there is none.
     *
     * @param evenInDoubt whether calls that may have happened do not matter; their doubts stay listed
     * @throws BelayException {@code session_in_doubt} if they do, and one is not settled
     */
    public Operation<Boolean> delete(SessionId session, boolean evenInDoubt) {
        String id = session.value();
        Selector<DoubtRow> doubts = DoubtRules.of(session);
        Selector<Grant> grants = Selector.found(Index.GRANTED, id);
        return Operation.of("delete " + session, 0, rows -> {
            rows.add(Selector.one(SESSIONS, id));
            rows.add(Selector.one(PROFILES, id));
            rows.add(grants);
            rows.add(doubts);
        }, unit -> {
            Session head = unit.get(SESSIONS, id);
            DoubtRow doubt = evenInDoubt ? null : unit.first(doubts);
            if (doubt != null) {
                throw new BelayException("session_in_doubt", "a call of session " + session
                        + " may have happened, and that is not settled (doubt " + doubt.id()
                        + "); settle it first, or delete the session even in doubt");
            }
            if (head != null) {
                ended(unit, head);
                unit.clear(HELD, TurnScope.below(id));
                unit.delete(HELD, ScopeRules.LEFT,
                        TurnScope.id(head.incarnation(), head.revision() + 1).value());
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
