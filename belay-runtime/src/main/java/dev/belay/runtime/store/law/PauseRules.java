package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.HELD;
import static dev.belay.runtime.store.rows.OperatorRows.PAUSES;
import static dev.belay.runtime.store.rows.OperatorRows.STORE;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.law.PauseRules.Verb;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.Held;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What pauses decide. A scope that is held is parked, with a row for each pause that holds it, so that a look for work does not read it
 * and the end of the pause finds it. Ready scopes of a paused agent stay ready: their kinds are not looked for.
 */
public final class PauseRules {

    /** What a verb did. */
    public enum Verb {
        /** It was done now. */
        DONE,
        /** It was so before; nothing was written. */
        ALREADY,
        /** Its target is unknown; nothing was written. */
        NOT_POSSIBLE
    }

    private static final String CHANGES = "pause";
    private static final Selector<Counter> COUNT = Selector.one(COUNTERS, STORE, CHANGES);

    private PauseRules() {}

    /** Pauses a target; a session must exist. A turn of it that is ready is parked in the same write. */
    public static Operation<Verb> pause(Target target, Actor by, String reason, Instant at) {
        return new Operation<>("pause " + target.key(), reason.length(), rows -> {
            select(rows, target.key());
            rows.add(COUNT);
            AuditRules.select(rows);
            if (target.type() == Pause.Type.SESSION) {
                rows.add(Selector.one(SESSIONS, target.name()));
            }
        }, (unit, rows) -> {
            String active = active(unit, target);
            if (active != null) {
                rows.add(Selector.one(SCOPES, active));
            }
        }, unit -> {
            if (find(unit, target.key()) != null) {
                return Verb.ALREADY;
            }
            if (target.type() == Pause.Type.SESSION && unit.get(SESSIONS, target.name()) == null) {
                return Verb.NOT_POSSIBLE;
            }
            unit.put(PAUSES, new Pause(target, by, reason, at));
            holdActive(unit, target, at);
            changed(unit, by, "pause", target, reason, at);
            return Verb.DONE;
        });
    }

    /** The scope of the turn that a session has. */
    private static @Nullable String active(Unit unit, Target target) {
        Session head = target.type() == Pause.Type.SESSION ? unit.get(SESSIONS, target.name()) : null;
        return head == null || head.active() == null
                ? null
                : TurnScope.id(head.incarnation(), head.active()).value();
    }

    private static void holdActive(Unit unit, Target target, Instant at) {
        String active = active(unit, target);
        Scope scope = active == null ? null : unit.get(SCOPES, active);
        if (scope != null && scope.status() == Status.READY) {
            hold(unit, scope, List.of(target.key()), null, at);
        }
    }

    /** Ends a pause. Scopes that it has parked are ready in the same write. */
    public static Operation<Verb> unpause(Target target, Actor by, String reason, Instant at) {
        Selector<Held> held = Selector.of(HELD, target.key());
        return new Operation<>("unpause " + target.key(), 0, rows -> {
            select(rows, target.key());
            rows.add(COUNT);
            rows.add(held);
            AuditRules.select(rows);
        }, (unit, rows) -> unit.list(held).forEach(row -> rows.add(Selector.one(SCOPES, row.scope()))),
                unit -> {
                    if (find(unit, target.key()) == null) {
                        return Verb.ALREADY;
                    }
                    for (Held row : unit.list(held)) {
                        Scope scope = unit.get(SCOPES, row.scope());
                        if (scope != null && scope.status() == Status.PARKED) {
                            unit.put(SCOPES, scope.entries(0).ready(at));
                        }
                    }
                    unit.clear(HELD, target.key());
                    unit.delete(PAUSES, target.type().word(), target.name());
                    changed(unit, by, "unpause", target, reason, at);
                    return Verb.DONE;
                });
    }

    private static void changed(Unit unit, Actor by, String verb, Target target, String reason, Instant at) {
        Counter last = unit.get(COUNTERS, STORE, CHANGES);
        unit.put(COUNTERS, new Counter(STORE, CHANGES, last == null ? 1 : last.value() + 1));
        Json details = Json.write(out -> out.beginObject().name("reason").value(reason).endObject());
        AuditRules.note(unit, new AuditEntry.Note(by, verb, target.key(), details), at);
    }

    static void select(Collection<Selector<?>> rows, String key) {
        Target target = Target.of(key);
        rows.add(Selector.one(PAUSES, target.type().word(), target.name()));
    }

    static @Nullable Pause find(Unit unit, String key) {
        Target target = Target.of(key);
        return unit.get(PAUSES, target.type().word(), target.name());
    }

    /** Names the pauses that may hold a scope. */
    static void select(Collection<Selector<?>> rows, ScopeInput scope) {
        Pauses.targets(scope).forEach(key -> select(rows, key));
    }

    /** The pauses that hold a scope and were {@linkplain #select selected}. */
    static List<String> holding(Unit unit, ScopeInput scope) {
        return Pauses.targets(scope).stream().filter(key -> find(unit, key) != null).toList();
    }

    /** Parks a scope until one of these pauses ends. */
    static void hold(Unit unit, Scope scope, Collection<String> by, @Nullable Instant wakeAt, Instant at) {
        unit.put(SCOPES, scope.parked(wakeAt, at));
        by.forEach(key -> unit.put(HELD, new Held(key, scope.id(), at)));
    }

    /** All pauses that are in force, by type and name. */
    public static Operation<List<Pause>> reading() {
        return Operation.reading(PauseRules::selectAll, PauseRules::inForce);
    }

    /** Names the pauses that are in force. */
    static void selectAll(Collection<Selector<?>> rows) {
        rows.addAll(all(List.of(Pause.Type.values())));
    }

    /** The pauses that are in force, if they were selected. */
    static List<Pause> inForce(Unit unit) {
        return all(List.of(Pause.Type.values())).stream().flatMap(some -> unit.list(some).stream()).toList();
    }

    /** The pauses by kinds of scopes. */
    static List<Selector<Pause>> ofKinds() {
        return all(List.of(Pause.Type.EVERYTHING, Pause.Type.AGENT));
    }

    private static List<Selector<Pause>> all(List<Pause.Type> types) {
        return types.stream().map(type -> Selector.of(PAUSES, type.word())).toList();
    }

    /** What is in force, unless nothing has changed since it was known. */
    public static Operation<Pauses> reading(Pauses known) {
        List<Selector<Pause>> all = all(List.of(Pause.Type.values()));
        return new Operation<>(null, 0, rows -> rows.add(COUNT), (unit, rows) -> {
            if (version(unit) != known.version()) {
                rows.addAll(all);
            }
        }, unit -> {
            if (version(unit) == known.version()) {
                return known;
            }
            Set<String> keys = new HashSet<>();
            all.forEach(some -> unit.list(some).forEach(pause -> keys.add(pause.target().key())));
            return new Pauses(version(unit), keys);
        });
    }

    private static long version(Unit unit) {
        Counter last = unit.get(COUNTERS, STORE, CHANGES);
        return last == null ? 0 : last.value();
    }
}
