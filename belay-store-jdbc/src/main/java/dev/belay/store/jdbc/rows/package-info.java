/**
 * Rows in a SQLite file. {@link dev.belay.store.jdbc.rows.SqliteRows} is the store; its SQL is made from
 * {@code dev.belay.runtime.store.rows} and knows no rule. The file itself is in {@code dev.belay.store.jdbc.file}.
 */
@NullMarked
package dev.belay.store.jdbc.rows;

import org.jspecify.annotations.NullMarked;
