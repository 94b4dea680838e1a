/**
 * The rows of a SQLite file, the SQL that reads them, and the writes that change them. Threads and commits are in
 * {@code dev.belay.store.jdbc.file}.
 */
@NullMarked
package dev.belay.store.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
