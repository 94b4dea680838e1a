package dev.belay.store.jdbc.rows;

import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.NotSelectedException;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rows that selectors have read. Confined to one thread at a time: the one that loads, then the one that decides. */
public final class LoadedRows implements Look {

    private final Map<Key, @Nullable StoredRow<?>> ones = new HashMap<>();
    private final Map<Selector<?>, List<? extends StoredRow<?>>> lists = new HashMap<>();
    private final Map<String, Boolean> living = new HashMap<>();
    private Predicate<String> alive;

    /** Nothing was loaded. */
    public LoadedRows(Predicate<String> alive) {
        this.alive = alive;
    }

    /** From here on owners are asked for in another way. */
    public void alive(Predicate<String> other) {
        alive = other;
    }

    /** A row was loaded by its key; null if there is none. */
    public void put(Key key, @Nullable StoredRow<?> row) {
        ones.put(key, row);
    }

    /** Rows were loaded by another selector. */
    public void put(Selector<?> selector, List<? extends StoredRow<?>> rows) {
        lists.put(selector, rows);
    }

    /** Whether a row was loaded by its key, or found to be missing. */
    public boolean has(Key key) {
        return ones.containsKey(key);
    }

    /** A row that was loaded by its key, as the store has it; null if there is none or it was not loaded. */
    public @Nullable StoredRow<?> stored(Key key) {
        return ones.get(key);
    }

    @Override
    @SuppressWarnings("unchecked") // a row stands under a key of its table
    public <R> @Nullable R row(Table<R> table, String parent, @Nullable Object child) {
        var key = new Key(table, parent, child);
        StoredRow<?> stored = ones.get(key);
        if (stored == null && !ones.containsKey(key)) {
            throw new NotSelectedException(key);
        }
        return stored == null ? null : (R) stored.row();
    }

    @Override
    @SuppressWarnings("unchecked") // rows stand under a selector of their table
    public <R> List<R> rows(Selector<R> selector) {
        List<? extends StoredRow<?>> stored = lists.get(selector);
        if (stored == null) {
            throw new NotSelectedException(selector);
        }
        List<R> rows = new ArrayList<>(stored.size());
        stored.forEach(row -> rows.add((R) row.row()));
        return rows;
    }

    @Override
    public List<Key> keys(Selector<?> selector) {
        List<? extends StoredRow<?>> stored = lists.get(selector);
        if (stored == null) {
            throw new NotSelectedException(selector);
        }
        return stored.stream().map(StoredRow::key).toList();
    }

    @Override
    public boolean isAlive(String owner) {
        return living.computeIfAbsent(owner, alive::test);
    }
}
