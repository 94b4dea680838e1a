/**
 * The host over a store: finds scopes that have work, starts them, and tells live scopes what was settled or cancelled.
 *
 * <p>Not here: what happens inside one scope ({@code dev.belay.runtime.effect.scope}). Next room: {@code dev.belay.runtime.store.journal}.
 */
@NullMarked
package dev.belay.runtime.effect.engine;

import org.jspecify.annotations.NullMarked;
