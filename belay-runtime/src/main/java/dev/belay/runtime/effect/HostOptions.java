package dev.belay.runtime.effect;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * The options of a host. Immutable.
 *
 * @param time clock and alarms
 * @param threads makes the threads of scopes; virtual ones by default
 * @param parkAfter how long a scope may hold its thread while it waits; zero parks at once, everywhere
 * @param pollEvery how often the host looks for work of other processes
 * @param entryLimit entries without a new record before a scope is stuck
 * @param maxLive scopes that are entered at once; more wait in the store
 * @param closeGrace how long work that runs at {@code close()} has to end by itself, in real time; then it is interrupted
 * @param encodesChildren whether children are run from their encoded inputs ({@link ScopeRunner#child}), and their outcomes are
 *        encoded, as if they ran in another process. For tests: it costs time and shows what an object would carry beside its data.
 *        Off, unless the system property {@code belay.encodeChildren} is true
 */
public record HostOptions(TimeSource time, ThreadFactory threads, Duration parkAfter, Duration pollEvery,
        int entryLimit, int maxLive, Duration closeGrace, boolean encodesChildren) {

    /** Leaving a scope and entering it again costs more than holding the thread of a short wait. */
    public static final Duration PARK_AFTER = Duration.ofMillis(500);
    /** Work of other processes lies so long at most; a look costs one cheap read. */
    public static final Duration POLL_EVERY = Duration.ofMillis(200);
    /** A scope that fails so often without a new record needs an operator. */
    public static final int ENTRY_LIMIT = 5;
    /** A scope that is entered takes some kilobytes. */
    public static final int MAX_LIVE = 100_000;
    /** Most work in flight is a write or a short body. */
    public static final Duration CLOSE_GRACE = Duration.ofSeconds(1);

    /** Right for most programs. */
    public static final HostOptions DEFAULT = new HostOptions(TimeSource.system(),
            Thread.ofVirtual().factory(), PARK_AFTER, POLL_EVERY, ENTRY_LIMIT, MAX_LIVE, CLOSE_GRACE,
            Boolean.getBoolean("belay.encodeChildren"));

    /** Refuses limits that are not positive. */
    public HostOptions {
        if (parkAfter.isNegative() || closeGrace.isNegative() || pollEvery.isNegative() || pollEvery.isZero()
                || entryLimit < 1 || maxLive < 1) {
            throw new IllegalArgumentException(
                    "parkAfter and closeGrace must not be negative, the others must be positive, found "
                            + parkAfter + ", " + closeGrace + ", " + pollEvery + ", " + entryLimit + ", "
                            + maxLive);
        }
    }

    /** The same with another time. */
    public HostOptions withTime(TimeSource other) {
        return new HostOptions(other, threads, parkAfter, pollEvery, entryLimit, maxLive, closeGrace,
                encodesChildren);
    }

    /** The same with other threads. */
    public HostOptions withThreads(ThreadFactory other) {
        return new HostOptions(time, other, parkAfter, pollEvery, entryLimit, maxLive, closeGrace,
                encodesChildren);
    }

    /** The same with another time to hold a thread. */
    public HostOptions withParkAfter(Duration other) {
        return new HostOptions(time, threads, other, pollEvery, entryLimit, maxLive, closeGrace,
                encodesChildren);
    }

    /** The same with another limit of scopes. */
    public HostOptions withMaxLive(int other) {
        return new HostOptions(time, threads, parkAfter, pollEvery, entryLimit, other, closeGrace,
                encodesChildren);
    }

    /** The same with another time for work that runs at {@code close()}. */
    public HostOptions withCloseGrace(Duration other) {
        return new HostOptions(time, threads, parkAfter, pollEvery, entryLimit, maxLive, other,
                encodesChildren);
    }

    /** The same with children that are run from their encoded inputs. */
    public HostOptions withEncodedChildren() {
        return new HostOptions(time, threads, parkAfter, pollEvery, entryLimit, maxLive, closeGrace, true);
    }
}
