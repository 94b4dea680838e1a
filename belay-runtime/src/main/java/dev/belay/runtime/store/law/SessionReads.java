package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.CALLS;
import static dev.belay.runtime.store.rows.SessionRows.MESSAGES;
import static dev.belay.runtime.store.rows.SessionRows.PASTS;
import static dev.belay.runtime.store.rows.SessionRows.PROFILES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Past;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rows of sessions say to readers. Rows that the head counts and that are missing are damage. */
public final class SessionReads {

    private SessionReads() {}

    /** An arrival; empty if there is none, or it was asked back and is gone. */
    public static Operation<Optional<Arrived>> arrival(SessionId of, String id) {
        String session = of.value();
        return Operation.reading(rows -> {
            rows.add(Selector.one(SESSIONS, session));
            rows.add(Selector.one(ARRIVALS, session, id));
        }, unit -> {
            Session head = unit.get(SESSIONS, session);
            return Optional.ofNullable(unit.get(ARRIVALS, session, id))
                    .filter(row -> head == null || !row.isGone(head))
                    .map(SessionReads::arrived);
        });
    }

    static Arrived arrived(SessionRows.Arrived row) {
        Long turn = row.turn();
        return turn != null && turn < 0
                ? new Arrived(row.arrival(), row.place(), null, row.at(), -turn)
                : new Arrived(row.arrival(), row.place(), turn, row.at());
    }

    /** Names what the state of a session stands in. */
    static void selectState(Collection<Selector<?>> rows, Session head) {
        rows.add(Selector.one(PASTS, head.id()));
        rows.add(Selector.one(PROFILES, head.id()));
        if (head.stateTurn() > 0) {
            rows.add(Selector.one(TURNS, head.id(), head.stateTurn()));
        }
    }

    static SessionHead head(Unit unit, Session head) {
        Past past = unit.get(PASTS, head.id());
        return new SessionHead(new SessionId(head.id()), head.incarnation(), head.revision(), head.active(),
                head.messages(), head.lastPlace(), state(unit, head, past),
                past == null ? Json.NULL : past.origin(), SessionRules.profile(unit, head.id()),
                head.createdAt(), head.changedAt());
    }

    private static Json state(Unit unit, Session head, @Nullable Past past) {
        if (head.stateTurn() == 0) {
            return past == null ? Json.NULL : past.state();
        }
        Turn turn = unit.get(TURNS, head.id(), head.stateTurn());
        End end = turn == null ? null : turn.end();
        Json state = end == null ? null : end.state();
        if (state == null) {
            throw missing(head, "the state of turn " + head.stateTurn());
        }
        return state;
    }

    private static JournalException missing(Session head, String what) {
        return JournalException.corrupt("the session " + head.id() + " lacks " + what
                + ", which its head counts; restore the store from a backup", null);
    }

    /** Names what the result of a turn stands in. */
    static void selectResult(Collection<Selector<?>> rows, Session head, @Nullable Turn turn) {
        End end = turn == null ? null : turn.end();
        if (turn != null && end != null && turn.hasScope()) {
            StoredResults.select(rows, scope(head, turn));
            StoredResults.selectContent(rows, end.output());
        }
    }

    private static String scope(Session head, Turn turn) {
        return TurnScope.id(head.incarnation(), turn.turn()).value();
    }

    static TurnRow turn(Unit unit, Session head, Turn row) {
        End end = row.end();
        return new TurnRow(new SessionId(row.session()), row.turn(), row.input(), row.acceptedAt(),
                end == null
                        ? null
                        : new TurnRow.End(end.receipt(), result(unit, head, row, end), end.state(),
                                end.firstMessage(), end.messages(), end.at()));
    }

    private static Json result(Unit unit, Session head, Turn row, End end) {
        return end.result() == null && row.hasScope()
                ? StoredResults.required(unit, scope(head, row))
                : StoredResults.required(end.result(), "the turn " + row.turn() + " of " + row.session());
    }

    /** Reads something of a session, if there is one. */
    private static <T> Operation<T> of(SessionId session, Selector<?> beside,
            java.util.function.BiConsumer<Unit, Collection<Selector<?>>> second, T none,
            java.util.function.BiFunction<Unit, Session, T> reading) {
        return new Operation<>(null, 0, rows -> {
            rows.add(Selector.one(SESSIONS, session.value()));
            rows.add(beside);
        }, second, unit -> {
            Session head = unit.get(SESSIONS, session.value());
            return head == null ? none : reading.apply(unit, head);
        });
    }

    /** How a session stands; empty if there is none. */
    public static Operation<Optional<SessionHead>> head(SessionId session) {
        return of(session, Selector.one(PASTS, session.value()), (unit, rows) -> {
            Session head = unit.get(SESSIONS, session.value());
            if (head != null) {
                selectState(rows, head);
            }
        }, Optional.empty(), (unit, head) -> Optional.of(head(unit, head)));
    }

    static Operation<List<SessionHead>> heads(Selector<Session> sessions) {
        return new Operation<>(null, 0, rows -> rows.add(sessions),
                (unit, rows) -> unit.list(sessions).forEach(head -> selectState(rows, head)),
                unit -> unit.list(sessions).stream().map(head -> head(unit, head)).toList());
    }

    /** Sessions in {@link SessionId#ORDER}; {@code after} need not exist. */
    public static Operation<List<SessionHead>> heads(@Nullable SessionId after, int most) {
        return heads(new Selector.All<>(SESSIONS, after == null ? "" : after.value(), Math.max(0, most)));
    }

