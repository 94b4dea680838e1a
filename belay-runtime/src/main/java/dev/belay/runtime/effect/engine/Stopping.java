package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.scope.HostLife;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.effect.scope.HostThreads;
import dev.belay.runtime.effect.scope.LiveScope;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Drains and closes a host. While it drains, nothing begins except in scopes that a body running here waits for; each scope is given
 * back by its own thread once what runs in it is recorded. Then what still runs is interrupted. Thread-safe.
 */
final class Stopping {

    /** How long interrupted work may take to end: longer than the grace of a body, so that what became of it is recorded. */
    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(2);
    /** How long giving back what is left may take; a store that does not answer must not hold up the end of a program. */
    private static final Duration LAST_WRITES = Duration.ofSeconds(1);

    private final HostServices host;
    private final LiveScopes live;
    private final Joiners joiners;
    private final WorkFinder finder;
    private final CountDownLatch over = new CountDownLatch(1);

    Stopping(HostServices host, LiveScopes live, Joiners joiners, WorkFinder finder) {
        this.host = host;
        this.live = live;
        this.joiners = joiners;
        this.finder = finder;
    }

    /** Waits for a scope. */
    @FunctionalInterface
    interface Joining {
        Optional<ScopeState> join() throws InterruptedException;
    }

    /** Waits for a scope. If it is a body that waits, the scope goes on while this host drains. */
    Optional<ScopeState> needing(ScopeId scope, Joining joining) throws InterruptedException {
        if (!host.bodies().isBody(Thread.currentThread())) {
            return joining.join();
        }
        Runnable noMore = host.life().need(scope);
        try {
            if (host.life().isClosing()) {
                finder.spawnSearch();
            }
            return joining.join();
        } finally {
            noMore.run();
        }
    }

    /**
     * Closes once; other callers wait for the first.
     *
     * @param drain how long work that runs may take to end by itself; zero interrupts it at once
     * @param time counts that
     */
    void close(Duration drain, TimeSource time) {
        HostLife life = host.life();
        if (!life.beginClosing()) {
            awaitOver();
            return;
        }
        try {
            finder.stop();
            life.tellClosing();
            live.forEach(LiveScope::stop);
            HostThreads threads = host.threads();
            if (drain.isPositive() && !life.isClosed()) {
                finder.spawnSearch();
                threads.awaitNone(drain, time);
            }
            life.close();
            // a body that waits for a scope gives up by the interrupt; rung first, it would answer that the journal is closed
            live.forEach(LiveScope::interrupt);
            threads.awaitAll(INTERRUPT_GRACE);
            live.giveBack(threads, LAST_WRITES);
        } finally {
            life.close();
            finder.stop();
            joiners.stop();
            joiners.ringAll();
            try {
                host.store().close();
            } finally {
                over.countDown();
            }
        }
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
