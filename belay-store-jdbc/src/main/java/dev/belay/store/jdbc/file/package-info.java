/**
 * One open file: its place, permissions and identity, its connections, its owner and its schema, and the library of the driver. Rows
 * are in {@code dev.belay.store.jdbc.rows}.
 */
@NullMarked
package dev.belay.store.jdbc.file;

import org.jspecify.annotations.NullMarked;
