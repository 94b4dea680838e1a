package dev.belay.store.jdbc.rows;

import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.NotSelectedException;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.All;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Selector.Of;
import dev.belay.runtime.store.rows.Selector.One;
import dev.belay.runtime.store.rows.Table;
import dev.belay.store.jdbc.file.Database;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rows that selectors have read. Confined to one thread at a time: the one that loads, then the one that decides. */
final class SqliteLook implements Look {

    private final Map<Key, @Nullable StoredRow<?>> ones = new HashMap<>();
    private final Map<Selector<?>, List<? extends StoredRow<?>>> lists = new HashMap<>();
    private final Map<String, Boolean> living = new HashMap<>();
    private Predicate<String> alive;

    /** Nothing was loaded. */
    SqliteLook(Predicate<String> alive) {
        this.alive = alive;
    }

    /** From here on owners are asked for in another way. */
    void alive(Predicate<String> other) {
        alive = other;
    }

    void load(Database db, Collection<Selector<?>> selectors) throws SQLException {
        for (Selector<?> selector : selectors) {
            load(db, selector);
        }
    }

    private <R> void load(Database db, Selector<R> selector) throws SQLException {
        Table<R> table = selector.table();
        TableSql sql = TableSql.of(table);
        switch (selector) {
            case One<R> one -> {
                var key = new Key(table, one.parent(), one.child());
                if (!ones.containsKey(key)) {
                    List<StoredRow<R>> found = one.child() == null
                            ? list(db, table, sql.one(), one.parent())
                            : list(db, table, sql.one(), one.parent(), one.child());
                    ones.put(key, found.isEmpty() ? null : found.getFirst());
                }
            }
            case Of<R> of -> lists.put(of, of.from() == null
                    ? list(db, table, sql.of(), of.parent(), (long) of.most())
                    : list(db, table, sql.from(), of.parent(), of.from(), (long) of.most()));
            case All<R> all ->
                lists.put(all, list(db, table, sql.all(), all.after(), (long) all.most()));
            case Found<R> found ->
                lists.put(found, list(db, table, IndexSql.of(found), IndexSql.values(found)));
        }
    }

    /** A row that was loaded by its key, as the file has it; null if there is none or it was not loaded. */
    @Nullable
    StoredRow<?> stored(Key key) {
        return ones.get(key);
    }

    private static <R> List<StoredRow<R>> list(Database db, Table<R> table, String sql,
            @Nullable Object... values) throws SQLException {
        return db.list(sql, row -> StoredRow.read(table, row), values);
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
