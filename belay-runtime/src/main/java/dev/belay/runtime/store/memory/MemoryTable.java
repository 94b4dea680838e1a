package dev.belay.runtime.store.memory;

import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table, with its indexes.
 *
 * <p>Concurrency: guarded by the lock of {@link SharedMemory}.
 */
final class MemoryTable<R> {

    private static final Object ONLY = "";

    private final Table<R> table;
    /** By parent, then by child; the only row of a parent stands under an empty child. */
    private final Map<String, NavigableMap<Object, R>> rows;
    private final Map<String, R> singles;
    private final List<MemoryIndex<R>> indexes = new ArrayList<>();

    MemoryTable(Table<R> table, boolean inOrder) {
        this.table = table;
        rows = new HashMap<>();
        singles = inOrder ? new TreeMap<>(SessionId.BY_CODE_POINTS) : new HashMap<>();
    }

    @SuppressWarnings("unchecked") // an index of this table holds its rows
    void add(Index<?> index) {
        indexes.add(new MemoryIndex<>((Index<R>) index));
    }

    @Nullable
    R row(String parent, @Nullable Object child) {
        if (table.keys() == 1) {
            return singles.get(parent);
        }
        Map<Object, R> children = rows.get(parent);
        return children == null ? null : children.get(child);
    }

    /** Writes or deletes a row; what stood there. */
    @SuppressWarnings("unchecked") // a row stands under a key of its table
    @Nullable
    R put(Key key, @Nullable Object row) {
        R next = (R) row;
        R old = table.keys() == 1 ? swapSingle(key.parent(), next) : swapChild(key, next);
        for (int i = 0; i < indexes.size(); i++) {
            indexes.get(i).change(key, old, next);
        }
        return old;
    }

    private @Nullable R swapSingle(String parent, @Nullable R row) {
        return row == null ? singles.remove(parent) : singles.put(parent, row);
    }

    private @Nullable R swapChild(Key key, @Nullable R row) {
        Object child = Objects.requireNonNullElse(key.child(), ONLY);
        if (row != null) {
            return rows.computeIfAbsent(key.parent(), unused -> new TreeMap<>(Unit::compare)).put(child, row);
        }
        NavigableMap<Object, R> children = rows.get(key.parent());
        R old = children == null ? null : children.remove(child);
        if (children != null && children.isEmpty()) {
            rows.remove(key.parent());
        }
        return old;
    }

    /** The keys of the rows of a parent. */
    List<Key> keys(String parent) {
        if (table.keys() == 1) {
            return List.of(new Key(table, parent, null));
        }
        List<Key> keys = new ArrayList<>();
        Map<Object, R> children = rows.get(parent);
        if (children != null) {
            children.keySet().forEach(child -> keys.add(new Key(table, parent, child)));
        }
        return keys;
    }

    List<R> list(Selector<R> selector) {
        return switch (selector) {
            case Selector.Of<R> of -> children(of);
            case Selector.All<R> all -> behind(all.after()).values().stream().limit(all.most()).toList();
            case Selector.Found<R> found -> find(found);
            case Selector.One<R> one -> throw new IllegalArgumentException("one row is not listed: " + one);
        };
    }

    /** A table that is listed as a whole is kept in order; another one is sorted when it is asked for. */
    private Map<String, R> behind(String parent) {
        NavigableMap<String, R> sorted = singles instanceof NavigableMap<String, R> kept ? kept : sorted();
        return sorted.tailMap(parent, false);
    }

    private NavigableMap<String, R> sorted() {
        NavigableMap<String, R> sorted = new TreeMap<>(SessionId.BY_CODE_POINTS);
        sorted.putAll(singles);
        rows.forEach((parent, children) -> sorted.put(parent, children.firstEntry().getValue()));
        return sorted;
    }

    private List<R> find(Selector.Found<R> found) {
        for (MemoryIndex<R> index : indexes) {
            if (index.index == found.index()) {
                NavigableMap<MemoryIndex.Slot, Key> group = index.groups.get(found.group());
                return group == null ? List.of() : find(found, group);
            }
        }
        throw new IllegalArgumentException("an index of another table: " + found.index());
    }

    private List<R> find(Selector.Found<R> found, NavigableMap<MemoryIndex.Slot, Key> group) {
        List<R> result = new ArrayList<>();
        for (Map.Entry<MemoryIndex.Slot, Key> entry : group.entrySet()) {
            Comparable<?> at = entry.getKey().at();
            if (result.size() >= found.most()
                    || (found.until() != null && Unit.compare(at, found.until()) > 0)) {
                break;
            }
            if (found.after() == null || Unit.compare(at, found.after()) > 0) {
                R row = Objects.requireNonNull(row(entry.getValue().parent(), entry.getValue().child()));
                if (found.isOfKind(row)) {
                    result.add(row);
                }
            }
        }
        return result;
    }

    private List<R> children(Selector.Of<R> of) {
        NavigableMap<Object, R> children = rows.get(of.parent());
        if (children == null) {
            return List.of();
        }
        var rest = of.from() == null ? children : children.tailMap(of.from(), true);
        return rest.size() <= of.most() // a tail counts its rows only when it is asked
                ? List.copyOf(rest.values())
                : rest.values().stream().limit(of.most()).toList();
    }

    /** One index of a table: keys by their places. */
    private static final class MemoryIndex<R> {

        /** Rows of one place stand in the order of their keys. */
        private record Slot(Comparable<?> at, String parent, @Nullable Object child)
                implements
                    Comparable<Slot> {

            @Override
            public int compareTo(Slot other) {
                int byPlace = Unit.compare(at, other.at);
                int byParent = byPlace != 0 ? byPlace : Unit.compare(parent, other.parent);
                return byParent != 0 || child == null ? byParent : Unit.compare(child, other.child);
            }
        }

        private final Index<R> index;
        private final Map<String, NavigableMap<Slot, Key>> groups = new HashMap<>();

        MemoryIndex(Index<R> index) {
            this.index = index;
        }

        void change(Key key, @Nullable R old, @Nullable R next) {
            Index.Place before = old == null ? null : index.place(old);
            Index.Place after = next == null ? null : index.place(next);
            if (Objects.equals(before, after)) {
                return;
            }
            if (before != null) {
                NavigableMap<Slot, Key> group = Objects.requireNonNull(groups.get(before.group()));
                group.remove(new Slot(before.at(), key.parent(), key.child()));
                if (group.isEmpty()) {
                    groups.remove(before.group());
                }
            }
            if (after != null) {
                groups.computeIfAbsent(after.group(), unused -> new TreeMap<>())
                        .put(new Slot(after.at(), key.parent(), key.child()), key);
            }
        }
    }
}
