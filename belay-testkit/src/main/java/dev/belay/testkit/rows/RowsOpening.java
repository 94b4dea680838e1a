package dev.belay.testkit.rows;

import dev.belay.runtime.store.rows.Rows;

/** Opens stores that share their rows, as processes share a file. */
@FunctionalInterface
public interface RowsOpening {

    /** Opens one more store on the same rows, with an owner of its own. Others may be open or closed. */
    Rows open() throws Exception;
}
