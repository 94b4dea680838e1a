package dev.belay.runtime.effect;

import dev.belay.json.Json;
import java.time.Instant;

/**
 * A result that came after its effect was settled without it. It is kept and changes nothing.
 *
 * @param key the effect
 * @param result what it would have been
 * @param at when it came
 */
public record LateResult(EffectKey key, Json result, Instant at) {}
