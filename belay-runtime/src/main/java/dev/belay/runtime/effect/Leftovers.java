package dev.belay.runtime.effect;

import dev.belay.json.Json;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that nobody waits for and that nothing depends on: if the store fails, they are logged. Thread-safe.
 *
 * @param journal where
 * @param time when
 * @param runner who is told of late results
 */
record Leftovers(Journal journal, TimeSource time, Supplier<ScopeRunner> runner) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    /** Where a result goes that comes after its effect was settled. */
    Consumer<Json> lateSink(ScopeId scope, String key) {
        return result -> {
            try {
                journal.late(scope, key, result, time.now());
                runner.get().late(scope, new EffectKey(key), result);
            } catch (RuntimeException e) {
                LOG.warn("A late result of effect {} in scope {} could not be kept: {}", key, scope, result,
                        e);
            }
        };
    }

    void release(String resource, ScopeId scope, String key) {
        try {
            journal.release(resource, scope, key);
        } catch (JournalException e) {
            LOG.warn("Resource {} could not be released in the store", resource, e);
        }
    }
}
