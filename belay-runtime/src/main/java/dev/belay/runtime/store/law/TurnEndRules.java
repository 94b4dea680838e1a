package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.CALLS;
import static dev.belay.runtime.store.rows.SessionRows.MESSAGES;
import static dev.belay.runtime.store.rows.SessionRows.PROFILES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Call;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What the end of a turn decides: the turn, its scope, and the turn that follows.
 *
 * @param sessions begin the turn that follows
 * @param commit what the turn leaves
 * @param result its result, on the way into a row
 * @param calls its ledger, on the way into rows
 * @param take whether to own the turn that follows
 * @param at when
 */
public record TurnEndRules(SessionRules sessions, TurnCommit commit, Payload result, List<Payload> calls,
        boolean take, Instant at) {

    /** What the end of a turn decides. */
    public static TurnEndRules of(SessionRules sessions, TurnCommit commit, boolean take, Instant at) {
        return new TurnEndRules(sessions, commit, Payload.of(commit.result()),
                payloads(commit.calls()), take, at);
    }

    private static List<Payload> payloads(List<Json> calls) {
        List<Payload> all = new ArrayList<>(calls.size());
        calls.forEach(call -> all.add(Payload.of(call)));
        return all;
    }

    private String session() {
        return commit.session().value();
    }

    /**
     * Commits a turn: appends its messages, replaces the state, marks what it has taken, moves the revision, ends its scope. If an input
     * still waits, the next turn is started for the oldest one, as {@link SessionRules#accept} would. An arrival that was withdrawn meanwhile
     * is passed over.
     *
     * <p>Refused in this order: {@link Committed.Fenced} if there is no such session, or the claim is one of a session of the same name that
     * was deleted; {@link Committed.Already} or {@link Committed.Diverged} if that turn is not the active one; {@link Committed.Fenced} if
     * the claim does not hold.
     */
    public Operation<Committed> commit(Claim claim) {
        String scope = claim.scope().value();
        return new Operation<>(new Operation.Label("commit ", commit.session(), commit.turn()), size(),
                rows -> {
                    select(rows);
                    selectScope(rows, scope);
                }, this::selectNext, unit -> {
                    Session head = unit.get(SESSIONS, session());
                    if (head == null || !TurnScope.isOf(claim.scope(), head.incarnation())) {
                        return new Committed.Fenced();
                    }
                    boolean own = TurnScope.isOf(claim.scope(), head.incarnation(), commit.turn());
                    return end(unit, head,
                            () -> own && sessions.scopes().end(unit, claim, result, commit.doubts(), at));
                });
    }

    /** Commits a turn whose scope is stuck; {@link Committed.Fenced} if it is not stuck. Otherwise like {@link #commit}. */
    public Operation<Committed> abandon() {
        return new Operation<>("abandon " + commit.session() + " " + commit.turn(), size(), this::select,
                (unit, rows) -> {
                    selectNext(unit, rows);
                    Session head = unit.get(SESSIONS, session());
                    if (head != null) {
                        selectScope(rows, TurnScope.id(head.incarnation(), commit.turn()).value());
                    }
                }, unit -> {
                    Session head = unit.get(SESSIONS, session());
                    if (head == null) {
                        return new Committed.Fenced();
                    }
                    ScopeId scope = TurnScope.id(head.incarnation(), commit.turn());
                    return end(unit, head,
                            () -> sessions.scopes().abandon(unit, scope, result, commit.doubts(), at));
                });
    }

    private long size() {
        Json state = commit.state();
        long size = (state == null ? 0 : state.text().length()) + result.size();
        for (Json message : commit.messages()) {
            size += message.text().length();
        }
        for (Payload call : calls) {
            size += call.size();
        }
        for (Arrival queued : commit.queued()) {
            size += queued.content().text().length() * 2L;
        }
        return size;
    }

    private void select(Collection<Selector<?>> rows) {
        rows.add(Selector.one(SESSIONS, session()));
        rows.add(Selector.one(TURNS, session(), commit.turn()));
        commit.taken().forEach(taken -> rows.add(Selector.one(ARRIVALS, session(), taken)));
        commit.queued().forEach(queued -> rows.add(Selector.one(ARRIVALS, session(), queued.id())));
        rows.add(Selector.one(PROFILES, session()));
        calls.forEach(call -> call.select(rows));
        Secrets.select(rows);
    }

    private void selectScope(Collection<Selector<?>> rows, String scope) {
        rows.add(Selector.one(SCOPES, scope));
        sessions.scopes().selectEnd(rows, scope, result);
        DoubtRules.select(rows, scope, commit.doubts());
    }

    /** The first input that waits is among these, whatever the turn takes along. */
    private Selector<Arrived> nextInput() {
        return new Selector.Found<>(Index.INPUTS, session(), null, null, null, commit.taken().size() + 1);
    }

    /** Names the input that follows, or what the answer needs if the turn is not the active one. */
    private void selectNext(Unit unit, Collection<Selector<?>> rows) {
        Session head = unit.get(SESSIONS, session());
        if (head != null && mayFollow(head)) {
            rows.add(nextInput());
        }
        if (head != null && !isActive(head)) {
            SessionReads.selectState(rows, head);
            SessionReads.selectResult(rows, head, unit.get(TURNS, head.id(), commit.turn()));
        }
    }

    /** Whether an input may wait when the turn has ended. */
    private boolean mayFollow(Session head) {
        return head.waiting() > 0 || !commit.queued().isEmpty();
    }

    private boolean isActive(Session head) {
        return head.active() != null && head.active() == commit.turn();
    }

    private Committed end(Unit unit, Session head, BooleanSupplier endScope) {
        Turn turn = unit.get(TURNS, head.id(), commit.turn());
        if (!isActive(head) || turn == null) {
            End end = turn == null ? null : turn.end();
            return turn != null && end != null && end.receipt().equals(commit.receipt())
                    ? new Committed.Already(SessionReads.turn(unit, head, turn))
                    : new Committed.Diverged(SessionReads.head(unit, head));
        }
        if (!endScope.getAsBoolean()) {
            return new Committed.Fenced();
        }
        SessionRules.ended(unit, head);
        Session ended = leave(unit, head, turn);
        Arrived next = mayFollow(head) ? unit.first(nextInput()) : null;
        if (next == null) {
            unit.put(SESSIONS, ended);
            return new Committed.Done(0, null);
        }
        return new Committed.Done(ended.revision() + 1,
                sessions.begin(unit, ended, next, take, sessions.scopes().incarnations().get(), at));
    }

    /** Writes what the turn leaves; the head of its session after it. */
    private Session leave(Unit unit, Session head, Turn turn) {
        long place = head.messages();
        for (Json message : commit.messages()) {
            unit.put(MESSAGES, new Message(head.id(), place++, commit.turn(), message));
        }
        long call = head.calls();
        for (Payload made : calls) {
            made.keep(unit, at);
            unit.put(CALLS, new Call(head.id(), call++, commit.turn(), made.inline(), made.hash()));
        }
        int taken = 0;
        for (String id : commit.taken()) {
            Arrived row = unit.get(ARRIVALS, head.id(), id);
            if (row != null && (row.turn() == null || row.isAskedBack())) {
                unit.put(ARRIVALS, row.taken(commit.turn()));
                taken += row.isAskedBack() ? 0 : 1;
            }
        }
        unit.put(TURNS, new Turn(head.id(), turn.turn(), turn.input(), turn.acceptedAt(), true,
                new End(commit.receipt(), null, result.hash(), commit.state(), head.messages(),
                        commit.messages().size(), head.calls(), calls.size(), at)));
        return queue(unit,
                head.committed(commit.state() != null, commit.messages().size(), calls.size(), taken, at));
    }

    /** Writes the inputs that the turn leaves, unless a program has given one of their ids before; a closed session takes none. */
    private Session queue(Unit unit, Session ended) {
        Session head = ended;
        for (Arrival queued : commit.queued()) {
            if (unit.get(ARRIVALS, head.id(), queued.id()) == null
                    && SessionRules.profile(unit, head.id()).closedAt() == null) {
                head = head.arrived(at);
                unit.put(ARRIVALS, new Arrived(head.id(), queued, head.lastPlace(), null, at));
            }
        }
        return head;
    }
}
