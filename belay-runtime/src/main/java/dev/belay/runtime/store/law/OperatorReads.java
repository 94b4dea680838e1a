package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.AWAITED;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.law.OperatorReads.ActiveScope;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.runtime.store.law.OperatorReads.SessionRow;
import dev.belay.runtime.store.law.OperatorReads.Standing;
import dev.belay.runtime.store.law.OperatorReads.StuckScope;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Awaited;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.ScopeRows.WaitKey;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What lists of operators say: each page is one read, of the rows of an index or of a key. */
public final class OperatorReads {

    /**
     * A wait that is open.
     *
     * @param keyId the public name of its key
     * @param place among all that are open; a cursor
     * @param scope whose wait
     * @param incarnation of that scope
     * @param secret which signs its keys
     * @param input what the scope started from
     * @param since when
     * @param opened the wait
     * @param recorded the record that was asked for, or null
     */
    public record OpenKey(String keyId, String place, ScopeId scope, Incarnation incarnation, long secret,
            ScopeInput input, Instant since, WaitState opened, @Nullable EffectRow recorded) {}

    /**
     * A session in a list.
     *
     * @param head how it stands
     * @param active its active turn, or null
     */
    public record SessionRow(SessionHead head, @Nullable ActiveScope active) {}

    /**
     * A scope that has not ended: a turn, or a process.
     *
     * @param kind of its input
     * @param status how it stands
     * @param left whether it runs in a process that has died
     * @param since when its status changed
     * @param wakeAt when it goes on by itself, or null
     * @param waits those that are open
     * @param awaiting what it waits for without a wait, or null
     * @param pauses all that are in force at the same moment
     */
    public record ActiveScope(String kind, ScopeState.Status status, boolean left, Instant since,
            @Nullable Instant wakeAt, List<WaitState> waits, @Nullable Awaiting awaiting,
            List<Pause> pauses) {}

    /**
     * A scope with its waits.
     *
     * @param scope how it stands
     * @param keys of its open waits
     */
    public record Standing(ActiveScope scope, List<OpenKey> keys) {}

    /**
     * A scope that waits for an operator.
     *
     * @param state how it stands
     * @param since when
     */
    public record StuckScope(ScopeState state, Instant since) {}

    private OperatorReads() {}

    /** Waits that are open; the first wave finds their keys, the second one all that is said about them. */
    static Operation<List<OpenKey>> pending(Selector<WaitKey> keys, UnaryOperator<String> record) {
        return keys(keys, record, OperatorReads::open);
    }

    /**
     * Waits that are open, the longest first, as they stand in one moment.
     *
     * @param after begins behind this place; null begins with the first
     * @param record names the record that belongs to a wait, by the name of the wait
     */
    public static Operation<List<OpenKey>> pending(@Nullable String after, int most,
            UnaryOperator<String> record) {
        return pending(Selector.found(Index.PENDING, after, null, Math.max(0, most)), record);
    }

    /** An open wait by the public name of its key; empty if there is none. */
    public static Operation<Optional<OpenKey>> pending(String keyId, UnaryOperator<String> record) {
        return pending(Selector.found(Index.KEY_ID, keyId), record).then(found -> found.stream().findFirst());
    }

    /**
     * A wait that a person has settled, of a scope that has not ended, by the public name of its key; empty if there is none. Its place is
     * empty, and it stands since it was settled.
     */
    public static Operation<Optional<OpenKey>> decided(String keyId, UnaryOperator<String> record) {
        return keys(Selector.found(Index.KEY_ID, keyId), record, OperatorReads::decided)
                .then(found -> found.stream().findFirst());
    }

    /** Makes entries of keys: from a scope, a wait and its key, and the name of its record. */
    private interface Entry {
        Stream<OpenKey> of(Unit unit, WaitKey key, String record);
    }

    private static Operation<List<OpenKey>> keys(Selector<WaitKey> keys, UnaryOperator<String> record,
            Entry entry) {
        return new Operation<>(null, 0, rows -> rows.add(keys),
                (unit, rows) -> unit.list(keys).forEach(key -> {
                    ScopeRules.selectWhole(rows, key.scope());
                    rows.add(Selector.one(WAITS, key.scope(), key.name()));
                    rows.add(Selector.one(EFFECTS, key.scope(), record.apply(key.name())));
                }), unit -> unit.list(keys)
                        .stream()
                        .flatMap(key -> entry.of(unit, key, record.apply(key.name())))
                        .toList());
    }

    /**
     * How a scope stands in one moment, with its open waits; empty if there is none.
     *
     * @param record names the record that belongs to a wait, by the name of the wait
     */
    public static Operation<Optional<Standing>> standing(ScopeId of, UnaryOperator<String> record) {
        String scope = of.value();
        Selector<WaitKey> keys = Selector.of(KEYS, scope);
        var open = pending(keys, record);
        return new Operation<>(null, 0, rows -> {
            rows.add(keys);
            rows.add(Selector.one(SCOPES, scope));
            selectActive(rows, scope);
            PauseRules.selectAll(rows);
        }, open.second(), unit -> Optional.ofNullable(unit.get(SCOPES, scope))
                .map(head -> new Standing(active(unit, head, PauseRules.inForce(unit)),
                        open.decide().apply(unit))));
    }

