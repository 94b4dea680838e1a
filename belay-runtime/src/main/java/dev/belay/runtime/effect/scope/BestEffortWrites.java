package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that nobody waits for and that nothing depends on. Thread-safe.
 *
 * @param host whose journal, time and runner
 */
public record BestEffortWrites(JournalEffectHost host) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    /**
     * Where a result goes that comes after its effect was settled. Whoever is to know of it is told first: a process that dies in
     * between has told, and lacks the row for those who look.
     */
    Consumer<Json> lateSink(ScopeId scope, String key) {
        return result -> {
            insist(scope, key, result, () -> host.runner().late(scope, new EffectKey(key), result));
            insist(scope, key, result, () -> host.journal().late(scope, key, result, host.time().now()));
        };
    }

    /** A store that fails for a while is asked again; what fails for good is logged. */
    private void insist(ScopeId scope, String key, Json result, Runnable write) {
        try {
            WriteRetry.on(host, () -> "a late result of effect " + key + " in scope " + scope, () -> {
                write.run();
                return true;
            });
        } catch (RuntimeException e) {
            LOG.warn("A late result of effect {} in scope {} could not be kept: {}", key, scope, result, e);
        }
    }

    void release(String resource, ScopeId scope, String key) {
        try {
            host.journal().release(resource, scope, key);
        } catch (JournalException e) {
            LOG.warn("Resource {} could not be released in the store", resource, e);
        }
    }
}
