/**
 * The law of every store: what each write decides and what each read says, as pure code over rows. The rules give one operation for each
 * write, the reads one for each read; {@code dev.belay.runtime.store.Store} applies them. Rows and how they are loaded and flushed are in
 * {@code dev.belay.runtime.store.rows}.
 */
@NullMarked
package dev.belay.runtime.store.law;

import org.jspecify.annotations.NullMarked;
