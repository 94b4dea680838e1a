/**
 * The contract of effect hosts, as tests: extend {@link dev.belay.laws.effect.EffectHostContract} and supply
 * {@link dev.belay.laws.effect.HostRecords}. A {@code Stage} plays each scenario with hosts that start and die. The contract of
 * journals is in {@link dev.belay.laws.journal}.
 */
@NullMarked
package dev.belay.laws.effect;

import org.jspecify.annotations.NullMarked;
