package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.runtime.store.journal.ScopeEnding;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Suspended;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scope that this process has claimed: enters the runner, as often as needed, until the scope ends, parks or is lost.
 *
 * <p>Concurrency: one thread enters the scope; several children have threads of their own. They share a {@link ScopeMemory}.
 *
 * <p>Durability: everything here can be lost.
 *
 * <p>Recovery: a scope that is left by a crash is claimed by somebody else, with a higher fence, and a new one of these.
 */
public final class LiveScope {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int MOST_SHOWN = 1_000;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final JournalEffectHost host;
    private final ScopeMemory memory;
    private final PendingRecords underWay;
    private final Set<ResourceQueues.Ticket> queued = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger awaitingBodies = new AtomicInteger();
    /** Children that were asked for apart from others and run now, by their paths. */
    private final Map<String, ChildGroup> apart = new ConcurrentHashMap<>();
    private volatile boolean lost;
    private volatile Claim claim;
    /** Whether the last entry ended by a fault, and no other was counted since. */
    private volatile boolean faulted;
    private final boolean left;
    private boolean fresh;
    private boolean dormant;
    private List<Waiting> dormantOn = List.of();
    private @Nullable ScopeEnding ending;

    public LiveScope(JournalEffectHost host, Claim claim, boolean fresh) {
        this.host = host;
        this.claim = claim;
        this.left = claim.left();
        this.fresh = fresh;
        this.underWay = new PendingRecords(host::spawn);
        this.memory = new ScopeMemory(host, claim, this::wakeIfOver);
    }

    JournalEffectHost host() {
        return host;
    }

    public ScopeMemory memory() {
        return memory;
    }

    PendingRecords underWay() {
        return underWay;
    }

    public Claim claim() {
        return claim;
    }

    /** Whether it is as an owner that died has left it: nothing was recorded since. */
    boolean isAsLeft() {
        return left && !memory.hasWritten();
    }

    /**
     * Enters the scope until it is over for this process. Runs on a thread of its own. When the host closes, the scope stays live:
     * it is given back when nothing of it runs any more.
     */
    public void enter() {
        int failures = 0;
        while (!host.isClosing()) {
            try {
                if (host.news().wereUnheard(claim.scope()) || !fresh) {
                    memory.load();
                }
                fresh = false;
                switch (once()) {
                    case OVER -> {
                        host.left(this);
                        return;
                    }
                    case DORMANT -> {
                        return;
                    }
                    case AGAIN -> failures = 0;
                }
            } catch (FencedException e) {
                lost();
                return;
            } catch (ReplayMismatchException e) {
                stick(e);
                return;
            } catch (JournalException e) {
                if (host.isClosing()) {
                    return;
                }
                if (!e.retryable()) {
                    stick(e);
                    return;
                }
                if (!recover(e, failures++)) {
                    return;
                }
            } catch (Throwable e) {
                if (host.isClosing() || !recover(e, failures++)) {
                    return;
                }
            }
        }
    }

    private enum Entry {
        OVER, DORMANT, AGAIN
    }

    /** Enters the runner once. */
    private Entry once() {
        boolean cancelSeen = memory.cancelReason() != null;
        ending = null;
        underWay.begin();
        memory.silence();
        var root = new JournalScope(this, "", null);
        threads.add(Thread.currentThread());
        try {
            Json result = host.runner().run(root, claim.input());
            underWay.settle();
            if (!root.entry().isSuspended()) {
                return end(result);
            }
            LOG.error(
                    "suspension_swallowed: the runner of scope {} caught Suspended and went on; what it returned is discarded",
                    claim.scope());
        } catch (Suspended waiting) {
            underWay.settle();
            if (!root.entry().isSuspended()) {
                throw new IllegalStateException("a runner threw Suspended by itself", waiting);
            }
        } catch (Throwable e) {
            underWay.settleAfter(e);
            throw e;
        } finally {
            threads.remove(Thread.currentThread());
            memory.silence();
        }
        return rest(root.entry().waiting(), cancelSeen);
    }

    private Entry end(Json result) {
        ScopeEnding how = ending == null ? host.journal()::end : ending;
        if (!host.joiners().ending(claim.scope(), () -> how.end(claim, result, host.time().now()))) {
            throw new FencedException(claim.scope(), claim.fence());
        }
        return Entry.OVER;
    }

    /** Lets go of the thread, and of the scope too if the store can wake it. */
    private Entry rest(List<Waiting> waiting, boolean cancelSeen) {
        boolean forResource = waiting.stream().anyMatch(Waiting.ForResource.class::isInstance);
        if (forResource) {
            return sleepHere(waiting);
        }
        var opens = new ArrayList<OpenWait>();
        var known = new HashSet<WaitName>();
        Instant wakeAt = null;
        for (Waiting one : waiting) {
            switch (one) {
                case Waiting.ForWait(OpenWait wait, var deadline) -> {
                    opens.add(wait);
                    known.add(wait.name());
                }
                case Waiting.ForTime(Instant due) ->
                    wakeAt = wakeAt == null || due.isBefore(wakeAt) ? due : wakeAt;
                case Waiting.ForResource resource -> throw new IllegalStateException("handled above");
            }
        }
        return switch (host.journal().park(claim, opens, known, cancelSeen, wakeAt, host.time().now())) {
            case Journal.Parking.Parked parked -> {
                host.parked();
                yield Entry.OVER;
            }
            case Journal.Parking.Again again -> Entry.AGAIN;
            case Journal.Parking.Fenced fenced -> throw new FencedException(claim.scope(), claim.fence());
        };
    }

