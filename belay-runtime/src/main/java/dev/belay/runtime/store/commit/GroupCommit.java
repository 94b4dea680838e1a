package dev.belay.runtime.store.commit;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.LostRaceException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OwnerLostException;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.RowsLockedException;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes the rows of a store. Operations that arrive while a commit is under way share the next one. Thread-safe.
 *
 * <p>Concurrency: callers put operations into the inbox and wait, at once or later; everything else is confined to the thread. The
 * operations of a commit are loaded together, in at most two waves, and decided in their order over one {@link Unit}. An operation
 * that needs a row which the changes before it brought into play ends the batch in front of it.
 *
 * <p>Durability: a caller is told after the commit. An operation that throws is dropped from the unit, and the others stay. After a
 * failed load, flush or commit each operation is loaded, decided and written alone. An operation whose rows another program has locked is
 * tried again while others commit ({@link LockedWrites}).
 *
 * <p>Recovery: each commit has a number. If a commit was not answered, the store tells by that number whether it happened. If the
 * store has lost its owner, the probe throws, or the thread fails (memory is short), nothing more is read or written, each caller is
 * told, and the rows are closed: another owner goes on from there.
 */
public final class GroupCommit implements Commits {

    /** Each lost race means that another owner has written; so many in a row mean that something is broken. */
    private static final int RACES = 100;
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    /** From here on this owner counts as dead. */
    private static final class Death extends Exception {

        private static final long serialVersionUID = 1L;

        Death(Throwable cause) {
            super(null, cause, false, false);
        }

        Throwable why() {
            return Objects.requireNonNull(getCause());
        }
    }

    private final Rows rows;
    private final JournalProbe probe;
    private final int maxOperations;
    private final long maxBytes;
    private final WorkQueue<Write<?>> inbox = new WorkQueue<>();
    private final Thread thread;

    /** What the thread has in hands. It has all its places from the beginning: a write that finds no memory here would be lost. */
    private final List<Write<?>> batch;
    private final LockedWrites locked = new LockedWrites();
    private long number;
    private final AtomicLong loads = new AtomicLong();
    private volatile boolean ended;
    private volatile @Nullable JournalException failed;
    private volatile @Nullable Throwable death;

    private GroupCommit(Rows rows, JournalProbe probe, int maxOperations, long maxBytes) {
        this.rows = rows;
        this.probe = probe;
        this.maxOperations = maxOperations;
        this.maxBytes = maxBytes;
        batch = new ArrayList<>(maxOperations);
        thread = Thread.ofPlatform().name("belay-writer").daemon().unstarted(this::run);
    }

    /**
     * Starts the thread. It closes the rows when it ends.
     *
     * @param probe called on the thread; an exception of it is the death of this owner
     * @param maxOperations at most this many share a commit
     * @param maxBytes at most about this many bytes share a commit; a larger operation has its own
     */
    public static GroupCommit start(Rows rows, JournalProbe probe, int maxOperations, long maxBytes) {
        var commits = new GroupCommit(rows, probe, maxOperations, maxBytes);
        commits.thread.start();
        return commits;
    }

