package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.ScopeId;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a result that comes after its effect was settled without it. Thread-safe.
 *
 * <p>Durability: the runner is told before the row is written. A process that dies in between has told the runner and lacks the row.
 *
 * @param host its journal and its runner
 * @param scope whose effect
 * @param key of the effect, with its path
 */
record LateSink(HostServices host, ScopeId scope, String key) implements Consumer<Json> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    @Override
    public void accept(Json result) {
        insist(result, () -> host.life().runner().late(scope, new EffectKey(key), result));
        insist(result,
                () -> host.store().apply(host.store().records().late(scope, key, result, host.time().now())));
    }

    /** Tries again while the store fails for a while; logs what fails for good, because nothing depends on it. */
    private void insist(Json result, Runnable write) {
        try {
            WriteRetry.on(host, () -> "a late result of effect " + key + " in scope " + scope, () -> {
                write.run();
                return true;
            });
        } catch (RuntimeException e) {
            LOG.warn("A late result of effect {} in scope {} could not be kept: {}", key, scope, result, e);
        }
    }
}
