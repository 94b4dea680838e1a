/**
 * The boundary that makes calls durable: whatever a scope has recorded is answered when it is entered again, not repeated.
 *
 * <p>{@link dev.belay.runtime.effect.EffectHost} is what a runtime sees. {@code JournalEffectHost} is
 * the engine behind it wherever records are rows; a {@link dev.belay.runtime.store.journal.Journal} is where the rows are kept.
 */
@NullMarked
package dev.belay.runtime.effect;

import org.jspecify.annotations.NullMarked;
