/**
 * The host over a store: it finds scopes that have work, enters them until they end or park, and tells them of settlements and
 * cancellations.
 *
 * <p>Start with {@code JournalEffectHost}; {@code ScopeLoop} is the loop around one scope.
 *
 * <p>Not here: what a runner can do inside a scope ({@code dev.belay.runtime.effect.scope}, which knows nothing of this package). Next
 * room: {@link dev.belay.runtime.store.journal}.
 */
@NullMarked
package dev.belay.runtime.effect.engine;

import org.jspecify.annotations.NullMarked;
