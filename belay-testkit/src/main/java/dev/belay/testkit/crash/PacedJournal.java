package dev.belay.testkit.crash;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Paces the writes of a journal: one at a time, so that none share a commit, or in an order from a seed, so that some do. */
final class PacedJournal extends ForwardingJournal {

    private final Ledger ledger;
    private final Pace pace;
    private final boolean together;
    /** Whether a record that may be written later is written only when a thread waits for it. */
    private final boolean late;
    private final AtomicInteger calls = new AtomicInteger();

    /** Lets a write through. */
    private interface Pace {
        <T> T write(Supplier<T> write);
    }

    private PacedJournal(Journal journal, Ledger ledger, boolean together, boolean late, Pace pace) {
        super(journal);
        this.ledger = ledger;
        this.together = together;
        this.late = late;
        this.pace = pace;
    }

    /** One operation per commit. */
    static PacedJournal oneAtATime(Journal journal, Ledger ledger) {
        var lock = new ReentrantLock();
        return new PacedJournal(journal, ledger, false, false, new Pace() {
            @Override
            public <T> T write(Supplier<T> write) {
                lock.lock();
                try {
                    return write.get();
                } finally {
                    lock.unlock();
                }
            }
        });
    }

    /** Operations of several threads meet in an order drawn from a seed. */
    static PacedJournal shaken(Journal journal, Ledger ledger, long seed) {
        var random = new SplittableRandom(seed);
        return new PacedJournal(journal, ledger, true, random.nextBoolean(), new Pace() {
            @Override
            public <T> T write(Supplier<T> write) {
                int yields;
                synchronized (random) {
                    yields = random.nextInt(8);
                }
                for (int i = 0; i < yields; i++) {
                    LockSupport.parkNanos(1); // lets others go first
                }
                return write.get();
            }
        });
    }

    /** Whether a thread waits for the reply of an operation. */
    boolean isBusy() {
        return calls.get() > 0;
    }

    private <T> T paced(Supplier<T> write) {
        return counted(() -> pace.write(write));
    }

    private <T> T counted(Supplier<T> call) {
        calls.incrementAndGet();
        try {
            return call.get();
        } finally {
            calls.decrementAndGet();
        }
    }

    @Override
    public Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        return paced(() -> super.submit(scope, input, take, at));
    }

    @Override
    public Optional<Claim> claim(ScopeId scope, Instant at) {
        return paced(() -> super.claim(scope, at));
    }

    @Override
    public List<Claim> takeReady(int most, int limit, Instant at) {
        return paced(() -> super.takeReady(most, limit, at));
    }

    @Override
    public Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at) {
        return paced(() -> super.reenter(claim, limit, fault, at));
    }

    @Override
    public void giveBack(Claim claim, Instant at) {
        paced(() -> {
            super.giveBack(claim, at);
            return true;
        });
    }

    @Override
    public Written write(Claim claim, EffectWrite write) {
        ledger.wrote(claim);
        return paced(() -> super.write(claim, write));
    }

    @Override
    public Pending<Written> writing(Claim claim, EffectWrite write) {
        if (!together) {
            return Pending.done(write(claim, write));
        }
        ledger.wrote(claim);
        Pending<Written> begun = late ? null : paced(() -> super.writing(claim, write));
        return new Pending<Written>() {

            @Override
            public boolean isDone() {
                return begun != null && begun.isDone();
            }

            @Override
            public Written await() {
                return begun == null ? write(claim, write) : counted(begun::await);
            }
        };
    }

    @Override
    public boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at) {
        return paced(() -> super.keep(claim, keeper, bytes, at));
    }

    @Override
    public Written take(Claim claim, String resource, String key, Instant at) {
        return paced(() -> super.take(claim, resource, key, at));
    }

    @Override
    public void release(String resource, ScopeId scope, String key) {
        paced(() -> {
            super.release(resource, scope, key);
            return true;
        });
    }

    @Override
    public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at) {
        return paced(() -> super.park(claim, waits, known, cancelSeen, wakeAt, at));
    }

    @Override
    public boolean end(Claim claim, Json result, Instant at) {
        return paced(() -> super.end(claim, result, at));
    }

    @Override
    public boolean stick(Claim claim, String reason, Instant at) {
        return paced(() -> super.stick(claim, reason, at));
    }

    @Override
    public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
            boolean take, Instant at) {
        return paced(() -> super.resolve(scope, incarnation, name, value, take, at));
    }

    @Override
    public List<Claim> takeDue(int most, Instant now) {
        return paced(() -> super.takeDue(most, now));
    }

    @Override
    public Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at) {
        return paced(() -> super.cancel(scope, reason, take, at));
    }

    @Override
    public void late(ScopeId scope, String key, Json result, Instant at) {
        paced(() -> {
            super.late(scope, key, result, at);
            return true;
        });
    }

    /** Deletes nothing: a scenario may let a month pass in a moment, and the kit checks the records afterwards. */
    @Override
    public int collectEffects(Instant endedBefore) {
        return 0;
    }

    @Override
    public int collectOutputs(Instant before) {
        return 0;
    }

    @Override
    public List<EffectRow> effects(ScopeId scope) {
        return counted(() -> super.effects(scope));
    }

    @Override
    public Optional<Instant> nextDue() {
        return counted(super::nextDue);
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return counted(() -> super.state(scope));
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return counted(() -> super.waits(scope));
    }

    @Override
    public long version() {
        return counted(super::version);
    }

    @Override
    public Optional<Secret> secret(long id) {
        return counted(() -> super.secret(id));
    }
}