    private static Stream<OpenKey> open(Unit unit, WaitKey key, String record) {
        String place = key.place();
        return place == null ? Stream.empty() : entry(unit, key, place, WaitKey.since(place), record);
    }

    private static Stream<OpenKey> decided(Unit unit, WaitKey key, String record) {
        Wait wait = unit.get(WAITS, key.scope(), key.name());
        Instant since = wait == null ? null : wait.settledAt();
        return since == null ? Stream.empty() : entry(unit, key, "", since, record);
    }

    private static Stream<OpenKey> entry(Unit unit, WaitKey key, String place, Instant since,
            String record) {
        Scope scope = unit.get(SCOPES, key.scope());
        Wait wait = unit.get(WAITS, key.scope(), key.name());
        if (scope == null || wait == null) {
            return Stream.empty();
        }
        Effect effect = unit.get(EFFECTS, key.scope(), record);
        return Stream.of(new OpenKey(key.id(), place, new ScopeId(key.scope()), scope.incarnation(),
                scope.secret(), ScopeReads.shownInput(unit, scope), since,
                ScopeReads.state(wait), effect == null ? null : effect.row()));
    }

    /**
     * Sessions in the order of their names, with their active turns, as they stand in one moment.
     *
     * @param after begins behind this name; it need not exist
     * @param from a name that is looked at first, or null
     */
    public static Operation<List<SessionRow>> sessions(String after, @Nullable String from, int most) {
        Selector<Session> page = new Selector.All<>(SESSIONS, after, Math.max(0, most));
        return new Operation<>(null, 0, rows -> {
            rows.add(page);
            PauseRules.selectAll(rows);
            if (from != null) {
                rows.add(Selector.one(SESSIONS, from));
            }
        }, (unit, rows) -> heads(unit, page, from).forEach(head -> select(rows, head)),
                unit -> {
                    List<Pause> pauses = PauseRules.inForce(unit);
                    return heads(unit, page, from).stream()
                            .map(head -> new SessionRow(SessionReads.head(unit, head),
                                    active(unit, head, pauses)))
                            .toList();
                });
    }

    private static List<Session> heads(Unit unit, Selector<Session> page, @Nullable String from) {
        List<Session> all = new ArrayList<>();
        Session first = from == null ? null : unit.get(SESSIONS, from);
        if (first != null) {
            all.add(first);
        }
        all.addAll(unit.list(page));
        return all;
    }

    private static void select(Collection<Selector<?>> rows, Session head) {
        SessionReads.selectState(rows, head);
        if (head.active() != null) {
            rows.add(Selector.one(SCOPES, scope(head)));
            selectActive(rows, scope(head));
        }
    }

    private static String scope(Session head) {
        return TurnScope.id(head.incarnation(), Objects.requireNonNull(head.active())).value();
    }

    private static @Nullable ActiveScope active(Unit unit, Session head, List<Pause> pauses) {
        Scope scope = head.active() == null ? null : unit.get(SCOPES, scope(head));
        return scope == null ? null : active(unit, scope, pauses);
    }

    /** Names what a list says about a scope beside its head and the {@linkplain PauseRules#selectAll pauses}. */
    static void selectActive(Collection<Selector<?>> rows, String scope) {
        rows.add(Waits.open(scope));
        rows.add(Selector.one(AWAITED, scope));
    }

    /** How a scope stands, from rows that were {@linkplain #selectActive selected}. */
    static ActiveScope active(Unit unit, Scope scope, List<Pause> pauses) {
        boolean left = scope.owner() != null && !unit.isAlive(scope.owner());
        return new ActiveScope(scope.kind(), scope.status(), left, scope.since(), scope.wakeAt(),
                unit.list(Waits.open(scope.id())).stream().map(ScopeReads::state).toList(),
                left ? null : awaiting(scope, unit.get(AWAITED, scope.id())), pauses);
    }

    /** What a scope waits for, if it still stands as it stood when that was written. */
    private static @Nullable Awaiting awaiting(Scope scope, @Nullable Awaited row) {
        boolean holds = row != null && row.fence() == scope.fence() && switch (row.why().what()) {
            case MODEL -> scope.status() == Status.RUNNING || isAsleep(scope);
            case PLUGIN, CONFIGURATION -> isAsleep(scope);
            case RESOURCE -> scope.status() == Status.RUNNING;
        };
        return row != null && holds ? row.why() : null;
    }

    private static boolean isAsleep(Scope scope) {
        return scope.status() == Status.PARKED && scope.wakeAt() != null;
    }

    /** Stuck scopes in the order of their names, behind one, or from the first on for null. */
    public static Operation<List<StuckScope>> stuck(@Nullable ScopeId after, int most) {
        Selector<Scope> stuck = Selector.found(Index.STUCK_NAMES, after == null ? null : after.value(), null,
                Math.max(0, most));
        return new Operation<>(null, 0, rows -> rows.add(stuck),
                (unit, rows) -> unit.list(stuck).forEach(row -> ScopeRules.selectWhole(rows, row.id())),
                unit -> unit.list(stuck)
                        .stream()
                        .map(row -> new StuckScope(ScopeReads.state(unit, row), row.since()))
                        .toList());
    }
}
