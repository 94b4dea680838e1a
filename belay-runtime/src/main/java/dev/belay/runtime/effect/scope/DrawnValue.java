package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.tool.ToolEffect;
import java.util.function.Function;
import java.util.function.Supplier;

/** A value that is drawn once and recorded. */
record DrawnValue<T>(EffectKey key, String kind, Json identity, Supplier<T> draw, Function<T, Json> write,
        Function<Json, T> read) implements Effect<T> {

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, identity);
    }

    @Override
    public T run(Running running) {
        return draw.get();
    }

    @Override
    public Json encode(T value) {
        return write.apply(value);
    }

    @Override
    public T decode(Json recorded) {
        return read.apply(recorded);
    }

    @Override
    public T doubt(Json input) {
        throw new IllegalStateException("a drawn value is never in doubt");
    }
}
