/**
 * What every {@link dev.belay.runtime.store.rows.Rows} promises: {@link dev.belay.testkit.rows.RowsContract}. What is decided over
 * rows is checked by the contracts of journals and stores.
 */
@NullMarked
package dev.belay.testkit.rows;

import org.jspecify.annotations.NullMarked;
