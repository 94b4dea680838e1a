/**
 * The boundary that makes calls durable: a recorded effect is answered when its scope is entered again, not repeated.
 *
 * <p>Here: {@link dev.belay.runtime.effect.EffectHost} runs scopes, {@link dev.belay.runtime.effect.ScopeRunner} is the program in them,
 * {@link dev.belay.runtime.effect.EffectScope} is its way to effects, children and waits.
 *
 * <p>Not here: the host over a store ({@code effect.engine}) and the inside of one scope ({@code effect.scope}); neither is exported.
 * Next room: {@link dev.belay.runtime.store.journal}, where the records are kept.
 */
@NullMarked
package dev.belay.runtime.effect;

import org.jspecify.annotations.NullMarked;
