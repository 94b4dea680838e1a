package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.DOUBTS;
import static dev.belay.runtime.store.rows.OperatorRows.STORE;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.law.DoubtRules.DoubtSettling;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.ScopeRows.Late;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What writes decide about calls that may have happened: such a doubt is written with the record of its call, guards against the same
 * call, and is settled once.
 *
 * @param scopes wake the call that a doubt holds
 */
public record DoubtRules(ScopeRules scopes) {

    /** What became of an attempt to settle a doubt. */
    public sealed interface DoubtSettling {

        /**
         * It is settled now.
         *
         * @param held the wait of the call that it held, or null if it held none
         * @param said what that wait was settled with, or null
         * @param woken the right to run the scope of that call, if it goes on here
         */
        record Settled(@Nullable WaitName held, @Nullable Resolution said,
                @Nullable Claim woken) implements DoubtSettling {}

        /**
         * It was settled before.
         *
         * @param first how
         */
        record Already(Doubt.Settlement first) implements DoubtSettling {}

        /** There is no doubt of that id. */
        record Unknown() implements DoubtSettling {}
    }

    private static final String LAST = "doubt";
    /** A service outside that knew the key of the call. */
    private static final Actor RESOLVER = new Actor("key", "completion");
    /** The body itself, which answered late. */
    private static final Actor BODY = new Actor("body", "late");

    /** Names what {@link #open} looks at. */
    static void select(Collection<Selector<?>> rows, String scope, List<OpenDoubt.Of> opens) {
        if (!opens.isEmpty()) {
            rows.add(Selector.one(COUNTERS, STORE, LAST));
        }
        for (OpenDoubt.Of doubt : opens) {
            rows.add(Selector.one(DOUBTS, Doubt.id(scope, doubt.record())));
            rows.add(Selector.one(LATE, scope, doubt.record()));
        }
    }

    /** Names what {@link #unsettled} looks at. */
    static void selectGuard(Collection<Selector<?>> rows, @Nullable String guard, @Nullable String resource) {
        if (guard != null) {
            rows.add(first(Index.DOUBTED_CALLS, guard));
            if (resource != null) {
                rows.add(first(Index.DOUBTED_RESOURCES, resource));
            }
        }
    }

    private static Selector<DoubtRow> first(Index<DoubtRow> index, String group) {
        return new Selector.Found<>(index, group, null, null, null, 1);
    }

    /** The doubt that forbids a call to start; null if there is none. */
    static @Nullable DoubtRow unsettled(Unit unit, @Nullable String guard, @Nullable String resource) {
        if (guard == null) {
            return null;
        }
        DoubtRow same = unit.first(first(Index.DOUBTED_CALLS, guard));
        return same != null || resource == null
                ? same
                : unit.first(first(Index.DOUBTED_RESOURCES, resource));
    }

    /** Writes doubts with the record that says so. */
    void open(Unit unit, String scope, List<OpenDoubt.Of> opens, Instant at) {
        for (OpenDoubt.Of doubt : opens) {
            String id = Doubt.id(scope, doubt.record());
            if (unit.get(DOUBTS, id) != null) {
                continue;
            }
            OpenDoubt about = doubt.about();
            Counter last = unit.get(COUNTERS, STORE, LAST);
            long place = last == null ? 1 : last.value() + 1;
            unit.put(COUNTERS, new Counter(STORE, LAST, place));
            String answers = about.key() == null ? null : DoubtJson.answers(scope, about.key().value());
            unit.put(DOUBTS, new DoubtRow(id, place, at, scope, doubt.record(), about.call().session(),
                    about.guard(), about.resource(), answers,
                    about.holds() == null ? null : about.holds().value(),
                    about.owner() == null ? "" : about.owner(), about.isOver(), DoubtJson.of(about), null,
                    null));
        }
    }

    /** Writes doubts about records that do not go on, unless their bodies have answered. */
    void abandoned(Unit unit, String scope, List<OpenDoubt.Of> doubts, Instant at) {
        open(unit, scope, doubts.isEmpty()
                ? doubts
                : doubts.stream()
                        .filter(doubt -> unit.get(LATE, scope, doubt.record()) == null)
                        .toList(),
                at);
    }

    /** A body may answer between its timeout and the record of that: then its answer is there before the doubt. */
    static void selectEarly(Unit unit, Collection<Selector<?>> rows, String scope,
            List<OpenDoubt.Of> opens) {
        for (OpenDoubt.Of doubt : opens) {
            Late early = unit.get(LATE, scope, doubt.record());
            if (early != null) {
                StoredResults.selectContent(rows, early.output());
                AuditRules.select(rows);
                selectTold(rows, doubt.about().call().session(), scope, doubt.record());
            }
        }
    }

    /** Settles the doubts of a record whose body has answered before. */
    void settleEarly(Unit unit, String scope, List<OpenDoubt.Of> opens, Instant at) {
        for (OpenDoubt.Of doubt : opens) {
            Late early = unit.get(LATE, scope, doubt.record());
            Json result = early == null ? null : StoredResults.value(unit, early.result(), early.output());
            if (result != null) {
                late(unit, scope, doubt.record(), result, at);
            }
        }
    }

