package dev.belay.runtime.store.rows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that were loaded. For any other than a selector has named, {@link NotSelectedException} is thrown. */
public interface Look {

    /**
     * A row that {@link Selector.One} has named; null if there is none.
     *
     * @throws dev.belay.runtime.effect.JournalException {@code journal_corrupt} if it was damaged
     */
    <R> @Nullable R row(Table<R> table, String parent, @Nullable Object child);

    /** The rows that another selector has named, in its order. */
    <R> List<R> rows(Selector<R> selector);

    /** Where those rows stand, also the damaged ones. */
    List<Key> keys(Selector<?> selector);

    /** Whether an owner lives. */
    boolean isAlive(String owner);
}
