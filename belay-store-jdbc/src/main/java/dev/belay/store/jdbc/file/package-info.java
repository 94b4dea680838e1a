/**
 * One open file: its place, its connections, its owner and its schema. Rows are in {@code dev.belay.store.jdbc.rows}.
 */
@NullMarked
package dev.belay.store.jdbc.file;

import org.jspecify.annotations.NullMarked;
