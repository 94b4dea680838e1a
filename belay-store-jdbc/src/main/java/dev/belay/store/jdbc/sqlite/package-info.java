/**
 * The rows of a SQLite file, and the writes that change them.
 */
@NullMarked
package dev.belay.store.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
