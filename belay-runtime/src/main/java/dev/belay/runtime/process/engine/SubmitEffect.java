package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.tool.ToolEffect;

/**
 * Submits the input of a turn to its session. Recorded, so that a process that is entered again does not submit it to a session
 * that was deleted meanwhile. If the owner dies before the record, the id of the input prevents a second turn.
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
            throw ProcessFaults.refused(fault);
        }
    }
}
