package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.store.Store;

/**
 * What the scopes of one host share. Scopes get these services and never the host.
 *
 * @param store keeps the records
 * @param options what the host was made with
 * @param life the served runner, and whether the host is closing
 * @param threads the threads that {@code close} waits for
 * @param time of the options; an alarm that fails is the failure of the host
 * @param keys makes and checks completion keys
 * @param queues the order in which calls of this process use a resource
 * @param bodies the bodies that run in this process, whichever entry has started them
 */
public record HostServices(Store store, HostOptions options, HostLife life, HostThreads threads,
        TimeSource time, CompletionKeys keys, ResourceQueues queues, RunningBodies bodies) {

    /** Services of a new host. */
    public static HostServices of(Store store, HostOptions options) {
        var life = new HostLife();
        return new HostServices(store, options, life, new HostThreads(options.threads()),
                new HostTime(options.time(), life), new CompletionKeys(store), new ResourceQueues(),
                new RunningBodies());
    }
}