    /** Doubts that are open, in the order in which they arose, behind a place, which is 0 for all. */
    public static Operation<List<Doubt>> reading(long after, int most) {
        Selector<DoubtRow> some = Selector.found(Index.DOUBTS, after, null, most);
        return Operation.reading(rows -> rows.add(some),
                unit -> unit.list(some).stream().map(row -> today(unit, row)).toList());
    }

    /** Whether a session has calls that may have happened. */
    public static Operation<Boolean> isInDoubt(SessionId session) {
        Selector<DoubtRow> doubts = of(session);
        return Operation.reading(rows -> rows.add(doubts), unit -> unit.first(doubts) != null);
    }

    /** A doubt, settled or not. */
    public static Operation<Optional<Doubt>> reading(String id) {
        return Operation.reading(rows -> rows.add(Selector.one(DOUBTS, id)),
                unit -> Optional.ofNullable(unit.get(DOUBTS, id)).map(row -> today(unit, row)));
    }

    /**
     * Settles a doubt by what an operator says. The first settlement counts. The model is told once, at its next round; a call that the
     * doubt held goes on.
     *
     * @param truth not unknown
     * @param note for the audit log; names who says so
     * @param take whether to own a scope that goes on because of it
     */
    public Operation<DoubtSettling> settle(String id, Reconciliation<ToolOutcome> truth, AuditEntry.Note note,
            boolean take, Instant at) {
        return new Operation<>("settle " + id, note.details().text().length(),
                rows -> rows.add(Selector.one(DOUBTS, id)),
                (unit, rows) -> selectSettled(unit.get(DOUBTS, id), rows), unit -> {
                    DoubtRow row = unit.get(DOUBTS, id);
                    if (row == null) {
                        return new DoubtSettling.Unknown();
                    }
                    Doubt before = DoubtJson.of(row);
                    return before.settlement() != null
                            ? new DoubtSettling.Already(before.settlement())
                            : settle(unit, row, truth, note, take, at);
                });
    }

    /** Names what {@link #settle} changes beside the doubt itself. */
    void selectSettled(@Nullable DoubtRow row, Collection<Selector<?>> rows) {
        if (row == null) {
            return;
        }
        AuditRules.select(rows);
        selectRecords(rows, row.scope());
        if (row.holds() != null) {
            ScopeRules.selectWhole(rows, row.scope());
            rows.add(Selector.one(WAITS, row.scope(), row.holds()));
            WaitName key = DoubtJson.key(row);
            if (key != null) {
                Waits.select(rows, row.scope(), key);
            }
        }
        selectTold(rows, row.session(), row.scope(), row.key());
    }

    /** Names what {@link KeepRules#release} looks at. */
    private void selectRecords(Collection<Selector<?>> rows, String scope) {
        rows.add(Selector.one(SCOPES, scope));
        if (scopes.forgets()) {
            KeepRules.selectForgotten(rows, scope);
        } else {
            rows.add(ofScope(scope));
        }
    }

    private static void selectTold(Collection<Selector<?>> rows, @Nullable String session, String scope,
            String key) {
        if (session != null) {
            rows.add(Selector.one(SESSIONS, session));
            rows.add(Selector.one(ARRIVALS, session, Arrival.lateId(turn(scope), key)));
        }
    }

    private static long turn(String scope) {
        return TurnScope.turn(new ScopeId(scope)).orElse(0L);
    }

    /** Settles an open doubt: lifts its guard, and wakes the call that it holds or tells the session. */
    DoubtSettling.Settled settle(Unit unit, DoubtRow row, Reconciliation<ToolOutcome> truth,
            AuditEntry.Note note, boolean take, Instant at) {
        unit.put(DOUBTS, row.settled(DoubtJson.of(truth, note.by()), at));
        AuditRules.note(unit, note, at);
        KeepRules.release(unit, row.scope(), scopes.forgets());
        String holds = row.holds();
        Scope scope = holds == null ? null : unit.get(SCOPES, row.scope());
        Wait wait = holds == null ? null : unit.get(WAITS, row.scope(), holds);
        if (scope != null && wait != null && !wait.isSettled() && scope.status() != Status.ENDED) {
            boolean over = isOver(unit, row);
            WaitName key = DoubtJson.key(row);
            boolean again = over && truth instanceof Reconciliation.DidNotHappen;
            Scope closed = again || key == null ? scope : Waits.close(unit, scope, key, at);
            var said = new Resolution.Ok(held(truth, over));
            return new DoubtSettling.Settled(new WaitName(wait.name()), said,
                    scopes.settle(unit, closed, wait.name(), OutcomeJson.of(said), take, at));
        }
        inform(unit, row, truth, at);
        return new DoubtSettling.Settled(null, null, null);
    }

    private static Doubt today(Unit unit, DoubtRow row) {
        return DoubtJson.of(row, isOver(unit, row));
    }

