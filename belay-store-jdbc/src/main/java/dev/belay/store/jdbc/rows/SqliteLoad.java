package dev.belay.store.jdbc.rows;

import dev.belay.json.Json;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.All;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Selector.Of;
import dev.belay.runtime.store.rows.Selector.One;
import dev.belay.runtime.store.rows.Table;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sql.IndexSql;
import dev.belay.store.jdbc.sql.TableSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the rows of selectors from a SQLite file. */
final class SqliteLoad {

    private SqliteLoad() {}

    static void load(Database db, Collection<Selector<?>> selectors, LoadedRows into) throws SQLException {
        Map<Table<?>, List<Key>> keys = new HashMap<>();
        for (Selector<?> selector : selectors) {
            if (selector instanceof One<?> one) {
                var key = new Key(one.table(), one.parent(), one.child());
                if (!into.has(key)) {
                    into.put(key, null);
                    keys.computeIfAbsent(one.table(), table -> new ArrayList<>()).add(key);
                }
            } else {
                load(db, selector, into);
            }
        }
        for (Map.Entry<Table<?>, List<Key>> of : keys.entrySet()) {
            load(db, of.getKey(), of.getValue(), into);
        }
    }

    /** Rows by their keys, many with one statement: most of what a small statement costs is its call. */
    private static void load(Database db, Table<?> table, List<Key> keys, LoadedRows into)
            throws SQLException {
        for (int from = 0, count; from < keys.size(); from += count) {
            count = TableSql.together(keys.size() - from);
            List<Key> some = keys.subList(from, from + count);
            List<@Nullable Object> values = new ArrayList<>(count * table.keys());
            for (Key key : some) {
                values.add(key.parent());
                if (table.keys() > 1) {
                    values.add(Objects.requireNonNull(key.child()));
                }
            }
            db.list(TableSql.select(table, count), row -> {
                into.put(some.get(row.getInt(1)), StoredRow.read(table, row, 2));
                return true;
            }, values.toArray());
        }
    }

    private static <R> void load(Database db, Selector<R> selector, LoadedRows into) throws SQLException {
        Table<R> table = selector.table();
        TableSql sql = TableSql.of(table);
        switch (selector) {
            case One<R> one -> throw new IllegalArgumentException("loaded with others: " + one);
            case Of<R> of -> into.put(of, of.from() == null
                    ? list(db, table, sql.of(), of.parent(), (long) of.most())
                    : list(db, table, sql.from(), of.parent(), of.from(), (long) of.most()));
            case All<R> all ->
                into.put(all, list(db, table, sql.all(), all.after(), (long) all.most()));
            case Found<R> found ->
                into.put(found, list(db, table, IndexSql.of(found), values(found)));
        }
    }

    private static <R> List<StoredRow<R>> list(Database db, Table<R> table, String sql,
            @Nullable Object... values) throws SQLException {
        return db.list(sql, row -> StoredRow.read(table, row, 1), values);
    }

    /** The values of the statement of an index, in its order. */
    private static @Nullable Object[] values(Found<?> found) {
        List<@Nullable Object> values = new ArrayList<>();
        if (IndexSql.of(found.index()).group() != null) {
            values.add(found.group());
        }
        if (found.after() != null) {
            values.add(StoredRow.stored(found.after()));
        }
        if (found.until() != null) {
            values.add(StoredRow.stored(found.until()));
        }
        if (found.kinds() != null) {
            values.add(Json.array(found.kinds().stream().map(Json::string).toList()).text());
        }
        values.add((long) found.most());
        return values.toArray();
    }
}
