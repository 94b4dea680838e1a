package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.Selector;
import org.jspecify.annotations.Nullable;

/** Reads rows. */
final class TestRows {

    private TestRows() {}

    static <R> @Nullable R find(Rows rows, Selector<R> selector, String parent, Object child) {
        return rows.read(Operation.reading(into -> into.add(selector),
                unit -> unit.get(selector.table(), parent, child)));
    }
}
