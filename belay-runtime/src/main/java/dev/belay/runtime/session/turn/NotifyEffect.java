package dev.belay.runtime.session.turn;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.tool.ToolEffect;

/**
 * Tells a call that waits for this turn how it ends. Done before the commit, and again if the process dies in between: a wait
 * that is settled twice with the same value is settled once.
 */
record NotifyEffect(JournalHost host, String token, Json result) implements Effect.Flag {

    @Override
    public EffectKey key() {
        return new EffectKey("notify/" + new FramedHash().add(token).hex());
    }

    @Override
    public String kind() {
        return "notify";
    }

    @Override
    public Json identity() {
        return result;
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public Boolean run(Running running) {
        host.settle(token, new Resolution.Ok(result));
        return true;
    }
}
