package dev.belay.runtime.dispatch;

import dev.belay.runtime.dispatch.call.PlacedCall;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.tool.context.CallId;

/**
 * Names one call to whoever watches.
 *
 * @param scope the scope that owns its batch
 * @param turn number of the turn, 0 outside a session
 * @param round number of the round
 * @param index position within the batch
 * @param id what the model calls it
 * @param tool what the model said
 */
public record CallReference(ScopeId scope, long turn, long round, int index, CallId id, String tool) {

    public static CallReference of(ScopeId scope, PlacedCall call) {
        return new CallReference(scope, call.place().turn(), call.place().round(), call.place().position(),
                call.id(), call.name());
    }
}
