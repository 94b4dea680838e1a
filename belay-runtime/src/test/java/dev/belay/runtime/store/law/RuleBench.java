package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.INPUTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.StoreRows.SECRETS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.NotSelectedException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Input;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.SecretRow;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows that were put there by hand. Shows a rule only what its selectors have named, and applies what it decides. */
final class RuleBench implements Look {

    static final String ME = "me";
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final Incarnation BITS = new Incarnation(1, 2);
    static final Incarnation DRAWN = new Incarnation(5, 5);
    static final ScopeId S = new ScopeId("s");
    static final ScopeInput INPUT = new ScopeInput("test@1", Json.TRUE);

    private final Map<Key, Object> rows = new LinkedHashMap<>();
    private final Set<Selector<?>> named = new HashSet<>();
    private final Set<Key> damaged = new HashSet<>();
    private int waves;

    RuleBench() {
        put(SECRETS, new SecretRow("store", 7, new byte[]{1}));
    }

    static ScopeRules rules() {
        return rules(new ServedKinds(), false);
    }

    static ScopeRules rules(ServedKinds served, boolean forgets) {
        return new ScopeRules(() -> ME, served, forgets, () -> DRAWN);
    }

    <R> RuleBench put(Table<R> table, R row) {
        rows.put(table.key(row), row);
        return this;
    }

    /** A scope that stands in some way, with its input. */
    RuleBench scope(Status status, @Nullable String owner, int entries) {
        Scope row = new Scope(S.value(), INPUT.kind(), status, owner, 4, entries, BITS, 7,
                NOW.minusSeconds(9), null, null, status == Status.STUCK ? "because" : null, 0, 0, 0, false);
        return put(SCOPES, row).put(INPUTS, new Input(S.value(), INPUT.value()));
    }

    /** A scope that a claim of {@link #claim} holds. */
    RuleBench held() {
        return scope(Status.RUNNING, ME, 1);
    }

    static Claim claim() {
        return new Claim(S, INPUT, 4, BITS, 7, 1, null);
    }

    /** An open wait of the scope, which its head counts. */
    RuleBench open(String name, OpenWait.Kind kind, @Nullable Instant deadline) {
        Scope head = scope();
        put(SCOPES, head.counted(head.effects(), head.waits() + 1,
                head.completions() + (kind == OpenWait.Kind.COMPLETION ? 1 : 0)));
        return put(WAITS, new Wait(S.value(), name, kind, true, deadline, null, null, null));
    }

    Scope scope() {
        return one(SCOPES, S.value(), null);
    }

    @SuppressWarnings("unchecked") // a row stands under a key of its table
    <R> R one(Table<R> table, String parent, @Nullable Object child) {
        Object row = rows.get(new Key(table, parent, child));
        if (row == null) {
            throw new AssertionError("there is no row " + new Key(table, parent, child) + " among " + rows);
        }
        return (R) row;
    }

    boolean has(Table<?> table, String parent, @Nullable Object child) {
        return rows.containsKey(new Key(table, parent, child));
    }

    /** Whether the last operation has looked into an index. */
    boolean looksInto(Index<?> index) {
        return named.stream()
                .anyMatch(selector -> selector instanceof Selector.Found<?> found && found.index() == index);
    }

    /** How many waves the last operation has loaded. */
    int waves() {
        return waves;
    }

    /** Loads, decides and applies. */
    <T extends @Nullable Object> T apply(Operation<T> operation) {
        named.clear();
        operation.first().accept(named);
        waves = 1;
        var unit = new Unit(this);
        if (operation.second() != null) {
            List<Selector<?>> more = new ArrayList<>();
            operation.second().accept(unit, more);
            waves += named.containsAll(more) ? 0 : 1;
            named.addAll(more);
        }
        T answer = operation.decide().apply(unit);
        unit.keep();
        Changes changes = unit.changes();
        requirePure(operation, answer, changes);
        changes.cleared()
                .forEach(parent -> rows.keySet()
                        .removeIf(key -> key.table() == parent.table()
                                && key.parent().equals(parent.parent())));
        changes.rows().forEach((key, row) -> {
            if (row == null) {
                rows.remove(key);
            } else {
                rows.put(key, row);
            }
        });
        return answer;
    }

    /** A rule draws nothing and reads no clock: decided again over the same rows, it says and changes the same. */
    private void requirePure(Operation<?> operation, @Nullable Object answer, Changes changes) {
        var unit = new Unit(this);
        Object again = operation.decide().apply(unit);
        unit.keep();
        if (!Objects.equals(again, answer) || !unit.changes().equals(changes)) {
            throw new AssertionError("decided twice: " + answer + ", " + changes + " and " + again + ", "
                    + unit.changes());
        }
    }

    /** From here on a row cannot be read. */
    RuleBench damage(Table<?> table, String parent) {
        damaged.add(new Key(table, parent, null));
        return this;
    }

    /** Applies an operation that must change nothing. */
    <T extends @Nullable Object> T refused(Operation<T> operation) {
        Map<Key, Object> before = Map.copyOf(rows);
        T answer = apply(operation);
        if (!before.equals(rows)) {
            throw new AssertionError(answer + " has changed something: " + rows);
        }
        return answer;
    }

    @Override
    @SuppressWarnings("unchecked") // a row stands under a key of its table
    public <R> @Nullable R row(Table<R> table, String parent, @Nullable Object child) {
        if (!named.contains(new Selector.One<>(table, parent, child))) {
            throw new NotSelectedException(new Key(table, parent, child));
        }
        if (damaged.contains(new Key(table, parent, child))) {
            throw JournalException.corrupt("the row " + parent + " is damaged", null);
        }
        return (R) rows.get(new Key(table, parent, child));
    }

    @Override
    @SuppressWarnings("unchecked") // a row stands under a key of its table
    public <R> List<R> rows(Selector<R> selector) {
        if (!named.contains(selector)) {
            throw new NotSelectedException(selector);
        }
        List<R> found = new ArrayList<>();
        rows.forEach((key, row) -> {
            if (key.table() == selector.table() && isNamed(selector, key, (R) row)) {
                found.add((R) row);
            }
        });
        return found;
    }

    /** Without order and bounds, which no rule here needs. */
    private static <R> boolean isNamed(Selector<R> selector, Key key, R row) {
        return switch (selector) {
            case Selector.Of<R> of -> key.parent().equals(of.parent());
            case Selector.Found<R> found -> {
                Index.Place place = found.index().place(row);
                yield place != null && place.group().equals(found.group());
            }
            default -> throw new AssertionError("no rule lists " + selector);
        };
    }

    @Override
    public List<Key> keys(Selector<?> selector) {
        return keysOf(selector);
    }

    private <R> List<Key> keysOf(Selector<R> selector) {
        return rows(selector).stream().map(selector.table()::key).toList();
    }

    @Override
    public boolean isAlive(String owner) {
        return !owner.startsWith("dead");
    }
}
