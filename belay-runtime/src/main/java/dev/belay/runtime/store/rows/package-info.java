/**
 * Rows, and what a store does with them: it loads, flushes and finds them, and says whether an owner lives ({@link
 * dev.belay.runtime.store.rows.Rows}). What a write decides is in {@code dev.belay.runtime.store.law}; a store holds none of it.
 */
@NullMarked
package dev.belay.runtime.store.rows;

import org.jspecify.annotations.NullMarked;
