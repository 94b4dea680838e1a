package dev.belay.runtime.store.rows;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One kind of rows: its columns, its key, and how a row becomes values and comes back. A key has a parent, and a child if several
 * rows have the same parent. Immutable.
 *
 * @param <R> an immutable row
 */
public final class Table<R> {

    /** What a column holds. */
    public enum Type {
        /** A {@link String}. */
        TEXT,
        /** A {@link Long}. */
        NUMBER,
        /** A {@link java.time.Instant}. */
        MOMENT,
        /** A {@link dev.belay.json.Json}. */
        JSON,
        /** Bytes. */
        BYTES
    }

    /**
     * A column.
     *
     * @param name as the schema names it
     * @param type what it holds
     */
    public record Column(String name, Type type) {}

    private final String name;
    private final List<Column> columns;
    private final int keys;
    private final Function<R, String> parent;
    private final @Nullable Function<R, Object> child;
    private final Function<R, @Nullable Object[]> values;
    private final Function<Values, R> row;

    private Table(String name, String columns, Function<R, String> parent,
            @Nullable Function<R, Object> child, Function<R, @Nullable Object[]> values,
            Function<Values, R> row) {
        this.name = name;
        this.columns = Arrays.stream(columns.split(", ", -1)).map(Table::column).toList();
        this.keys = child == null ? 1 : 2;
        this.parent = parent;
        this.child = child;
        this.values = values;
        this.row = row;
    }

    private static Column column(String text) {
        String[] parts = text.split(" ", -1);
        return new Column(parts[0], Type.valueOf(parts[1].toUpperCase(Locale.ROOT)));
    }

    /**
     * A table with one row for each parent.
     *
     * @param columns names and types, such as {@code id text, fence number}; the first one is the key
     */
    static <R> Table<R> single(String name, String columns, Function<R, String> parent,
            Function<R, @Nullable Object[]> values, Function<Values, R> row) {
        return new Table<>(name, columns, parent, null, values, row);
    }

    /**
     * A table with several rows for each parent, in the order of their children.
     *
     * @param columns names and types; the first two are the key
     */
    static <R> Table<R> of(String name, String columns, Function<R, String> parent,
            Function<R, Object> child, Function<R, @Nullable Object[]> values, Function<Values, R> row) {
        return new Table<>(name, columns, parent, child, values, row);
    }

    /** Its name in the schema. */
    public String name() {
        return name;
    }

    /** Its columns, those of the key first. */
    public List<Column> columns() {
        return columns;
    }

    /** How many columns its key has: 1 or 2. */
    public int keys() {
        return keys;
    }

    /** The address of a row. */
    public Key key(R of) {
        return new Key(this, parent.apply(of), child == null ? null : child.apply(of));
    }

    /** The values of a row, in the order of the columns. */
    public @Nullable Object[] values(R of) {
        return values.apply(of);
    }

    /** The row of values that were stored. */
    public R row(@Nullable Object[] stored) {
        return row.apply(new Values(stored));
    }

    @Override
    public String toString() {
        return name;
    }
}
