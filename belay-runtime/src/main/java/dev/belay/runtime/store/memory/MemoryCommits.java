package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Applies operations to {@link SharedMemory}, each on the thread of its caller. Alive until it is closed or its probe throws.
 * Thread-safe.
 *
 * <p>Concurrency: {@code writing} is held while the probe hears of a write; the lock of the memory is held while an operation
 * decides and is applied.
 */
final class MemoryCommits implements Commits {

    private final SharedMemory memory;
    private final String owner;
    private final JournalProbe probe;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable Throwable ended;

    MemoryCommits(SharedMemory memory, String owner, JournalProbe probe) {
        this.memory = memory;
        this.owner = owner;
        this.probe = probe;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public <T extends @Nullable Object> T apply(Operation<T> operation) {
        if (memory.lock().isHeldByCurrentThread()) {
            throw new IllegalStateException("a probe must not write inside a write");
        }
        writing.lock();
        try {
            checkOpen();
            tell(Moment.BEFORE, operation);
            T answer = decide(operation);
            tell(Moment.AFTER, operation);
            return answer;
        } finally {
            writing.unlock();
        }
    }

    private <T extends @Nullable Object> T decide(Operation<T> operation) {
        memory.lock().lock();
        try {
            memory.enrol(owner);
            var unit = new Unit(memory.look());
            T answer = operation.decide().apply(unit);
            unit.keep();
            tell(Moment.INSIDE, operation);
            memory.apply(owner, unit.changes());
            return answer;
        } finally {
            memory.lock().unlock();
        }
    }

    @Override
    public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
        List<Pending<T>> answers = new ArrayList<>(operations.size());
        operations.forEach(operation -> answers.add(answer(operation)));
        return answers;
    }

    private <T extends @Nullable Object> Pending<T> answer(Operation<T> operation) {
        try {
            return Pending.done(apply(operation));
        } catch (RuntimeException | Error e) {
            return Pending.failed(e);
        }
    }

    @Override
    public <T extends @Nullable Object> T read(Operation<T> read) {
        checkOpen();
        memory.lock().lock();
        try {
            return read.decide().apply(new Unit(memory.look()));
        } finally {
            memory.lock().unlock();
        }
    }

    @Override
    public long version() {
        return read(Operation.reading(rows -> {}, unit -> memory.commitsOfOthers(owner)));
    }

    @Override
    public Others others() {
        return Others.SILENT;
    }

    @Override
    public void fail(JournalException why) {
        end(why);
    }

    @Override
    public void close() {
        end(JournalException.closed());
    }

    /** Waits for a write that is under way. */
    private void end(JournalException why) {
        writing.lock();
        try {
            die(why);
        } finally {
            writing.unlock();
        }
    }

    private void tell(Moment moment, Operation<?> operation) {
        String name = probe.equals(JournalProbe.NONE) ? null : operation.name();
        if (name != null) {
            try {
                probe.at(moment, name);
            } catch (RuntimeException | Error death) {
                die(death);
                throw death;
            }
        }
    }

    /** The first reason stays: a store that has crashed is not closed as well. */
    private void die(Throwable reason) {
        if (ended == null) {
            ended = reason;
        }
        memory.bury(owner);
    }

    private void checkOpen() {
        switch (ended) {
            case null -> {
            }
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            case Throwable other -> throw new IllegalStateException(other);
        }
    }
}
