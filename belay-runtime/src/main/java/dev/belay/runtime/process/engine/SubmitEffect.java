package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.tool.ToolEffect;

/**
 * Says something to a session, as it is recorded: once said it is not said again, also if the session was deleted meanwhile. If
 * the process dies in between, the id of the input keeps it from being said twice.
 */
record SubmitEffect(ProcessWork.Turn turn, Runnable submit) implements Effect.Flag {

    static final EffectKey KEY = new EffectKey("submit");

    @Override
    public EffectKey key() {
        return KEY;
    }

    @Override
    public String kind() {
        return "submit";
    }

    @Override
    public Json identity() {
        return turn.toJson();
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public Boolean run(Running running) {
        try {
            submit.run();
            return true;
        } catch (BelayException fault) {
            throw ProcessEntry.refused(fault);
        }
    }
}
