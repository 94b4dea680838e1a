package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.scope.HostServices;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes records of ended scopes and unused large results from the journal. It has no alarm of its own: {@link WorkFinder} calls it at
 * every look. Several processes may collect at once. Thread-safe, except {@link #startIfDue}.
 */
final class Collector {

    /** Seldom, because ended scopes are read for it; often enough that a day or a week is not much exceeded. */
    static final Duration EVERY = Duration.ofHours(1);
    /** A large result is written before the record that refers to it; no write takes a day. */
    static final Duration UNUSED_FOR = Duration.ofDays(1);
    /** An operator can read for a week how a scope came to its end. */
    static final Duration ENDED_FOR = Duration.ofDays(7);

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    private final HostServices host;
    private final AtomicBoolean collecting = new AtomicBoolean();
    private long last;

    Collector(HostServices host) {
        this.host = host;
    }

    /** Starts the time until the first collection. */
    void begin() {
        last = host.time().nanos();
    }

    /** Collects on a thread of its own, if it is time. Called by one thread at a time. */
    void startIfDue() {
        long now = host.time().nanos();
        if (now - last >= EVERY.toNanos() && collecting.compareAndSet(false, true)) {
            last = now;
            host.threads().start(this::collect);
        }
    }

    /** Deletes records first: a large result that only they refer to goes with them. */
    private void collect() {
        try {
            Instant now = host.time().now();
            int effects = host.store().collectEffects(now.minus(ENDED_FOR));
            int outputs = host.life().isClosing() ? 0 : host.store().collectOutputs(now.minus(UNUSED_FOR));
            LOG.debug("Collected {} records and {} large results", effects, outputs);
        } catch (RuntimeException e) {
            if (!host.life().isClosing()) {
                LOG.warn("Could not delete old records and large results; trying again in {}", EVERY, e);
            }
        } finally {
            collecting.set(false);
        }
    }
}
