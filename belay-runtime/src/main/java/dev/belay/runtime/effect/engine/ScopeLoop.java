package dev.belay.runtime.effect.engine;

import dev.belay.json.Json;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.scope.ChildGroup;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.effect.scope.JournalScope;
import dev.belay.runtime.effect.scope.LiveScope;
import dev.belay.runtime.effect.scope.Waiting;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.ScopeEnding;
import dev.belay.schema.Wording;
import dev.belay.tool.context.Suspended;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enters the runner for one live scope, as often as needed, until the scope ends, parks, is stuck or is lost.
 *
 * <p>Concurrency: one thread at a time runs the loop. A scope that sleeps in this process has no thread; its {@link LiveScope#memory}
 * starts the next one.
 *
 * <p>Durability: the result of the runner is written before the scope counts as ended here.
 *
 * <p>Recovery: an entry that ends by a fault is counted in the store and tried again after a pause; the store makes the scope stuck
 * when that has happened too often. A scope that a crash has left is entered by the loop of its next owner.
 */
final class ScopeLoop {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int MOST_SHOWN = 1_000;

    private final HostServices host;
    private final LiveScope live;
    private final LiveScopes scopes;
    private final Joiners joiners;
    private final WorkFinder finder;
    private final ChildGroup.Apart apart = new ChildGroup.Apart();
    private boolean fresh;
    private boolean isParked;

    /**
     * Makes a loop; {@link #enter} runs it.
     *
     * @param fresh whether the scope was just submitted, so that the journal has nothing to read
     */
    ScopeLoop(LiveScope live, boolean fresh, LiveScopes scopes, Joiners joiners, WorkFinder finder) {
        this.host = live.host();
        this.live = live;
        this.fresh = fresh;
        this.scopes = scopes;
        this.joiners = joiners;
        this.finder = finder;
    }

    /** Enters the scope until it is over for this process. If it stops first, because the host closes, it is given back. */
    void enter() {
        int failures = 0;
        while (!live.stops()) {
            try {
                if (scopes.hadEarlyNews(live.id()) || !fresh) {
                    live.memory().load();
                }
                fresh = false;
                switch (once()) {
                    case OVER -> {
                        leave();
                        return;
                    }
                    case ASLEEP -> {
                        return;
                    }
                    case AGAIN -> failures = 0;
                }
            } catch (FencedException e) {
                lose();
                return;
            } catch (ReplayMismatchException e) {
                stick(e);
                return;
            } catch (Throwable e) {
                if (host.life().failsWith(e) || (!live.stops() && !recover(e, failures++))) {
                    return;
                }
            }
        }
        giveBack();
    }

    /** Gives the scope back as if it had not been entered. One that cannot be is tried again when the host is closed. */
    private void giveBack() {
        try {
            live.giveBack();
            leave();
        } catch (JournalException e) {
            LOG.debug("Scope {} could not be given back", live.id(), e);
        }
    }

    private enum Entry {
        OVER, ASLEEP, AGAIN
    }

    /** Enters the runner once. */
    private Entry once() {
        boolean cancelSeen = live.memory().cancelReason() != null;
        live.pending().begin();
        live.memory().silence();
        live.memory().entered();
        var root = new JournalScope(live, apart);
        live.joins(Thread.currentThread());
        try {
            Json result = host.life().runner().run(root, live.claim().input());
            live.pending().settle();
            if (!root.entry().isSuspended()) {
                return end(root.ending(), result);
            }
            LOG.error(
                    "suspension_swallowed: the runner of scope {} caught Suspended and went on; its result is discarded",
                    live.id());
        } catch (Suspended waiting) {
            live.pending().settle();
            if (!root.entry().isSuspended()) {
                throw new IllegalStateException("a runner threw Suspended by itself", waiting);
            }
        } catch (Throwable e) {
            live.pending().settleAfter(e);
            throw e;
        } finally {
            live.leaves(Thread.currentThread());
            live.memory().silence();
        }
        return rest(root.entry().waiting(), cancelSeen);
    }

    private Entry end(@Nullable ScopeEnding ending, Json result) {
        ScopeEnding how = ending == null
                ? (claim, value, at) -> host.store().apply(host.store().scopes().end(claim, value, at))
                : ending;
        if (!joiners.ending(live.id(), () -> how.end(live.claim(), result, host.time().now()))) {
            throw live.fenced();
        }
        return Entry.OVER;
    }

    /** Gives up the thread, and the claim too if the store can wake the scope. */
    private Entry rest(List<Waiting> waiting, boolean cancelSeen) {
        var opens = new ArrayList<OpenWait>();
        var known = new HashSet<WaitName>();
        var pauses = new HashSet<String>();
        Instant wakeAt = null;
        for (Waiting one : waiting) {
            switch (one) {
                case Waiting.ForWait(OpenWait wait, var deadline) -> {
                    opens.add(wait);
                    known.add(wait.name());
                }
                case Waiting.ForTime(Instant moment) ->
                    wakeAt = wakeAt == null || moment.isBefore(wakeAt) ? moment : wakeAt;
                case Waiting.ForPause(String key) -> pauses.add(key);
                case Waiting.ForResource inQueue -> {
                    // a place in a queue lives in this process, so the scope stays claimed and only gives up its thread
                    boolean asleep = live.memory()
                            .sleep(waiting, () -> host.threads().start(host.life().vital(this::enter)));
                    return asleep ? Entry.ASLEEP : Entry.AGAIN;
                }
            }
        }
        Instant now = host.time().now();
        Claim claim = pauses.isEmpty() ? live.claim() : live.claimToLeave();
        return switch (host.store()
                .apply(host.store()
                        .scopes()
                        .park(claim, pauses, opens, known, cancelSeen, wakeAt, now))) {
            case Parking.Parked parked -> {
                finder.rearm(); // this scope may be the next to wake
                isParked = true;
                yield Entry.OVER;
            }
            case Parking.Again again -> {
                if (!pauses.isEmpty()) {
                    host.store().readPauses(); // one may have ended that this process still knows of
                }
                yield Entry.AGAIN;
            }
            case Parking.Fenced fenced -> throw live.fenced();
        };
    }

    /** Waits before the scope is entered again, because an entry ended by a fault; false if it is over for this process. */
    private boolean recover(Throwable fault, int failures) {
        if (fault instanceof JournalException store && !store.retryable()) {
            stick(store);
            return false;
        }
        LOG.warn("Scope {} was left by a fault and will be entered again", live.id(), fault);
        live.faulted();
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, 10));
        live.pause(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
        Claim next = null;
        try {
            if (!host.life().isClosed()) {
                next = host.store()
                        .apply(host.store()
                                .scopes()
                                .reenter(live.claim(), host.options().entryLimit(), words(fault),
                                        host.time().now()))
                        .orElse(null);
            }
        } catch (JournalException e) {
            if (!e.retryable() && !host.life().isClosing()) {
                stick(e);
                return false;
            }
            LOG.warn("The journal does not work; scope {} waits for it", live.id(), e);
            if (!host.life().isClosed()) {
                return true;
            }
        }
        if (next == null) {
            lose();
            return false;
        }
        live.reentered(next);
        return true;
    }

    /** A fault, for an operator who does not have the log. */
    private static String words(Throwable fault) {
        return Wording.shown(fault.getClass().getSimpleName() + ": " + Wording.of(fault), MOST_SHOWN);
    }

    private void stick(RuntimeException why) {
        LOG.error("Scope {} is stuck", live.id(), why);
        try {
            host.store()
                    .apply(host.store()
                            .scopes()
                            .stick(live.claim(), String.valueOf(why.getMessage()), host.time().now()));
        } catch (JournalException e) {
            LOG.warn("Scope {} could not be marked as stuck", live.id(), e);
        }
        leave();
    }

    private void lose() {
        live.lose();
        leave();
    }

    /** The scope is over for this process: it has ended, is parked or stuck, or is lost. */
    private void leave() {
        boolean freed = scopes.remove(live);
        if (isParked) {
            host.life().runner().parked(live.id(), live.claim().input()); // first: who hears of it may wake the scope
        }
        joiners.ring(live.id());
        host.life().runner().left(live.id(), live.claim().fence());
        if (freed && !host.life().isClosing()) {
            finder.spawnSearch();
        }
    }
}