    @Override
    public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
        List<Write<T>> writes = new ArrayList<>(operations.size());
        operations.forEach(operation -> writes.add(new Write<>(operation)));
        if (!inbox.put(writes)) {
            throw gone();
        }
        return List.copyOf(writes);
    }

    @Override
    public <T extends @Nullable Object> T read(Operation<T> read) {
        return whileOpen(() -> rows.read(read));
    }

    @Override
    public long version() {
        return whileOpen(rows::version);
    }

    private <T extends @Nullable Object> T whileOpen(Supplier<T> work) {
        if (ended || failed != null) {
            throw gone();
        }
        try {
            return work.get();
        } catch (JournalException e) {
            // the rows may have been closed in between, and do not know why
            throw death == null && failed == null ? e : gone();
        }
    }

    @Override
    public Others others() {
        return rows.others();
    }

    @Override
    public String address() {
        return rows.address();
    }

    @Override
    public List<Inconsistency> alteredSchema() {
        return rows.alteredSchema();
    }

    @Override
    public String owner() {
        return rows.owner();
    }

    /** How many waves were loaded for writes. */
    public long loads() {
        return loads.get();
    }

    private RuntimeException gone() {
        Throwable why = death;
        if (why != null) {
            return PendingAnswer.unchecked(why);
        }
        JournalException fault = failed;
        return fault == null ? JournalException.closed() : fault;
    }

    @Override
    public void fail(JournalException why) {
        if (!ended) {
            failed = why;
        }
        inbox.close();
    }

    @Override
    public void close() {
        inbox.close();
        boolean interrupted = false;
        while (thread.isAlive() && !Thread.currentThread().equals(thread)) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (Write<?> next = next(); next != null; next = next()) {
                batch.add(next);
                if (failed != null) {
                    break;
                }
                collect(next.size());
                locked.divert(batch);
                commitAll(batch);
                batch.clear();
                if (locked.isDue()) {
                    commitLocked();
                }
            }
            end(failed);
        } catch (Death e) {
            end(e.why());
        } catch (Throwable e) {
            end(told(e));
        }
    }

    /** The next write; meanwhile those are tried again whose rows were locked. */
    private @Nullable Write<?> next() throws Death {
        while (!locked.isEmpty() && failed == null) {
            Write<?> next = inbox.take(LockedWrites.BETWEEN_TRIES);
            if (next != null) {
                return next;
            }
            commitLocked();
        }
        return inbox.take();
    }

    private void commitLocked() throws Death {
        do {
            batch.add(locked.next());
            commitAll(batch);
            batch.clear();
        } while (!locked.isEmpty() && !locked.isStillLocked());
    }

    /** What callers are told; the failure itself if there is no memory for more. */
    private static Throwable told(Throwable failure) {
        try {
            LOG.error("the thread that writes the store has failed", failure);
            return JournalException.failed(failure);
        } catch (Throwable e) {
            return failure;
        }
    }

    /** Ends the owner before any caller is told, so that its scopes are free when a caller hears of it. */
    private void end(@Nullable Throwable why) {
        death = why;
        ended = true;
        try {
            rows.close();
        } catch (Throwable e) {
            LOG.warn("closing the rows failed", e);
        }
        inbox.close();
        if (why != null) {
            locked.failAll(why);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).fail(why);
            }
            for (Write<?> rest = inbox.take(); rest != null; rest = inbox.take()) {
                rest.fail(why);
            }
        }
    }

    private void collect(long first) {
        long[] size = {first};
        inbox.drain(batch, next -> {
            size[0] += next.size();
            return batch.size() < maxOperations && size[0] <= maxBytes;
        });
    }

    private void commitAll(List<Write<?>> writes) throws Death {
        List<Write<?>> rest = writes;
        while (!rest.isEmpty()) {
            int done = commitFirst(rest);
            rest = rest.subList(done, rest.size());
        }
    }

    /** Commits some from the front, tells their callers, and returns how many. */
    private int commitFirst(List<Write<?>> writes) throws Death {
        int done;
        try {
            done = attempt(writes);
        } catch (RuntimeException e) {
            if (writes.size() == 1 && e instanceof RowsLockedException held) {
                locked.keep(writes.getFirst(), held);
                return 1;
            }
            if (writes.size() > 1) {
                for (Write<?> write : writes) {
                    List<Write<?>> alone = new ArrayList<>(List.of(write));
                    locked.divert(alone);
                    commitAll(alone);
                }
                return writes.size();
            }
            done = refuse(writes, e);
        } catch (Error e) {
            if (Write.isOfTheMachine(e)) {
                throw new Death(told(e));
            }
            done = refuse(writes, new JournalException("the store could not be used: " + e, e));
        }
        List<Write<?>> decided = writes.subList(0, done);
        tellProbe(Moment.AFTER, decided);
        decided.forEach(Write::tell);
        return done;
    }

    private static int refuse(List<Write<?>> writes, RuntimeException why) {
        writes.forEach(write -> write.refuse(why));
        return writes.size();
    }

    /** Decides and commits; again if another owner was faster. */
    private int attempt(List<Write<?>> writes) throws Death {
        LostRaceException lost = null;
        for (int race = 0; race < RACES; race++) {
            try {
                return attemptOnce(writes);
            } catch (LostRaceException e) {
                lost = e;
            } catch (OwnerLostException e) {
                throw new Death(e.told());
            }
        }
        return refuse(writes, new JournalException("other owners were faster each of the " + RACES
                + " times that the write was decided, and nothing was written. Try again", lost));
    }

    private int attemptOnce(List<Write<?>> writes) throws Death {
        Rows.Transaction begun;
        try {
            begun = rows.begin();
        } catch (OwnerLostException e) {
            throw e;
        } catch (RuntimeException e) {
            // to wait for the store again for each of them would help none
            return refuse(writes, e);
        }
        int decided;
        RuntimeException unanswered;
        try (Rows.Transaction transaction = begun) {
            Unit unit = load(transaction, writes);
            decided = decide(unit, writes);
            Changes changes = unit.changes();
            if (!changes.isEmpty()) {
                transaction.flush(changes);
            }
            tellProbe(Moment.INSIDE, writes.subList(0, decided));
            if (changes.isEmpty()) {
                return decided;
            }
            number++;
            unanswered = commit(transaction);
        }
        if (unanswered != null && !hasHappened(unanswered, writes.subList(0, decided))) {
            throw unanswered;
        }
        return decided;
    }

    private Unit load(Rows.Transaction transaction, List<Write<?>> writes) {
        Set<Selector<?>> first = new LinkedHashSet<>();
        writes.forEach(write -> write.select(first));
        loads.incrementAndGet();
        var unit = new Unit(transaction.load(first));
        Set<Selector<?>> second = new LinkedHashSet<>();
        writes.forEach(write -> write.selectMore(unit, second));
        second.removeAll(first);
        if (!second.isEmpty()) {
            loads.incrementAndGet();
            unit.base(transaction.load(second));
        }
        return unit;
    }

    /** Decides as many as can be decided over the rows that were loaded. */
    private int decide(Unit unit, List<Write<?>> writes) throws Death {
        for (int at = 0; at < writes.size(); at++) {
            Write<?> write = writes.get(at);
            if (write.begins()) {
                tellProbe(Moment.BEFORE, write);
            }
            if (!write.decide(unit)) {
                return at;
            }
        }
        return writes.size();
    }

    /** Commits; returns what was thrown if it is not known whether that has happened. */
    private @Nullable RuntimeException commit(Rows.Transaction transaction) {
        try {
            transaction.commit(number);
            return null;
        } catch (LostRaceException | OwnerLostException e) {
            throw e;
        } catch (RuntimeException e) {
            return e;
        } catch (Error e) {
            if (Write.isOfTheMachine(e)) {
                throw e;
            }
            return new JournalException("the store failed in a commit: " + e, e);
        }
    }

    /** Whether a commit has happened. If that cannot be found out, the writes are refused with these words. */
    private boolean hasHappened(RuntimeException failure, List<Write<?>> writes) {
        try {
            boolean happened = rows.hasCommitted(number);
            if (happened) {
                LOG.warn("a commit was reported as failed and has happened", failure);
            }
            return happened;
        } catch (OwnerLostException e) {
            throw e;
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            var unknown = new JournalException("a commit failed and the store cannot be read: it is not known"
                    + " whether the write has happened. " + failure.getMessage(), failure);
            writes.stream().filter(write -> !write.isRefused()).forEach(write -> write.refuse(unknown));
            return true;
        }
    }

    private void tellProbe(Moment moment, List<Write<?>> writes) throws Death {
        for (Write<?> write : writes) {
            if (!write.isRefused()) {
                tellProbe(moment, write);
            }
        }
    }

    private void tellProbe(Moment moment, Write<?> write) throws Death {
        String name = write.name();
        if (name != null) {
            try {
                probe.at(moment, name);
            } catch (Throwable e) {
                throw new Death(e);
            }
        }
    }
}
