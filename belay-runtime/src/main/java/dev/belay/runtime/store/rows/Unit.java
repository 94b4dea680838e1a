package dev.belay.runtime.store.rows;

import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Selector.Of;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that operations of one commit see: those that were loaded, under those that were changed since. An operation that
 * throws is dropped with its changes; the others stay. Confined to the thread that decides.
 */
public final class Unit {

    private Look base;
    private Layer done = Layer.NONE;
    private Layer now = Layer.NONE;

    /** Changes of one operation, or of several that were kept. */
    private static final class Layer {

        /** No changes; never written to. */
        private static final Layer NONE = new Layer();

        private final ChangedRows rows = new ChangedRows();
        private Set<Key> cleared = Set.of();

        boolean isEmpty() {
            return rows.isEmpty() && cleared.isEmpty();
        }

        boolean concerns(Table<?> table) {
            if (rows.concern(table)) {
                return true;
            }
            for (Key key : cleared) {
                if (key.table() == table) {
                    return true;
                }
            }
            return false;
        }

        void clear(Key parent) {
            rows.removeOf(parent);
            if (cleared.isEmpty()) {
                cleared = Set.of(parent);
            } else {
                cleared = cleared.size() == 1 ? new HashSet<>(cleared) : cleared;
                cleared.add(parent);
            }
        }

        boolean decides(Key key) {
            return rows.containsKey(key) || hides(key.table(), key.parent());
        }

        boolean hides(Table<?> table, String parent) {
            return !cleared.isEmpty() && cleared.contains(new Key(table, parent, null));
        }
    }

    /** Nothing was changed. */
    public Unit(Look base) {
        this.base = base;
    }

    /** More was loaded. */
    public void base(Look more) {
        base = more;
    }

    /** A row; null if there is none. */
    public <R> @Nullable R get(Table<R> table, String parent) {
        return get(table, parent, null);
    }

    /** A row; null if there is none. */
    @SuppressWarnings("unchecked") // a row stands under a key of its table
    public <R> @Nullable R get(Table<R> table, String parent, @Nullable Object child) {
        if (!isUnchanged()) {
            var key = new Key(table, parent, child);
            if (now.decides(key)) {
                return (R) now.rows.get(key);
            }
            if (done.decides(key)) {
                return (R) done.rows.get(key);
            }
        }
        return base.row(table, parent, child);
    }

    private boolean isUnchanged() {
        return now.isEmpty() && done.isEmpty();
    }

    /** The rows that a selector names, in its order. */
    public <R> List<R> list(Selector<R> selector) {
        return list(selector, selector.most());
    }

    /** The first row that a selector names, or null. Those behind it need not be known. */
    public <R> @Nullable R first(Selector<R> selector) {
        List<R> known = list(selector, 1);
        return known.isEmpty() ? null : known.getFirst();
    }

    private <R> List<R> list(Selector<R> selector, int needed) {
        List<R> loaded = base.rows(selector);
        Table<R> table = selector.table();
        if (!done.concerns(table) && !now.concerns(table)) {
            return loaded;
        }
        Map<Key, R> rows = new LinkedHashMap<>();
        loaded.forEach(row -> rows.put(table.key(row), row));
        boolean changed = overlay(done, selector, rows);
        changed |= overlay(now, selector, rows);
        return changed ? sorted(selector, needed, loaded, new ArrayList<>(rows.values())) : loaded;
    }

    @SuppressWarnings("unchecked") // a row stands under a key of its table
    private static <R> boolean overlay(Layer layer, Selector<R> selector, Map<Key, R> rows) {
        boolean changed = !layer.cleared.isEmpty()
                && rows.keySet().removeIf(key -> layer.hides(key.table(), key.parent()));
        for (Map.Entry<Key, @Nullable Object> change : layer.rows.entrySet()) {
            if (change.getKey().table() == selector.table()) {
                R row = (R) change.getValue();
                if (row != null && matches(selector, change.getKey(), row)) {
                    rows.put(change.getKey(), row);
                    changed = true;
                } else {
                    changed |= rows.remove(change.getKey()) != null;
                }
            }
        }
        return changed;
    }

