package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.Others;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scope that this process has claimed, as its entries, effects and children share it.
 *
 * <p>Concurrency: thread-safe. One thread enters the scope; several children have threads of their own. {@link ScopeMemory} has the
 * lock that orders them.
 *
 * <p>Durability: everything here can be lost.
 *
 * <p>Recovery: a scope left by a crash is claimed by another process, with a higher fence, and gets a new {@code LiveScope} there.
 */
public final class LiveScope {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final HostServices host;
    private final ScopeMemory memory;
    private final PendingRecords pending;
    /** Few scopes wait for resources. */
    private volatile Set<ResourceQueues.Ticket> queued = Set.of();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet(1);
    private final boolean left;
    private final String owner;
    private volatile Claim claim;
    private volatile boolean lost;
    private volatile boolean faulted;
    private volatile @Nullable Thread pausing;
    private final ReentrantLock noting = new ReentrantLock();
    private volatile @Nullable Awaiting awaiting;
    private volatile @Nullable Awaiting asking;
    private final AtomicInteger atWork = new AtomicInteger();
    private volatile @Nullable Runnable watcher;

    public LiveScope(HostServices host, Claim claim) {
        this.host = host;
        this.claim = claim;
        this.left = claim.left();
        this.owner = host.store().owner();
        this.pending = new PendingRecords(host.threads()::start);
        this.memory = new ScopeMemory(host, claim);
    }

    public HostServices host() {
        return host;
    }

    public ScopeMemory memory() {
        return memory;
    }

    public PendingRecords pending() {
        return pending;
    }

    public Claim claim() {
        return claim;
    }

    /** The claim for a write that gives the scope up: what a dead owner left is still so, unless this one has recorded something. */
    public Claim claimToLeave() {
        return isAsLeft() ? claim.ofTheDead() : claim.recorded();
    }

    public ScopeId id() {
        return claim.scope();
    }

    /** Whether a dead owner left the scope and this owner has recorded nothing yet. */
    boolean isAsLeft() {
        return left && !memory.hasWritten();
    }

    /** Whose claim it is. */
    String owner() {
        return owner;
    }

    /** How many of its children run, or go on by themselves. */
    public int atWork() {
        return atWork.get();
    }

    /** Runs an action when a child is no longer at work. */
    public void watch(Runnable action) {
        watcher = action;
    }

    void begins() {
        atWork.incrementAndGet();
    }

    void suspends() {
        atWork.decrementAndGet();
    }

    /** A child is no longer at work. Called without the lock. */
    void ends() {
        suspends();
        Runnable action = watcher;
        if (action != null) {
            action.run();
        }
    }

    /** An entry has ended by a fault. It stays counted until {@link #reentered}. */
    public void faulted() {
        faulted = true;
    }

    /** The store has counted another entry, under this claim. */
    public void reentered(Claim next) {
        claim = next;
        faulted = false;
    }

    /** Holds this thread for a while between two entries, unless the scope stops. */
    public void pause(Duration most) {
        pausing = Thread.currentThread();
        if (!stops()) {
            host.time().pause(most);
        }
        pausing = null;
        if (stops()) {
            Thread.interrupted(); // it was for the pause
        }
    }

    /** The host closes: what waits looks again, and a pause between two entries ends. */
    public void stop() {
        memory.signal();
        Thread thread = pausing;
        if (thread != null && stops()) {
            thread.interrupt();
        }
    }

    /** Gives the scope back because the host closes. An entry that ended by a fault stays counted for the next owner. */
    public void giveBack() {
        memory.leave();
        if (!faulted) {
            host.store().apply(host.store().scopes().giveBack(claimToLeave(), host.time().now()));
        }
    }

    /** Stops everything here: another owner has the scope, or a fault ended its entry while the host closed. */
    public void lose() {
        lost = true;
        if (!host.life().isClosing()) {
            interrupt();
        }
        memory.leave();
        queued.forEach(host.queues()::leave);
    }

    /** Throws if nothing more can be done in this scope here. */
    void requireHeld() {
        if (lost) {
            throw fenced();
        }
        if (stops()) {
            throw host.life().gone();
        }
    }

