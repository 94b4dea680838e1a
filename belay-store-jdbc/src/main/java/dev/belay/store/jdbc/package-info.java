/**
 * Sessions and records in one SQLite file, which needs no server, or in a PostgreSQL schema, which several nodes share.
 * {@link dev.belay.store.jdbc.JdbcStore} opens both.
 *
 * <p>The engine is in packages that are not exported. {@code rows} keeps the rows of the runtime's law in tables. {@code file} has
 * the open file: {@code ReaderPool} has the threads that read, {@code OwnerLock} decides which owners are alive, and
 * {@code sql} makes tables and statements from those of the runtime. {@code postgres} keeps the same rows in a PostgreSQL schema. Writes are decided and committed by the runtime.
 */
@NullMarked
package dev.belay.store.jdbc;

import org.jspecify.annotations.NullMarked;