    private static <R> boolean matches(Selector<R> selector, Key key, R row) {
        return switch (selector) {
            case Of<R> of -> of.parent().equals(key.parent())
                    && (of.from() == null || compare(of.from(), key.child()) <= 0);
            case Found<R> found -> {
                Index.Place place = found.index().place(row);
                yield place != null && place.group().equals(found.group())
                        && (found.after() == null || compare(found.after(), place.at()) < 0)
                        && (found.until() == null || compare(place.at(), found.until()) <= 0)
                        && found.isOfKind(row);
            }
            case Selector.One<R> one -> throw new IllegalArgumentException("one row is not listed: " + one);
            case Selector.All<R> all -> compare(key.parent(), all.after()) > 0;
        };
    }

    /**
     * Rows in the order of a selector. If as many were loaded as it allows, others may stand behind the last one: then no row
     * behind that is known to be the next.
     */
    private static <R> List<R> sorted(Selector<R> selector, int needed, List<R> loaded, List<R> rows) {
        Table<R> table = selector.table();
        Comparator<R> byKey = (a, b) -> compare(table.key(a), table.key(b));
        Comparator<R> order = switch (selector) {
            case Found<R> found -> {
                Comparator<R> byPlace = (a, b) -> compare(place(found, a), place(found, b));
                yield byPlace.thenComparing(byKey);
            }
            default -> byKey;
        };
        rows.sort(order);
        int most = selector.most();
        if (most > 0 && loaded.size() >= most) {
            rows.removeIf(row -> order.compare(row, loaded.getLast()) > 0);
            if (rows.size() < needed) {
                throw new NotSelectedException(selector);
            }
        }
        return rows.size() <= most ? rows : rows.subList(0, most);
    }

    /** The place of a row that an index has found. */
    private static <R> Comparable<?> place(Found<R> found, R row) {
        return Objects.requireNonNull(found.index().place(row), "place").at();
    }

    private static int compare(Key one, Key other) {
        int byParent = compare(one.parent(), other.parent());
        return byParent != 0 || one.child() == null ? byParent : compare(one.child(), other.child());
    }

    /** Compares places, parents or children of one kind: text by its code points, as bytes of UTF-8 are compared. */
    @SuppressWarnings("unchecked") // those of one table or index are of one class
    public static int compare(@Nullable Object one, @Nullable Object other) {
        return one instanceof String text && other instanceof String behind
                ? SessionId.BY_CODE_POINTS.compare(text, behind)
                : ((Comparable<@Nullable Object>) Objects.requireNonNull(one)).compareTo(other);
    }

    /** Where the rows stand that a selector has loaded, also the damaged ones. What was changed since is not seen. */
    public List<Key> keys(Selector<?> selector) {
        return base.keys(selector);
    }

    private Layer changing() {
        if (now == Layer.NONE) {
            now = new Layer();
        }
        return now;
    }

    /** Writes a row. */
    public <R> void put(Table<R> table, R row) {
        changing().rows.put(table.key(row), row);
    }

    /** Deletes a row. */
    public void delete(Table<?> table, String parent, @Nullable Object child) {
        changing().rows.put(new Key(table, parent, child), null);
    }

    /** Deletes all rows of a parent. */
    public void clear(Table<?> table, String parent) {
        changing().clear(new Key(table, parent, null));
    }

    /** Whether something was changed since the last time that changes were kept or dropped. */
    public boolean isChanging() {
        return !now.isEmpty();
    }

    /** Whether an owner lives. */
    public boolean isAlive(String owner) {
        return base.isAlive(owner);
    }

    /** Keeps what was changed since the last time. */
    public void keep() {
        if (done.isEmpty()) {
            done = now;
        } else {
            now.cleared.forEach(done::clear);
            done.rows.putAll(now.rows);
        }
        drop();
    }

    /** Drops what was changed since the last time. */
    public void drop() {
        now = Layer.NONE;
    }

    /** What was kept. */
    public Changes changes() {
        return new Changes(done.cleared, done.rows);
    }
}
