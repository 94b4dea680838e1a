package dev.belay.store.jdbc.rows;

import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.All;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Selector.Of;
import dev.belay.runtime.store.rows.Selector.One;
import dev.belay.runtime.store.rows.Table;
import dev.belay.store.jdbc.file.Database;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of selectors from a SQLite file. */
final class SqliteLoad {

    private SqliteLoad() {}

    static void load(Database db, Collection<Selector<?>> selectors, LoadedRows into) throws SQLException {
        for (Selector<?> selector : selectors) {
            load(db, selector, into);
        }
    }

    private static <R> void load(Database db, Selector<R> selector, LoadedRows into) throws SQLException {
        Table<R> table = selector.table();
        TableSql sql = TableSql.of(table);
        switch (selector) {
            case One<R> one -> {
                var key = new Key(table, one.parent(), one.child());
                if (!into.has(key)) {
                    List<StoredRow<R>> found = one.child() == null
                            ? list(db, table, sql.one(), one.parent())
                            : list(db, table, sql.one(), one.parent(), one.child());
                    into.put(key, found.isEmpty() ? null : found.getFirst());
                }
            }
            case Of<R> of -> into.put(of, of.from() == null
                    ? list(db, table, sql.of(), of.parent(), (long) of.most())
                    : list(db, table, sql.from(), of.parent(), of.from(), (long) of.most()));
            case All<R> all ->
                into.put(all, list(db, table, sql.all(), all.after(), (long) all.most()));
            case Found<R> found ->
                into.put(found, list(db, table, IndexSql.of(found), IndexSql.values(found)));
        }
    }

    private static <R> List<StoredRow<R>> list(Database db, Table<R> table, String sql,
            @Nullable Object... values) throws SQLException {
        return db.list(sql, row -> StoredRow.read(table, row), values);
    }
}