    /** A place in a queue lives in this process, so the scope stays claimed; it only has no thread. */
    private Entry sleepHere(List<Waiting> waiting) {
        memory.lock().lock();
        try {
            if (waiting.stream().anyMatch(memory::isOver)) {
                return Entry.AGAIN;
            }
            dormant = true;
            dormantOn = List.copyOf(waiting);
        } finally {
            memory.lock().unlock();
        }
        waiting.forEach(memory::alarm);
        return Entry.DORMANT;
    }

    void endWith(ScopeEnding how) {
        ending = how;
    }

    /** Marks an effect whose work runs in this process. */
    void bodyBegins(String key) {
        host.bodies().add(new ResourceQueues.Ticket.Holder(claim.scope(), key));
    }

    void bodyEnds(String key) {
        host.bodies().remove(new ResourceQueues.Ticket.Holder(claim.scope(), key));
        host.bodyEnded(this);
        if (awaitingBodies.get() > 0) { // whoever comes to wait now sees that it has ended
            memory.signal();
        }
    }

    /** An earlier entry into this scope left a body running here: two of them must not overlap. */
    void awaitBody(String key) {
        memory.lock().lock();
        awaitingBodies.incrementAndGet();
        try {
            while (bodyRuns(key)) {
                memory.awaitChange();
            }
        } finally {
            awaitingBodies.decrementAndGet();
            memory.lock().unlock();
        }
    }

    /** Whether somebody works on what is recorded as started. */
    EffectDecision.Liveness liveness(@Nullable EffectRow row) {
        return row == null
                ? EffectDecision.Liveness.NONE
                : bodyRuns(row.key()) ? EffectDecision.Liveness.HERE : EffectDecision.Liveness.GONE;
    }

    boolean bodyRuns(String key) {
        return host.bodies().contains(new ResourceQueues.Ticket.Holder(claim.scope(), key));
    }

    /** Runs a child apart from others; whoever asks for one that runs waits for it, and learns what it came to. */
    Optional<ToolOutcome> apart(String path, ChildGroup group) {
        ChildGroup first = apart.putIfAbsent(path, group);
        if (first != null) {
            return first.join(group);
        }
        try {
            return group.runApart();
        } finally {
            apart.remove(path, group);
        }
    }

    /** Throws if nothing more can be done in this scope here. */
    void requireHeld() {
        if (lost) {
            throw new FencedException(claim.scope(), claim.fence());
        }
        if (host.isClosing()) {
            throw JournalException.closed();
        }
    }

    boolean isOver() {
        return lost || host.isClosing();
    }

    /** Starts a scope that sleeps in this process if something it waits for has happened. */
    private void wakeIfOver() {
        boolean wake = false;
        memory.lock().lock();
        try {
            if (dormant && dormantOn.stream().anyMatch(memory::isOver)) {
                dormant = false;
                wake = true;
            }
        } finally {
            memory.lock().unlock();
        }
        if (wake) {
            host.spawn(this::enter);
        }
    }

    /** Waits before the scope is entered again, because it ended by a fault; false if it is over for this process. */
    private boolean recover(Throwable fault, int failures) {
        LOG.warn("Scope {} was left by a fault and will be entered again", claim.scope(), fault);
        faulted = true;
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, 10));
        host.time().pause(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
        try {
            Claim next = host.isClosed()
                    ? null
                    : host.journal()
                            .reenter(claim, host.options().entryLimit(), words(fault), host.time().now())
                            .orElse(null);
            if (next != null) {
                claim = next;
                faulted = false;
                return true;
            }
        } catch (JournalException e) {
            if (!e.retryable() && !host.isClosing()) {
                stick(e);
                return false;
            }
            LOG.warn("The journal does not work; scope {} waits for it", claim.scope(), e);
            return !host.isClosed() || !left();
        }
        return !left();
    }

    /** A fault, for an operator who does not have the log. */
    private static String words(Throwable fault) {
        return Wording.shown(fault.getClass().getSimpleName() + ": " + Wording.of(fault), MOST_SHOWN);
    }

    private boolean left() {
        lost();
        return true;
    }

    private void stick(RuntimeException why) {
        LOG.error("Scope {} is stuck", claim.scope(), why);
        try {
            host.journal().stick(claim, String.valueOf(why.getMessage()), host.time().now());
        } catch (JournalException e) {
            LOG.warn("Scope {} could not be marked as stuck", claim.scope(), e);
        }
        host.left(this);
    }

    /** Gives the scope back because the host closes. An entry that ended by a fault stays counted: whoever is next finds it so. */
    public void giveBack() {
        memory.silence();
        if (!faulted) {
            host.journal().giveBack(claim, host.time().now());
        }
    }

    /** The scope belongs to somebody else now, or was left by a fault when the host closed. */
    private void lost() {
        lost = true;
        if (!host.isClosing()) {
            interrupt();
        }
        memory.silence();
        queued.forEach(host.queues()::leave);
        host.left(this);
    }

    /** Takes note of a place in a queue, to be given up if the scope is lost while it waits. */
    void queued(ResourceQueues.Ticket ticket) {
        queued.add(ticket);
    }

    void unqueued(ResourceQueues.Ticket ticket) {
        queued.remove(ticket);
    }

    /** Adds a thread that {@link #interrupt} reaches; false if it is there. */
    boolean joins(Thread thread) {
        return threads.add(thread);
    }

    void leaves(Thread thread) {
        threads.remove(thread);
    }

    public void interrupt() {
        threads.forEach(Thread::interrupt);
        memory.signal();
    }
}
