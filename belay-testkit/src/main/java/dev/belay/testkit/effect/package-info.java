/**
 * The contract of effect hosts, as tests: extend {@link dev.belay.testkit.effect.EffectHostContract} and supply
 * {@link dev.belay.testkit.effect.HostRecords}. A {@code Stage} plays each scenario with hosts that start and die. The contract of
 * journals is in {@link dev.belay.testkit.journal}.
 */
@NullMarked
package dev.belay.testkit.effect;

import org.jspecify.annotations.NullMarked;
