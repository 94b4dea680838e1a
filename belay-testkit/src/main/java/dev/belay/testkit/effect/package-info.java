/**
 * What hosts of effects and their journals must do, as tests. Whoever writes a journal extends
 * {@link dev.belay.testkit.journal.JournalContract} and supplies a {@link dev.belay.testkit.journal.JournalOpening}; whoever
 * writes a host extends {@link dev.belay.testkit.effect.EffectHostContract}.
 */
@NullMarked
package dev.belay.testkit.effect;

import org.jspecify.annotations.NullMarked;

