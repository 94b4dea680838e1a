package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.tool.ToolEffect;

/**
 * The row of the audit log of an end that has no record of its own: that of a call which is parked or between steps. It takes no place in the
 * order of effects, because the steps of the call were recorded without it.
 *
 * @param call which has ended
 * @param note the row
 */
record NotedEnd(OneCall call, Effect.Note note) implements Effect.Flag {

    @Override
    public EffectKey key() {
        return new EffectKey("ended");
    }

    @Override
    public Json identity() {
        return call.call().identity();
    }

    @Override
    public String kind() {
        return "ended";
    }

    @Override
    public boolean isOrdered() {
        return false;
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public Boolean run(Running running) {
        running.notes(note);
        return true;
    }

    /** Never asked: it may be repeated. */
    @Override
    public Boolean doubt(Running started) {
        return run(started);
    }

    @Override
    public Boolean cancelledBeforeStart(String reason) {
        return false;
    }
}
