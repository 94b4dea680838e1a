/**
 * Tables, indexes and statements as text, made from those of {@code dev.belay.runtime.store.rows}. SQLite's are whole; PostgreSQL shares
 * what an index holds.
 */
@NullMarked
package dev.belay.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