    /** Whether the first body cannot run any more. */
    private static boolean isOver(Unit unit, DoubtRow row) {
        return row.over() || (!row.owner().isEmpty() && !unit.isAlive(row.owner()));
    }

    /** What a call that was held reads of its wait. */
    private static Json held(Reconciliation<ToolOutcome> truth, boolean over) {
        return Json.write(out -> {
            out.beginObject();
            switch (truth) {
                case Reconciliation.Happened<ToolOutcome>(ToolOutcome outcome) ->
                    OutcomeJson.write(out.name("happened"), outcome);
                case Reconciliation.DidNotHappen<ToolOutcome>(String reason) ->
                    out.name("did_not_happen").value(reason).name("over").value(over);
                case Reconciliation.Unknown<ToolOutcome> unknown ->
                    throw new IllegalArgumentException("what is unknown settles no doubt");
            }
            out.endObject();
        });
    }

    /** The model of the session is told once, at its next round. */
    private static void inform(Unit unit, DoubtRow row, Reconciliation<ToolOutcome> truth, Instant at) {
        Session head = row.session() == null ? null : unit.get(SESSIONS, row.session());
        if (head == null || !TurnScope.isOf(new ScopeId(row.scope()), head.incarnation())) {
            return;
        }
        OpenDoubt about = DoubtJson.of(row).about();
        Arrival notice = Arrival.late(turn(row.scope()), row.key(),
                about.call().name() + " (call " + about.call().id() + ")", truth);
        if (unit.get(ARRIVALS, head.id(), notice.id()) == null) {
            Session told = head.arrived(at);
            unit.put(ARRIVALS, new Arrived(head.id(), notice, told.lastPlace(), null, at));
            unit.put(SESSIONS, told);
        }
    }

    /** The first open doubt of a session. */
    static Selector<DoubtRow> of(SessionId session) {
        return first(Index.DOUBTED_SESSIONS, session.value());
    }

    /** Open doubts about records of a scope; two, so that the next one is known after one was settled. */
    static Selector<DoubtRow> ofScope(String scope) {
        return new Selector.Found<>(Index.DOUBTED_SCOPES, scope, null, null, null, 2);
    }

    /** The doubt that a resolution may still settle. */
    static Selector<DoubtRow> answeredBy(String scope, String wait) {
        return first(Index.DOUBTED_WAITS, DoubtJson.answers(scope, wait));
    }

    /** Settles a doubt by the resolution of its key, which counts for the wait from now on; null if that says nothing. */
    @Nullable
    Settlement resolve(Unit unit, DoubtRow row, Scope scope, WaitName name, Resolution value, boolean take,
            Instant at) {
        ToolOutcome outcome = switch (value) {
            case Resolution.Ok(Json said) -> new ToolOutcome.Success(said);
            case Resolution.Failed(var failure) -> new ToolOutcome.Failure(failure);
            case Resolution.Cancelled cancelled -> null;
            case Resolution.TimedOut timedOut -> null;
        };
        if (outcome == null) {
            return null;
        }
        Wait wait = Waits.find(unit, scope, name.value());
        if (wait != null) {
            unit.put(WAITS, wait.settled(OutcomeJson.of(value), at));
        } else {
            unit.put(SCOPES, Waits.settle(unit, scope, null, name.value(), OutcomeJson.of(value), at));
        }
        return new Settlement.Accepted(
                settle(unit, row, Reconciliation.happened(outcome), note(row, RESOLVER, "settle"), take, at)
                        .woken());
    }

    /** Settles a doubt by the answer of its body, if that is one. */
    void late(Unit unit, String scope, String key, Json result, Instant at) {
        DoubtRow row = unit.get(DOUBTS, Doubt.id(scope, key));
        Json said = result.get("v").isEmpty() ? result : result.get("ended").orElse(null);
        if (row == null || said == null) {
            return;
        }
        ToolOutcome outcome = OutcomeJson.outcome(said);
        boolean answers = switch (outcome) {
            case ToolOutcome.Success success -> true;
            case ToolOutcome.Failure(var failure) -> !failure.mayHaveHappened();
            case ToolOutcome.Cancelled cancelled -> false;
            case ToolOutcome.Rejected rejected -> false;
        };
        if (answers && !row.isOpen()) {
            contradict(unit, row, at);
        } else if (answers) {
            settle(unit, row, Reconciliation.happened(outcome), note(row, BODY, "settle"), false, at);
        }
    }

    /** A body that answers after it was said that it did not happen: the log has both. */
    private static void contradict(Unit unit, DoubtRow row, Instant at) {
        Doubt.Settlement said = DoubtJson.of(row).settlement();
        if (said != null && said.truth() instanceof Reconciliation.DidNotHappen) {
            AuditRules.note(unit, note(row, BODY, "contradict"), at);
        }
    }

    private static AuditEntry.Note note(DoubtRow row, Actor by, String verb) {
        return new AuditEntry.Note(by, verb, "doubt/" + row.id(), Json.EMPTY_OBJECT);
    }
}
