package dev.belay.runtime.dispatch;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.tool.context.CallId;

/**
 * Names one call to listeners.
 *
 * @param scope the scope that owns its batch
 * @param turn number of the turn, 0 outside a session
 * @param round number of the round
 * @param index position within the batch
 * @param id what the model calls it
 * @param tool what the model said
 */
public record CallReference(ScopeId scope, long turn, long round, int index, CallId id, String tool) {}
