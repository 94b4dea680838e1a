package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.JournalProbe;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of an {@link InMemoryJournal}: alive until it is closed or its probe throws. Thread-safe.
 *
 * <p>Concurrency: {@code writing} is held while the probe is told of a write; the lock of the records is held for the statements
 * and the moment inside.
 */
final class MemoryWriter {

    private final InMemoryRecords records;
    private final String owner;
    private final JournalProbe probe;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable Throwable ended;

    MemoryWriter(InMemoryRecords records, String owner, JournalProbe probe) {
        this.records = records;
        this.owner = owner;
        this.probe = probe;
    }

    <T> T read(Function<MemoryTables, T> reading) {
        checkOpen();
        return records.read(reading);
    }

    <T> T write(String name, Function<MemoryTables, T> statements) {
        writing.lock();
        try {
            checkOpen();
            tell(JournalProbe.Moment.BEFORE, name);
            T result = records.write(owner, statements, () -> tell(JournalProbe.Moment.INSIDE, name));
            tell(JournalProbe.Moment.AFTER, name);
            return result;
        } finally {
            writing.unlock();
        }
    }

    /** Waits for a write that is under way. */
    void close() {
        writing.lock();
        try {
            die(JournalException.closed());
        } finally {
            writing.unlock();
        }
    }

    private void tell(JournalProbe.Moment moment, String name) {
        try {
            probe.at(moment, name);
        } catch (RuntimeException | Error death) {
            die(death);
            throw death;
        }
    }

    /** The first reason stays: a journal that has crashed is not closed as well. */
    private void die(Throwable reason) {
        if (ended == null) {
            ended = reason;
        }
        records.bury(owner);
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
