/**
 * Sessions and records in one SQLite file; no server is needed. {@link dev.belay.store.jdbc.JdbcStore} opens it.
 *
 * <p>The engine is in packages that are not exported. {@code rows} keeps the rows of the runtime's law in tables. {@code file} has
 * the open file: {@code ReaderPool} has the threads that read, {@code OwnerLock} decides which owners are alive, and
 * {@code schema-1.sql} has the tables. Writes are decided and committed by the runtime.
 */
@NullMarked
package dev.belay.store.jdbc;

import org.jspecify.annotations.NullMarked;
