package dev.belay.store.jdbc.rows;

import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Table;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sql.NumberedScopes;
import dev.belay.store.jdbc.sql.TableSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction on the connection that writes. It holds the write lock of the file, so no other owner writes until it ends. */
final class SqliteTransaction implements Rows.Transaction {

    private final SqliteRows rows;
    private final Database db;
    private final LoadedRows look;
    private boolean ended;

    SqliteTransaction(SqliteRows rows, Database db, LoadedRows look) {
        this.rows = rows;
        this.db = db;
        this.look = look;
    }

    @Override
    public Look load(Collection<Selector<?>> selectors) {
        try {
            SqliteLoad.load(db, selectors, look);
            return look;
        } catch (SQLException e) {
            throw rows.failure(e);
        }
    }

    @Override
    public void flush(Changes changes) {
        try {
            for (Key parent : changes.cleared()) {
                db.update(TableSql.of(parent.table()).clear(), parent.parent());
            }
            Map<Table<?>, List<@Nullable Object[]>> added = new LinkedHashMap<>();
            for (Map.Entry<Key, @Nullable Object> change : changes.rows().entrySet()) {
                Key key = change.getKey();
                Object row = change.getValue();
                StoredRow<?> before = isCleared(changes, key) ? null : look.stored(key);
                if (row == null) {
                    delete(key);
                } else if (before == null) {
                    added.computeIfAbsent(key.table(), table -> new ArrayList<>())
                            .add(values(key.table(), row));
                } else {
                    update(key, before, values(key.table(), row));
                }
            }
            nameScopes(added);
            for (Map.Entry<Table<?>, List<@Nullable Object[]>> rows : added.entrySet()) {
                add(rows.getKey(), rows.getValue());
            }
            forgetScopes(changes);
        } catch (SQLException e) {
            throw rows.failure(e);
        }
    }

    private void nameScopes(Map<Table<?>, List<@Nullable Object[]>> added) throws SQLException {
        Set<String> names = new LinkedHashSet<>();
        added.forEach((table, rows) -> {
            if (NumberedScopes.has(table)) {
                rows.forEach(row -> names.add(String.valueOf(row[0])));
            }
        });
        for (String name : names) {
            if (look.stored(new Key(ScopeRows.SCOPES, name, null)) == null) {
                db.update(NumberedScopes.ADD, name, ScopeNames.checksum(name));
            }
        }
    }

    private void forgetScopes(Changes changes) throws SQLException {
        Set<String> names = new LinkedHashSet<>();
        changes.cleared().forEach(parent -> addIfNumbered(parent, names));
        changes.rows().forEach((key, row) -> {
            if (row == null) {
                addIfNumbered(key, names);
            }
        });
        for (String name : names) {
            db.update(NumberedScopes.REMOVE, name);
        }
    }

    private static void addIfNumbered(Key key, Set<String> names) {
        if (NumberedScopes.has(key.table())) {
            names.add(key.parent());
        }
    }

    private static boolean isCleared(Changes changes, Key key) {
        return !changes.cleared().isEmpty()
                && changes.cleared().contains(new Key(key.table(), key.parent(), null));
    }

    private void delete(Key key) throws SQLException {
        String sql = TableSql.of(key.table()).delete();
        if (key.child() == null) {
            db.update(sql, key.parent());
        } else {
            db.update(sql, key.parent(), key.child());
        }
    }

    private void add(Table<?> table, List<@Nullable Object[]> rows) throws SQLException {
        for (int from = 0, count; from < rows.size(); from += count) {
            count = TableSql.together(rows.size() - from);
            db.update(TableSql.upsert(table, count),
                    rows.subList(from, from + count).stream().flatMap(Arrays::stream).toArray());
        }
    }

    private void update(Key key, StoredRow<?> before, @Nullable Object[] values) throws SQLException {
        long changed = before.changed(values);
        List<@Nullable Object> bound = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            if (i == values.length - 1 || (changed & 1L << i) != 0) {
                bound.add(values[i]);
            }
        }
        bound.addAll(Arrays.asList(values).subList(0, key.table().keys()));
        db.update(TableSql.update(key.table(), changed), bound.toArray());
    }

    @SuppressWarnings("unchecked") // a row stands under a key of its table
    private static <R> @Nullable Object[] values(Table<R> table, Object row) {
        return StoredRow.write(table, (R) row);
    }

    @Override
    public void commit(long batch) {
        try {
            rows.mark(db, batch);
            db.run("commit");
            ended = true;
        } catch (SQLException e) {
            throw rows.failure(e);
        }
        rows.checkFile();
    }

    @Override
    public void close() {
        if (!ended) {
            ended = true;
            rows.rollBack();
        }
    }
}
