package dev.belay.runtime.store.rows;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names rows to be loaded.
 *
 * @param <R> the rows
 */
public sealed interface Selector<R> {

    /** Of which table. */
    Table<R> table();

    /** At most how many rows it names. */
    int most();

    /**
     * A row by its key.
     *
     * @param table of which table
     * @param parent of its key
     * @param child of its key, or null
     */
    record One<R>(Table<R> table, String parent, @Nullable Object child) implements Selector<R> {

        @Override
        public int most() {
            return 1;
        }
    }

    /**
     * The rows of a parent, in the order of their children.
     *
     * @param table of which table
     * @param parent which
     * @param from the first child, or null for all
     * @param most at most this many
     */
    record Of<R>(Table<R> table, String parent, @Nullable Object from,
            int most) implements Selector<R> {

        /** Checks the size. */
        public Of {
            requireSize(most);
        }
    }

    /**
     * The first row of each parent, in the order of the parents. Read only: what a transaction has changed is not seen.
     *
     * @param table of which table
     * @param after the parent behind which they begin; it need not exist
     * @param most at most this many
     */
    record All<R>(Table<R> table, String after, int most) implements Selector<R> {

        /** Checks the size. */
        public All {
            requireSize(most);
        }
    }

    /**
     * Rows that an index finds, in the order of their places, and those of one place in the order of their keys.
     *
     * @param index which
     * @param group in which group
     * @param after the place behind which they begin, or null for the first; no moment, because several rows may have the same one, and
     *        those behind the end of a page would be skipped
     * @param until the last place, or null for all
     * @param kinds of scopes; null for all
     * @param most at most this many
     */
    record Found<R>(Index<R> index, String group, @Nullable Comparable<?> after,
            @Nullable Comparable<?> until, @Nullable Set<String> kinds, int most) implements Selector<R> {

        /** Checks the size, and that no row can be skipped. */
        public Found {
            requireSize(most);
            if (after instanceof Instant) {
                throw new IllegalArgumentException("several rows of the index " + index
                        + " may have the moment " + after + "; read it from its start");
            }
        }

        @Override
        public Table<R> table() {
            return index.table();
        }

        /** Whether a row is no scope, or one of the kinds. */
        public boolean isOfKind(R row) {
            return kinds == null || !(row instanceof ScopeRows.Scope scope) || kinds.contains(scope.kind());
        }
    }

    /** To a database a negative number may mean all rows. */
    private static void requireSize(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("a list cannot have " + most + " entries; ask for 1 or more");
        }
    }

    /** A row of a table with one row for each parent. */
    static <R> Selector<R> one(Table<R> table, String parent) {
        return new One<>(table, parent, null);
    }

    /** A row of a table with several rows for each parent. */
    static <R> Selector<R> one(Table<R> table, String parent, Object child) {
        return new One<>(table, parent, child);
    }

    /** All rows of a parent. */
    static <R> Selector<R> of(Table<R> table, String parent) {
        return new Of<>(table, parent, null, Integer.MAX_VALUE);
    }

    /** All rows in a group of an index. */
    static <R> Selector<R> found(Index<R> index, String group) {
        return new Found<>(index, group, null, null, null, Integer.MAX_VALUE);
    }

    /** Rows of an index up to a place. */
    static <R> Selector<R> found(Index<R> index, @Nullable Comparable<?> after, @Nullable Comparable<?> until,
            int most) {
        return new Found<>(index, "", after, until, null, most);
    }
}