    /** Holds this thread while the store cannot tell that the owner of the claim is not taken for dead. */
    void awaitSure() {
        Duration sure = host.store().others().sureFor(owner);
        while (!sure.isPositive()) {
            requireHeld();
            if (sure.equals(Others.NEVER)) {
                throw fenced();
            }
            host.time().pause(BETWEEN_LOOKS);
            sure = host.store().others().sureFor(owner);
        }
    }

    /** Whether nothing more begins in it here, because the host closes. */
    public boolean stops() {
        return host.life().stops(id());
    }

    boolean isOver() {
        return lost || stops();
    }

    /** The claim is old. */
    public FencedException fenced() {
        return new FencedException(id(), claim.fence());
    }

    /** Waits for a body that an earlier entry into this scope, or an earlier claim, left running here. */
    void awaitBody(String key) {
        Runnable wake = memory::signal;
        memory.lock().lock();
        try {
            while (host.bodies().onEnd(holder(key), wake)) {
                memory.awaitChange();
            }
        } finally {
            memory.lock().unlock();
        }
    }

    /** Whether the body of an effect that is recorded as started still runs. */
    EffectDecision.Liveness liveness(@Nullable EffectRow row) {
        if (row == null) {
            return EffectDecision.Liveness.NONE;
        }
        return host.bodies().contains(holder(row.key()))
                ? EffectDecision.Liveness.HERE
                : EffectDecision.Liveness.GONE;
    }

    /** An effect of this scope, as the queues and the running bodies of the host know it. */
    ResourceQueues.Ticket.Holder holder(String key) {
        return new ResourceQueues.Ticket.Holder(id(), key);
    }

    /** Says for lists what the scope waits for. That is not needed to go on: a store that does not work is not asked again. */
    void awaits(Awaiting.Thing what, String name) {
        noting.lock();
        try {
            Awaiting before = awaiting;
            if (before == null || before.what() != what || !before.name().equals(name)) {
                note(new Awaiting(what, name, host.time().now()));
            }
        } finally {
            noting.unlock();
        }
    }

    /** Says that it waits for nothing more. */
    void awaitsNothing() {
        noting.lock();
        try {
            if (awaiting != null) {
                note(null);
            }
        } finally {
            noting.unlock();
        }
    }

    private void note(@Nullable Awaiting why) {
        awaiting = why;
        try {
            host.store().apply(host.store().scopes().awaits(claim, why));
        } catch (JournalException e) {
            LOG.debug("Lists do not say what scope {} waits for", id(), e);
        }
    }

    /** A model is asked, or for null has answered. Lists learn of it from {@link #noteAsking}: a quick answer costs no write. */
    void asks(@Nullable String what) {
        asking = what == null ? null : new Awaiting(Awaiting.Thing.MODEL, what, host.time().now());
        if (what == null) {
            awaitsNothing();
        }
    }

    /** Whether a model is asked since a moment, or longer, and lists do not say so. */
    public boolean asksSince(Instant moment) {
        Awaiting asked = asking;
        return asked != null && !asked.since().isAfter(moment) && awaiting == null;
    }

    /** Says for lists that a model is asked. */
    public void noteAsking() {
        noting.lock();
        try {
            Awaiting asked = asking;
            if (asked != null && awaiting == null) {
                note(asked);
            }
        } finally {
            noting.unlock();
        }
    }

    /** Takes note of a place in a queue, to be given up if the scope is lost while it waits. */
    synchronized void queued(ResourceQueues.Ticket ticket) {
        queued = queued.isEmpty() ? ConcurrentHashMap.newKeySet() : queued;
        queued.add(ticket);
    }

    void unqueued(ResourceQueues.Ticket ticket) {
        if (!queued.isEmpty()) {
            queued.remove(ticket);
        }
    }

    /** Adds a thread that {@link #interrupt} reaches; false if it is there. */
    public boolean joins(Thread thread) {
        return threads.add(thread);
    }

    public void leaves(Thread thread) {
        threads.remove(thread);
    }

    public void interrupt() {
        threads.forEach(Thread::interrupt);
        memory.signal();
    }
}
