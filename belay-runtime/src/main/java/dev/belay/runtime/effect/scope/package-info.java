/**
 * The inside of one claimed scope: its entries, effects, children, waits and resources.
 *
 * <p>Start with {@code JournalScope}. It and its parts share a {@code LiveScope}, which has the {@code HostServices} of its host.
 * {@code EffectDecision} decides whether an effect is answered, run, run again or in doubt; {@code EffectRun} runs it.
 *
 * <p>Not here: which scopes this process enters, and when ({@code dev.belay.runtime.effect.engine}). Next room:
 * {@link dev.belay.runtime.store.journal}.
 */
@NullMarked
package dev.belay.runtime.effect.scope;

import org.jspecify.annotations.NullMarked;
