/**
 * One open file: its place, its threads, its owner, its group commits and its migrations. The rows and the writes are in
 * {@code dev.belay.store.jdbc.sqlite}.
 */
@NullMarked
package dev.belay.store.jdbc.file;

import org.jspecify.annotations.NullMarked;
