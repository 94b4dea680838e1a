package dev.belay.runtime.store.rows;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows by their keys in the order in which they were first changed; null for one that is deleted. Most commits change a few rows,
 * so keys and rows stand side by side in one array, and a table of places is made when there are many. Confined to one thread.
 */
final class ChangedRows extends AbstractMap<Key, @Nullable Object> {

    private static final Object[] NONE = {};
    /** Keys and rows of a record and the head of its scope. */
    private static final int FIRST = 2 * 2;
    /** Up to so many keys are compared one after another. */
    private static final int FEW = 16;

    private @Nullable Object[] keysAndRows = NONE;
    private int used;
    /** The places of all keys, if there are many. */
    private @Nullable Map<Key, Integer> places;

    private Key key(int at) {
        return (Key) Objects.requireNonNull(keysAndRows[at]);
    }

    /** Where a key stands, or -1. */
    private int place(@Nullable Object key) {
        if (places != null) {
            return places.getOrDefault(key, -1);
        }
        for (int at = 0; at < used; at += 2) {
            if (key(at).equals(key)) {
                return at;
            }
        }
        return -1;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return place(key) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int at = place(key);
        return at < 0 ? null : keysAndRows[at + 1];
    }

    @Override
    public @Nullable Object put(Key key, @Nullable Object row) {
        int at = place(key);
        if (at >= 0) {
            Object old = keysAndRows[at + 1];
            keysAndRows[at + 1] = row;
            return old;
        }
        if (used == keysAndRows.length) {
            keysAndRows = Arrays.copyOf(keysAndRows, used == 0 ? FIRST : Math.max(FEW, 2 * used));
        }
        keysAndRows[used] = key;
        keysAndRows[used + 1] = row;
        if (places != null) {
            places.put(key, used);
        }
        used += 2;
        if (places == null && used > 2 * FEW) {
            index();
        }
        return null;
    }

    private void index() {
        Map<Key, Integer> all = new HashMap<>();
        for (int at = 0; at < used; at += 2) {
            all.put(key(at), at);
        }
        places = all;
    }

    /** Whether a row of a table is among them. */
    boolean concern(Table<?> table) {
        for (int at = 0; at < used; at += 2) {
            if (key(at).table() == table) {
                return true;
            }
        }
        return false;
    }

    /** Forgets the changes of all rows of a parent. */
    void removeOf(Key parent) {
        int kept = 0;
        for (int at = 0; at < used; at += 2) {
            Key key = key(at);
            if (key.table() != parent.table() || !key.parent().equals(parent.parent())) {
                keysAndRows[kept] = key;
                keysAndRows[kept + 1] = keysAndRows[at + 1];
                kept += 2;
            }
        }
        if (kept < used) {
            Arrays.fill(keysAndRows, kept, used, null);
            used = kept;
            if (places != null) {
                index();
            }
        }
    }

    @Override
    public void forEach(BiConsumer<? super Key, ? super @Nullable Object> action) {
        for (int at = 0; at < used; at += 2) {
            action.accept(key(at), keysAndRows[at + 1]);
        }
    }

    @Override
    public int size() {
        return used / 2;
    }

    @Override
    public Set<Map.Entry<Key, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return ChangedRows.this.size();
            }

            @Override
            public Iterator<Map.Entry<Key, @Nullable Object>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<Key, @Nullable Object>> {

        private int at;

        @Override
        public boolean hasNext() {
            return at < used;
        }

        @Override
        public Map.Entry<Key, @Nullable Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            at += 2;
            return new SimpleImmutableEntry<>(key(at - 2), keysAndRows[at - 1]);
        }
    }
}
