/**
 * Sessions and records in one SQLite file; no server is needed. {@link dev.belay.store.jdbc.JdbcStore} opens both,
 * {@link dev.belay.store.jdbc.SqliteJournal} the records alone.
 *
 * <p>The engine is in packages that are not exported. {@code file} has the open file: {@code GroupWriter} is the only thread that
 * writes, {@code ReaderPool} has the threads that read, {@code OwnerLock} decides which owners are alive, and the numbered files
 * are the migrations. {@code sqlite} has the writes ({@code ScopeWrites}, {@code TurnWrites}) and the SQL.
 */
@NullMarked
package dev.belay.store.jdbc;

import org.jspecify.annotations.NullMarked;
