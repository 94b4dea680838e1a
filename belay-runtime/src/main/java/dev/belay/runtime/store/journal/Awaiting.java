package dev.belay.runtime.store.journal;

import java.time.Instant;

/**
 * What a scope waits for without a wait of its own, for lists of operators.
 *
 * @param what it waits for
 * @param name which round, which resource, or which plugin or configuration and why
 * @param since when
 */
public record Awaiting(Thing what, String name, Instant since) {

    /** What has no wait of its own. */
    public enum Thing {
        /** A model: the scope runs and asks it, or is parked until it is asked again. */
        MODEL,
        /** A plugin that cannot read what is kept for it: the scope is parked until any process looks again. */
        PLUGIN,
        /** A program that is configured so that it can run the scope: the scope is parked until any process looks again. */
        CONFIGURATION,
        /** A resource that another call holds: the scope is claimed and has no thread. */
        RESOURCE
    }
}
