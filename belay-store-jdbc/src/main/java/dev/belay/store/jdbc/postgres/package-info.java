/**
 * Rows in a schema of a PostgreSQL server that several nodes share. {@link dev.belay.store.jdbc.postgres.PostgresRows} is the store.
 * Statements and tables are made from {@code dev.belay.runtime.store.rows}; what a row looks like in columns is shared with SQLite
 * ({@code dev.belay.store.jdbc.rows}).
 */
@NullMarked
package dev.belay.store.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
