package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.law.ScopeReads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds scopes that have work: ready scopes, scopes whose owner died, scopes whose time has come. One alarm is set for the next
 * deadline in the store. A second alarm looks, from time to time, for writes of other processes, and lets the {@link Collector} work.
 * Thread-safe.
 */
final class WorkFinder {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final int BATCH = 256;
    /** While this process is not sure to own what it has, bodies that take resources meanwhile are stopped, too. */
    private static final Duration BETWEEN_STOPS = Duration.ofSeconds(1);
    /** A model that answers sooner costs no write. */
    private static final Duration ASKED_FOR = Duration.ofSeconds(1);

    private final HostServices host;
    private final Store store;
    private final LiveScopes live;
    private final Joiners joiners;
    private final LostClaims lost;
    private final Consumer<Claim> begin;
    private final Collector collector;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicBoolean news = new AtomicBoolean();
    private TimeSource.Alarm dueAlarm = () -> {};
    private @Nullable Instant armedFor;
    /** Used by one look at a time. */
    private long version;
    private int ticks;

    /**
     * Finds work for a host.
     *
     * @param begin runs a scope that was found and claimed
     */
    WorkFinder(HostServices host, LiveScopes live, Joiners joiners, LostClaims lost, Consumer<Claim> begin) {
        this.host = host;
        this.store = host.store();
        this.live = live;
        this.joiners = joiners;
        this.lost = lost;
        this.begin = begin;
        this.collector = new Collector(host);
    }

    /** Takes ready scopes, and looks for work from now on. */
    void start() {
        version = store.version();
        store.readPauses();
        collector.begin();
        takeReady();
        rearm();
        poll();
        watchOwner();
        store.others().onNews(() -> {
            news.set(true);
            lookNow(false);
        });
    }

    /** Stops bodies that hold resources if another process may take this one for dead. */
    private void watchOwner() {
        Duration sure = store.others().sureFor(store.owner());
        if (host.life().isClosed() || sure.equals(Others.ALWAYS)) {
            return;
        }
        if (!sure.isPositive()) {
            host.bodies().stopHolders();
        }
        host.time().after(sure.isPositive() ? sure : BETWEEN_STOPS, this::watchOwner);
    }

    synchronized void stop() {
        dueAlarm.cancel();
    }

    /** Takes ready scopes and scopes of dead owners. A host that drains takes only those that its bodies wait for. */
    void takeReady() {
        if (host.life().isClosing()) {
            host.life().needed().forEach(this::takeNeeded);
            return;
        }
        while (host.life().isServing()) {
            int room = Math.min(BATCH, live.room());
            if (room <= 0) {
                return;
            }
            List<Claim> claims = store.work().ready(room, host.options().entryLimit(), host.time().now());
            claims.forEach(begin);
            if (claims.size() < room) {
                return;
            }
        }
    }

    private void takeNeeded(ScopeId scope) {
        ScopeState state = store.read(ScopeReads.state(scope)).orElse(null);
        if (state != null && host.life().takes(scope) && live.find(scope) == null && mayGoOn(state)
                && store.served().serves(state.input())) {
            store.apply(store.scopes().claim(scope, host.time().now())).ifPresent(begin);
        }
    }

    private boolean mayGoOn(ScopeState state) {
        Instant now = host.time().now();
        return switch (state.status()) {
            case READY, RUNNING -> true; // a scope whose owner lives is not claimed
            case PARKED -> isDue(state.wakeAt(), now)
                    || store.read(ScopeReads.waits(state.id()))
                            .stream()
                            .anyMatch(wait -> isDue(wait.deadline(), now));
            case STUCK, ENDED -> false;
        };
    }

    private static boolean isDue(@Nullable Instant moment, Instant now) {
        return moment != null && !moment.isAfter(now);
    }

    /** A pause has begun or ended here: what waits looks again. */
    void pausesChanged() {
        store.readPauses();
        live.forEach(scope -> scope.memory().signal());
        spawnSearch();
    }

    /** Takes ready scopes on a thread of its own. */
    void spawnSearch() {
        start(this::takeReady, "Could not take ready scopes; trying again");
    }

    /** Runs a search on a thread of its own. What a store refuses now is found by a later look; all else ends the host. */
    private void start(Runnable search, String failed) {
        host.threads().start(host.life().vital(() -> {
            try {
                search.run();
            } catch (RuntimeException e) {
                if (!host.life().failsWith(e) && !host.life().isClosing()) {
                    LOG.warn(failed, e);
                }
            }
        }));
    }

    /** Looks, from time to time, whether another process has written or died. */
    private void poll() {
        if (!host.life().isClosed()) {
            host.time().after(looks().every(), () -> lookNow(true));
        }
    }

    private Others.Looks looks() {
        return store.others().looks(host.options().pollEvery());
    }

    /**
     * Begins a look, unless one is under way.
     *
     * @param polls whether the next look is due some time after this one
     */
    private void lookNow(boolean polls) {
        if (host.life().isClosed()) {
            return;
        }
        if (looking.compareAndSet(false, true)) {
            start(() -> look(polls), "Could not look for work");
        } else if (polls) {
            poll();
        }
    }

    private void look(boolean polls) {
        news.set(false);
        try {
            long now = store.version();
            boolean changed = now != version;
            if (changed && store.readPauses()) {
                live.forEach(scope -> scope.memory().signal());
            }
            boolean search = lost.giveBack() || changed || ticks++ % looks().perSearch() == 0
                    || host.life().isClosing();
            if (search) {
                takeReady();
            }
            if (changed) {
                readOthersWrites();
                rearm();
                version = now;
            } else if (search) {
                joiners.ringAll(); // takeReady makes a scope stuck that was taken too often
            }
            noteQuestions();
            if (host.life().isServing()) {
                collector.startIfDue();
            }
        } finally {
            looking.set(false);
            if (polls) {
                poll();
            }
            if (news.get()) {
                lookNow(false);
            }
        }
    }

    /** Lists say which turns wait for a model. The notes share commits. */
    private void noteQuestions() {
        Instant before = host.time().now().minus(ASKED_FOR);
        live.forEach(scope -> {
            if (scope.asksSince(before)) {
                start(scope::noteAsking, "Lists do not say that a turn waits for its model");
            }
        });
    }

    /** Another process wrote: it may have settled, cancelled or ended a scope that waits or is waited for here. */
    private void readOthersWrites() {
        try {
            live.forEach(scope -> scope.memory().refresh());
        } finally {
            joiners.ringAll();
        }
    }

    /** Sets the alarm for the next deadline in the store. */
    void rearm() {
        if (!host.life().isServing()) {
            return;
        }
        Instant next = store.work().nextDue().orElse(null);
        synchronized (this) {
            // another thread may have read a newer deadline; an alarm that rings too early does no harm
            if (next == null || !host.life().isServing() || (armedFor != null && !next.isBefore(armedFor))) {
                return;
            }
            dueAlarm.cancel();
            armedFor = next;
            dueAlarm = host.time().at(next, this::spawnTakeDue);
        }
    }

    private void spawnTakeDue() {
        start(this::takeDue, "Could not take scopes that are due; trying again");
    }

    private void takeDue() {
        synchronized (this) {
            armedFor = null;
        }
        try {
            List<Claim> claims;
            do {
                claims = host.life().isServing()
                        ? store.work().due(BATCH, host.time().now())
                        : List.of();
                claims.forEach(begin);
            } while (claims.size() == BATCH);
            rearm();
        } catch (RuntimeException e) {
            if (!host.life().isClosing()) {
                host.time().after(host.options().pollEvery(), this::spawnTakeDue);
            }
            throw e;
        }
    }
}
