package dev.belay.runtime.store.check;

import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.StoreRows.BYTES;
import static dev.belay.runtime.store.rows.StoreRows.CONTENTS;
import static dev.belay.runtime.store.rows.StoreRows.KEPT;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows.Kept;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at rows of one parent: whether they can be read, and have the row without which they mean nothing.
 *
 * @param selector names one row, or all rows of the parent
 */
record RowsCheck<R>(Selector<R> selector) implements StoreCheck.Part {

    /** Rows that need a head, with its table; both have the same parent. */
    private static final Map<Table<?>, Table<?>> HEADS = new HashMap<>();

    static {
        List.of(ScopeRows.INPUTS, ScopeRows.RESULTS, ScopeRows.EFFECTS, ScopeRows.WAITS, ScopeRows.KEYS,
                ScopeRows.LATE,
                ScopeRows.AWAITED).forEach(table -> HEADS.put(table, SCOPES));
        List.of(SessionRows.PASTS, SessionRows.PROFILES, SessionRows.ARRIVALS, SessionRows.TURNS,
                SessionRows.MESSAGES, SessionRows.CALLS).forEach(table -> HEADS.put(table, SESSIONS));
        List.of(ProcessRows.GRANTS, ProcessRows.EVENTS, ProcessRows.WATCHERS)
                .forEach(table -> HEADS.put(table, ProcessRows.PROCESSES));
        HEADS.put(CONTENTS, BYTES);
        HEADS.put(BYTES, CONTENTS);
    }

    private String parent() {
        return switch (selector) {
            case Selector.One<R> one -> one.parent();
            case Selector.Of<R> of -> of.parent();
            default -> throw new IllegalArgumentException("rows of one parent are checked, not " + selector);
        };
    }

    private List<R> rows(Unit unit) {
        if (selector instanceof Selector.One<R> one) {
            R row = unit.get(one.table(), one.parent(), one.child());
            return row == null ? List.of() : List.of(row);
        }
        return unit.list(selector);
    }

    @Override
    public void first(Collection<Selector<?>> rows) {
        rows.add(selector);
        Table<?> head = HEADS.get(selector.table());
        if (head != null) {
            rows.add(Selector.one(head, parent()));
        }
    }

    @Override
    public void second(Unit unit, Collection<Selector<?>> rows) {
        if (selector.table() == KEPT) {
            FoundInconsistencies.selectContent(rows,
                    rows(unit).stream().<@Nullable String>map(row -> ((Kept) row).hash()).toList());
        }
    }

    @Override
    public void look(Unit unit, FoundInconsistencies found) {
        Table<?> head = HEADS.get(selector.table());
        boolean orphaned = head != null && !isThere(unit, head);
        for (R row : rows(unit)) {
            found.require(!orphaned, selector.table(), row,
                    "its " + (head == null ? "head" : head.name()) + " is missing");
            if (row instanceof Kept kept) {
                found.requireContent(unit, kept.hash(), KEPT, kept);
                found.require(kept.reference().startsWith(kept.hash() + " "), KEPT, kept,
                        "it refers to the content " + kept.hash());
            }
        }
    }

    private boolean isThere(Unit unit, Table<?> head) {
        try {
            return unit.get(head, parent()) != null;
        } catch (JournalException damaged) {
            return true; // it is found for itself
        }
    }
}
