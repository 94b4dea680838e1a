package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.All;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.Selector.Of;
import dev.belay.runtime.store.rows.Selector.One;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import dev.belay.store.jdbc.postgres.Pipeline.ArrayOf;
import dev.belay.store.jdbc.postgres.PostgresSql.Shape;
import dev.belay.store.jdbc.rows.LoadedRows;
import dev.belay.store.jdbc.rows.StoredRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts reads and locks of rows into a {@link Pipeline}, one statement for all selectors of a shape. */
final class PostgresLoad {

    private PostgresLoad() {}

    /** Reads what selectors name; the rows are there when the pipeline has run. */
    static void read(PostgresSql sql, Pipeline pipeline, Collection<Selector<?>> selectors, LoadedRows into) {
        Map<Object, List<Selector<?>>> groups = new LinkedHashMap<>();
        for (Selector<?> selector : selectors) {
            boolean alone = selector instanceof Found<?> found && found.kinds() != null;
            groups.computeIfAbsent(alone ? selector : Shape.of(selector), key -> new ArrayList<>())
                    .add(selector);
        }
        groups.values().forEach(group -> readGroup(sql, pipeline, group, into));
    }

    private static void readGroup(PostgresSql sql, Pipeline pipeline, List<Selector<?>> group,
            LoadedRows into) {
        List<List<@Nullable Object>> values = new ArrayList<>();
        List<List<StoredRow<?>>> found = new ArrayList<>();
        for (Selector<?> selector : group) {
            values.add(values(selector));
            List<StoredRow<?>> rows = new ArrayList<>();
            found.add(rows);
            if (selector instanceof One<?> one) {
                into.put(new Key(one.table(), one.parent(), one.child()), null);
            } else {
                into.put(selector, rows);
            }
        }
        Shape shape = Shape.of(group.getFirst());
        List<Object> bound = new ArrayList<>();
        for (int at = 0; at < values.getFirst().size(); at++) {
            @Nullable
            Object[] column = new @Nullable Object[values.size()];
            for (int i = 0; i < column.length; i++) {
                column[i] = values.get(i).get(at);
            }
            bound.add(new ArrayOf(column[0] instanceof Long ? "bigint" : "text", column));
        }
        if (group.getFirst() instanceof Found<?> only && only.kinds() != null) {
            bound.add(new ArrayOf("text", only.kinds().toArray()));
        }
        pipeline.add(sql.select(shape), row -> {
            int number = (int) row.getLong(1) - 1;
            StoredRow<?> stored = StoredRow.read(shape.table(), row, 2, StoredText::decode);
            if (group.get(number) instanceof One<?>) {
                into.put(stored.key(), stored);
            } else {
                found.get(number).add(stored);
            }
        }, bound);
    }

    /** The values of a selector, in the order of its statement. */
    private static List<@Nullable Object> values(Selector<?> selector) {
        List<@Nullable Object> values = new ArrayList<>();
        switch (selector) {
            case One<?> one -> {
                values.add(one.parent());
                addIfPresent(values, one.child());
            }
            case Of<?> of -> {
                values.add(of.parent());
                addIfPresent(values, of.from());
            }
            case All<?> all -> values.add(all.after());
            case Found<?> found -> {
                if (Shape.of(found).bounds().contains("grouped")) {
                    values.add(found.group());
                }
                addIfPresent(values, found.after());
                addIfPresent(values, found.until());
            }
        }
        if (!(selector instanceof One<?>)) {
            values.add((long) selector.most());
        }
        return values;
    }

    private static void addIfPresent(List<@Nullable Object> values, @Nullable Object value) {
        if (value != null) {
            values.add(StoredRow.stored(value));
        }
    }

    /** Locks rows that exist, table by table, and tells which. */
    static void lock(PostgresSql sql, Pipeline pipeline, Map<Table<?>, List<Key>> tables,
            Collection<Key> locked) {
        tables.forEach((table, keys) -> pipeline.add(sql.lock(table), row -> locked.add(new Key(table,
                StoredText.decode(row.getString(1)), table.keys() == 1
                        ? null
                        : table.columns().get(1).type() == Table.Type.NUMBER
                                ? (Object) row.getLong(2)
                                : StoredText.decode(row.getString(2)))),
                keyArrays(table, keys)));
    }

    /** The keys as arrays: parents, and children if there are some. */
    static List<Object> keyArrays(Table<?> table, List<Key> keys) {
        List<Object> arrays = new ArrayList<>();
        arrays.add(new ArrayOf("text", keys.stream().map(Key::parent).toArray()));
        if (table.keys() > 1) {
            Column child = table.columns().get(1);
            arrays.add(new ArrayOf(PostgresSql.type(child),
                    keys.stream()
                            .map(key -> StoredRow.stored(Objects.requireNonNull(key.child())))
                            .toArray()));
        }
        return arrays;
    }
}
