package dev.belay.runtime.effect;

import dev.belay.json.Json;

/** An effect of which nothing is recorded but whether it was done. */
public interface FlagEffect extends Effect<Boolean> {

    @Override
    default Json encode(Boolean done) {
        return Json.bool(done);
    }

    @Override
    default Boolean decode(Json recorded) {
        return recorded.asBoolean();
    }

    /** Only asked if it must not be repeated; most of them may. */
    @Override
    default Boolean doubt(Json input) {
        return true;
    }
}
