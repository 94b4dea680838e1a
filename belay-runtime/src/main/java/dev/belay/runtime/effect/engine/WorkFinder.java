package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for scopes that have work: ready ones, ones whose owner died, ones whose time has come. One alarm is set for the next
 * deadline in the store, another looks from time to time for what other processes did, and lets the {@link Collector} work.
 */
final class WorkFinder {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final int BATCH = 256;
    /** Death leaves no trace in the version, so it is looked for too, but less often. */
    private static final int TICKS_PER_SEARCH = 5;

    private final JournalEffectHost host;
    private final Journal journal;
    private final HostOptions options;
    private final Joiners joiners;
    private final LostClaims lost;
    private final Collector collector;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean looking = new AtomicBoolean();
    private TimeSource.Alarm dueAlarm = () -> {};
    private @Nullable Instant armedFor;
    /** Used by one look at a time. */
    private long version;
    private int ticks;

    WorkFinder(JournalEffectHost host, Journal journal, HostOptions options, Joiners joiners,
            LostClaims lost) {
        this.host = host;
        this.journal = journal;
        this.options = options;
        this.joiners = joiners;
        this.lost = lost;
        this.collector = new Collector(host);
    }

    /** Takes what is there, and looks again from now on. */
    void start() {
        version = journal.version();
        collector.begin();
        takeReady();
        rearm();
        poll();
    }

    void stop() {
        lock.lock();
        try {
            dueAlarm.cancel();
        } finally {
            lock.unlock();
        }
    }

    /** Takes what is ready and what dead owners left. */
    void takeReady() {
        while (host.isServing()) {
            int room = Math.min(BATCH, host.room());
            if (room <= 0) {
                return;
            }
            List<Claim> claims = journal.takeReady(room, options.entryLimit(), options.time().now());
            claims.forEach(claim -> host.begin(claim, false));
            if (claims.size() < room) {
                return;
            }
        }
    }

    /** Looks, from time to time, whether another process wrote something or died. */
    private void poll() {
        if (!host.isClosing()) {
            options.time().after(options.pollEvery(), () -> {
                if (!host.isClosing() && looking.compareAndSet(false, true)) {
                    host.spawn(this::look);
                }
            });
        }
    }

    private void look() {
        try {
            long now = journal.version();
            boolean changed = now != version;
            boolean search = lost.giveBack() || changed || ticks++ % TICKS_PER_SEARCH == 0;
            if (search) {
                takeReady();
            }
            if (changed) {
                host.othersWrote();
                rearm();
                version = now;
            } else if (search) {
                joiners.ringAll(); // a scope that could not be taken any more is stuck
            }
            collector.startIfDue();
        } catch (RuntimeException e) {
            if (!host.isClosing()) {
                LOG.warn("Could not look for work", e);
            }
        } finally {
            looking.set(false);
            poll();
        }
    }

    /** Sets the alarm for the next deadline in the store. */
    void rearm() {
        if (!host.isServing()) {
            return;
        }
        Instant next = journal.nextDue().orElse(null);
        lock.lock();
        try {
            // what was read may be older than what another thread has set the alarm for; one that rings too early does no harm
            if (next == null || (armedFor != null && !next.isBefore(armedFor))) {
                return;
            }
            dueAlarm.cancel();
            armedFor = next;
            dueAlarm = options.time().at(next, () -> host.spawn(this::takeDue));
        } finally {
            lock.unlock();
        }
    }

    private void takeDue() {
        lock.lock();
        try {
            armedFor = null;
        } finally {
            lock.unlock();
        }
        try {
            List<Claim> claims;
            do {
                claims = journal.takeDue(BATCH, options.time().now());
                claims.forEach(claim -> host.begin(claim, false));
            } while (claims.size() == BATCH && !host.isClosing());
            rearm();
        } catch (RuntimeException e) {
            if (!host.isClosing()) {
                LOG.warn("Could not take what is due; trying again", e);
                options.time().after(options.pollEvery(), () -> host.spawn(this::takeDue));
            }
        }
    }
}
