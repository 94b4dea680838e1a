package dev.belay.runtime.store.check;

import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.CALLS;
import static dev.belay.runtime.store.rows.SessionRows.INCARNATIONS;
import static dev.belay.runtime.store.rows.SessionRows.MESSAGES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;

import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Call;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.SessionRows.Named;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.runtime.store.rows.Unit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a session: its head, its turns with their scopes, messages, calls and arrivals.
 *
 * @param id of the session
 */
record SessionCheck(String id) implements StoreCheck.Part {

    @Override
    public void first(Collection<Selector<?>> rows) {
        rows.add(Selector.one(SESSIONS, id));
        rows.add(turns());
        rows.add(messages());
        rows.add(calls());
        rows.add(arrivals());
    }

    private Selector<Turn> turns() {
        return Selector.of(TURNS, id);
    }

    private Selector<Message> messages() {
        return Selector.of(MESSAGES, id);
    }

    private Selector<Call> calls() {
        return Selector.of(CALLS, id);
    }

    private Selector<Arrived> arrivals() {
        return Selector.of(ARRIVALS, id);
    }

    @Override
    public void second(Unit unit, Collection<Selector<?>> rows) {
        Session head = unit.get(SESSIONS, id);
        if (head != null) {
            rows.add(Selector.one(INCARNATIONS, head.incarnation().toString()));
            unit.list(turns()).forEach(turn -> rows.add(Selector.one(SCOPES, scope(head, turn.turn()))));
            FoundInconsistencies.selectContent(rows,
                    unit.list(calls()).stream().<@Nullable String>map(Call::output).toList());
        }
    }

    private static String scope(Session head, long turn) {
        return TurnScope.id(head.incarnation(), turn).value();
    }

    @Override
    public void look(Unit unit, FoundInconsistencies found) {
        Session head = unit.get(SESSIONS, id);
        if (head == null) {
            return;
        }
        Named named = unit.get(INCARNATIONS, head.incarnation().toString());
        found.require(named != null && named.session().equals(id), SESSIONS, head,
                "its incarnation " + head.incarnation() + " names "
                        + (named == null ? "no session" : named.session()));
        checkTurns(unit, head, found);
        checkNumbers(unit, head, found);
        checkArrivals(unit, head, found);
    }

    private void checkTurns(Unit unit, Session head, FoundInconsistencies found) {
        List<Turn> turns = unit.list(turns());
        long last = head.active() == null ? head.revision() : head.revision() + 1;
        found.require(head.active() == null || head.active() == last, SESSIONS, head,
                "its active turn is " + head.active() + " and its last one " + head.revision());
        found.requireSame(last, turns.size(), SESSIONS, head, "turns");
        long state = 0;
        for (Turn turn : turns) {
            End end = turn.end();
            found.require(turn.turn() >= 1 && turn.turn() <= last, TURNS, turn,
                    "the session has turns from 1 to " + last);
            found.require((end != null) == (turn.turn() <= head.revision()), TURNS, turn,
                    end == null ? "it has no receipt" : "it has a receipt and is not committed");
            if (end != null && end.state() != null && turn.hasScope()) {
                state = turn.turn();
            }
            if (turn.hasScope()) {
                checkScope(unit, head, turn, found);
            }
        }
        found.requireSame(head.stateTurn(), state, SESSIONS, head, "as the turn that left the state");
    }

    private static void checkScope(Unit unit, Session head, Turn turn, FoundInconsistencies found) {
        Scope scope = unit.get(SCOPES, scope(head, turn.turn()));
        boolean active = turn.end() == null;
        found.require(scope != null, TURNS, turn, "its scope is missing");
        if (scope != null) {
            found.require((scope.status() == Status.ENDED) != active, TURNS, turn,
                    "it is " + (active ? "active" : "committed") + " and its scope is " + scope.status());
            found.require(!active || TurnScope.isOpen(scope.kind()) == head.openLoop(), TURNS, turn,
                    "its scope is of the kind " + scope.kind() + ", and its session says another loop");
        }
    }

    /** Messages and calls stand at places from 0 on without a gap, those of a turn where its end says. */
    private void checkNumbers(Unit unit, Session head, FoundInconsistencies found) {
        List<Message> messages = unit.list(messages());
        List<Call> calls = unit.list(calls());
        found.requireSame(head.messages(), messages.size(), SESSIONS, head, "messages");
        found.requireSame(head.calls(), calls.size(), SESSIONS, head, "calls in the ledger");
        for (int place = 0; place < messages.size(); place++) {
            found.require(messages.get(place).place() == place, MESSAGES, messages.get(place),
                    "it stands behind a gap");
        }
        for (int place = 0; place < calls.size(); place++) {
            Call call = calls.get(place);
            found.require(call.place() == place, CALLS, call, "it stands behind a gap");
            found.requireContent(unit, call.output(), CALLS, call);
        }
        Map<Long, Long> said = count(messages, Message::turn);
        Map<Long, Long> made = count(calls, Call::turn);
        for (Turn turn : unit.list(turns())) {
            End end = turn.end();
            if (end != null && turn.hasScope()) {
                found.requireSame(end.messages(), said.getOrDefault(turn.turn(), 0L), TURNS, turn,
                        "messages");
                found.requireSame(end.calls(), made.getOrDefault(turn.turn(), 0L), TURNS, turn,
                        "calls in the ledger");
                found.require(end.messages() == 0 || (end.firstMessage() < messages.size()
                        && messages.get((int) end.firstMessage()).turn() == turn.turn()), TURNS, turn,
                        "its first message is not at " + end.firstMessage());
                found.require(end.calls() == 0 || (end.firstCall() < calls.size()
                        && calls.get((int) end.firstCall()).turn() == turn.turn()), TURNS, turn,
                        "its first call is not at " + end.firstCall());
            }
        }
    }

    private static <R> Map<Long, Long> count(List<R> rows, ToLongFunction<R> turn) {
        Map<Long, Long> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(turn.applyAsLong(row), 1L, Long::sum));
        return counts;
    }

    private void checkArrivals(Unit unit, Session head, FoundInconsistencies found) {
        List<Arrived> arrivals = unit.list(arrivals());
        found.requireSame(head.waiting(), arrivals.stream().filter(one -> one.turn() == null).count(),
                SESSIONS, head, "arrivals that wait");
        long last = head.active() == null ? head.revision() : head.active();
        Set<Long> places = new HashSet<>();
        Map<String, Long> turns = new HashMap<>();
        for (Arrived one : arrivals) {
            found.require(places.add(one.place()), ARRIVALS, one,
                    "another arrival has its place " + one.place());
            found.require(one.place() >= 1 && one.place() <= head.lastPlace(), ARRIVALS, one,
                    "its place " + one.place() + " is beyond the last one, " + head.lastPlace());
            found.require(one.turn() == null || one.turn() <= last, ARRIVALS, one,
                    "its turn " + one.turn() + " does not exist");
            if (one.turn() != null) {
                turns.put(one.arrival().id(), one.turn());
            }
        }
        for (Turn turn : unit.list(turns())) {
            found.require(!turn.hasScope() || Long.valueOf(turn.turn()).equals(turns.get(turn.input())),
                    TURNS,
                    turn, "its input " + turn.input() + " is not among the arrivals of this turn");
        }
    }
}