    /**
     * Active turns whose loop a program owns ({@link TurnScope#isOpen}), with how their scopes stand, in the order of their sessions;
     * {@code after} need not exist.
     */
    public static Operation<List<ScopeState>> openTurns(@Nullable SessionId after, int most) {
        Selector<Session> open = Selector.found(Index.OPEN_LOOPS, after == null ? null : after.value(), null,
                Math.max(0, most));
        return new Operation<>(null, 0, rows -> rows.add(open),
                (unit, rows) -> unit.list(open).forEach(head -> {
                    ScopeRules.selectWhole(rows, active(head));
                    StoredResults.select(rows, active(head));
                }), unit -> unit.list(open).stream().flatMap(head -> {
                    Scope scope = unit.get(SCOPES, active(head));
                    return scope == null ? Stream.empty() : Stream.of(ScopeReads.state(unit, scope));
                }).toList());
    }

    private static String active(Session head) {
        return TurnScope.id(head.incarnation(), head.revision() + 1).value();
    }

    /** A turn; empty if there is none of that number. */
    public static Operation<Optional<TurnRow>> turn(SessionId session, long turn) {
        return turns(session, turn, turn < 1 ? 0 : 1).then(found -> found.stream().findFirst());
    }

    /** Turns of a session, from a number on. */
    public static Operation<List<TurnRow>> turns(SessionId session, long from, int most) {
        Selector<Turn> turns = new Selector.Of<>(TURNS, session.value(), Math.max(1, from),
                Math.max(0, most));
        return of(session, turns, (unit, rows) -> {
            Session head = unit.get(SESSIONS, session.value());
            if (head != null) {
                unit.list(turns).forEach(turn -> selectResult(rows, head, turn));
            }
        }, List.of(), (unit, head) -> {
            List<Turn> found = unit.list(turns);
            long last = head.revision() + (head.active() == null ? 0 : 1);
            require(head, "turns", found, Math.max(1, from), last, most, Turn::turn);
            return found.stream().map(turn -> turn(unit, head, turn)).toList();
        });
    }

    /** Messages of a session, from a place on. */
    public static Operation<List<StoredMessage>> messages(SessionId session, long from, int most) {
        Selector<SessionRows.Message> messages = new Selector.Of<>(MESSAGES, session.value(),
                Math.max(0, from), Math.max(0, most));
        return of(session, messages, (unit, rows) -> {}, List.of(), (unit, head) -> {
            List<SessionRows.Message> found = unit.list(messages);
            require(head, "messages", found, Math.max(0, from), head.messages() - 1, most,
                    SessionRows.Message::place);
            List<StoredMessage> read = new ArrayList<>(found.size());
            found.forEach(row -> read.add(new StoredMessage(row.place(), row.turn(), row.value())));
            return read;
        });
    }

    /** Rows of the ledger of a session, from a place on. */
    public static Operation<List<Json>> calls(SessionId session, long first, int count) {
        Selector<SessionRows.Call> calls = new Selector.Of<>(CALLS, session.value(), first, count);
        return of(session, calls,
                (unit, rows) -> unit.list(calls)
                        .forEach(call -> StoredResults.selectContent(rows, call.output())),
                List.of(), (unit, head) -> {
                    List<SessionRows.Call> found = unit.list(calls);
                    require(head, "calls", found, first, head.calls() - 1, count, SessionRows.Call::place);
                    return found.stream()
                            .map(call -> StoredResults.required(
                                    StoredResults.value(unit, call.value(), call.output()),
                                    "the call " + call.place() + " of " + call.session()))
                            .toList();
                });
    }

    /** Requires that rows are numbered without a gap, up to the last one that the head knows or as many as were wanted. */
    private static <R> void require(Session head, String what, List<R> found, long from, long last, int most,
            Function<R, Long> number) {
        long expected = Math.clamp(last - from + 1, 0, Math.max(0, most));
        if (found.size() != expected
                || (expected > 0 && number.apply(found.getLast()) != from + expected - 1)) {
            throw missing(head, "some of its " + what);
        }
    }

    /** Arrivals that are in no turn, in their order. */
    public static Operation<List<Arrived>> waiting(SessionId session) {
        var waiting = Selector.found(Index.WAITING, session.value());
        return new Operation<>(null, 0, rows -> rows.add(Selector.one(SESSIONS, session.value())),
                (unit, rows) -> {
                    Session head = unit.get(SESSIONS, session.value());
                    if (head != null && head.waiting() > 0) {
                        rows.add(waiting);
                    }
                }, unit -> {
                    Session head = unit.get(SESSIONS, session.value());
                    if (head == null || head.waiting() == 0) {
                        return List.of();
                    }
                    List<SessionRows.Arrived> found = unit.list(waiting);
                    if (found.size() != head.waiting()) {
                        throw missing(head, "some of the arrivals that wait");
                    }
                    List<Arrived> all = new ArrayList<>(found.size());
                    found.forEach(row -> all.add(arrived(row)));
                    return all;
                });
    }

    /** The end of a turn; empty if it has none. */
    public static Operation<Optional<End>> end(SessionId session, long turn) {
        return Operation.reading(rows -> rows.add(Selector.one(TURNS, session.value(), turn)),
                unit -> Optional.ofNullable(unit.get(TURNS, session.value(), turn)).map(Turn::end));
    }
}
