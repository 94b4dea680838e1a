/**
 * One claimed scope: its entries, effects, children, waits and resources.
 *
 * <p>Not here: which scopes run in this process ({@code dev.belay.runtime.effect.engine}). Next room: {@code dev.belay.runtime.store.journal}.
 */
@NullMarked
package dev.belay.runtime.effect.scope;

import org.jspecify.annotations.NullMarked;
