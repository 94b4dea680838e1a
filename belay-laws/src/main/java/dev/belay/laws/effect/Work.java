package dev.belay.laws.effect;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.ToolEffect;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An effect of a scenario. Confined to one thread while it is described. */
final class Work implements Effect<Json> {

    /** Its body. */
    @FunctionalInterface
    interface Body {
        Json run(Running running) throws Exception;
    }

    /** Its check after a crash. */
    @FunctionalInterface
    interface Doubt {
        Json find(Json input) throws Exception;
    }

    private final EffectKey key;
    private final Body body;
    private Json identity = Json.NULL;
    private Supplier<Json> input = () -> Json.NULL;
    private ToolEffect effect = ToolEffect.READ;
    private boolean startFirst;
    private boolean ahead;
    private boolean ordered = true;
    private @Nullable String resource;
    private Doubt doubt;

    private Work(String key, Body body) {
        this.key = new EffectKey(key);
        this.body = body;
        this.doubt = in -> {
            throw new InDoubtException(key);
        };
    }

    static Work of(String key, Body body) {
        return new Work(key, body);
    }

    Work from(String decision) {
        identity = Json.string(decision);
        return this;
    }

    Work with(Supplier<Json> decided) {
        input = decided;
        return this;
    }

    Work as(ToolEffect declared) {
        effect = declared;
        return this;
    }

    Work startingFirst() {
        startFirst = true;
        return this;
    }

    Work unordered() {
        ordered = false;
        return this;
    }

    Work ahead() {
        ahead = true;
        return this;
    }

    Work holding(String what) {
        resource = what;
        return this;
    }

    Work whenInDoubt(Doubt search) {
        doubt = search;
        return this;
    }

    @Override
    public EffectKey key() {
        return key;
    }

    @Override
    public Json identity() {
        return identity;
    }

    @Override
    public boolean runsAhead() {
        return ahead;
    }

    @Override
    public boolean isOrdered() {
        return ordered;
    }

    @Override
    public Plan plan() {
        return new Plan(effect, input.get(), startFirst, resource, null);
    }

    @Override
    public Json run(Running running) throws Exception {
        return body.run(running);
    }

    @Override
    public Json encode(Json value) {
        return value;
    }

    @Override
    public Json decode(Json recorded) {
        return recorded;
    }

    @Override
    public Json doubt(Running started) throws Exception {
        return doubt.find(started.input());
    }
}
