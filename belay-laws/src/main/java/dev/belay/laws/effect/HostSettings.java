package dev.belay.laws.effect;

import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.store.journal.JournalProbe;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * The settings of a host under test.
 *
 * @param time its only clock
 * @param parkAfter how long a scope that waits may hold its thread
 * @param probe watches its writes
 * @param threads makes the threads that scopes run on
 * @param encodesChildren whether children are run from their encoded inputs
 */
public record HostSettings(TimeSource time, Duration parkAfter, JournalProbe probe, ThreadFactory threads,
        boolean encodesChildren) {}
