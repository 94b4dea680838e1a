/**
 * Sessions and records in a database. {@link dev.belay.store.jdbc.JdbcStore} is the door to both,
 * {@link dev.belay.store.jdbc.SqliteJournal} to records alone; they are kept in one file beside the program, and nothing has to
 * be installed or started.
 *
 * <p>What a reader looks for: {@code GroupWriter} is the one thread that writes, {@code ReaderPool} those that read,
 * {@code OwnerLock} decides who is alive; {@code ScopeWrites} and {@code TurnWrites} say what each write does. Every statement
 * of SQL stands in a class whose name begins with {@code Sqlite}, or in the numbered files beside this package.
 */
@NullMarked
package dev.belay.store.jdbc;

import org.jspecify.annotations.NullMarked;
