package dev.belay.runtime.store.memory;

import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.tool.context.Incarnation;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The memory that {@link InMemoryJournal}s share, as processes share a file. A journal that crashes or is closed leaves its
 * records here; the next one that is opened goes on with them. Thread-safe.
 */
public final class InMemoryRecords {

    private final ReentrantLock lock = new ReentrantLock();
    private final RandomGenerator random;
    private final MemoryTables tables = new MemoryTables();
    private final Set<String> living = new HashSet<>();
    private final Map<String, Long> commits = new HashMap<>();
    private long opened;
    private long allCommits;

    /** Empty records whose secrets cannot be guessed. */
    public InMemoryRecords() {
        this(new SecureRandom());
    }

    /**
     * Empty records.
     *
     * @param random draws secrets and incarnations; used by one thread at a time
     */
    public InMemoryRecords(RandomGenerator random) {
        this.random = random;
        tables.addSecret(secretBytes());
        tables.commit();
    }

    /** Opens a journal on these records. */
    public InMemoryJournal open() {
        return open(JournalProbe.NONE);
    }

    /** Opens a journal on these records that tells a probe of its writes. */
    public InMemoryJournal open(JournalProbe probe) {
        lock.lock();
        try {
            opened++;
            String owner = "memory-" + opened;
            living.add(owner);
            return new InMemoryJournal(this, owner, probe);
        } finally {
            lock.unlock();
        }
    }

    <T> T read(Function<MemoryTables, T> reading) {
        lock.lock();
        try {
            return reading.apply(tables);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Applies a write whole or not at all.
     *
     * @param beforeCommit if it throws, nothing was written
     */
    <T> T write(String owner, Function<MemoryTables, T> statements, Runnable beforeCommit) {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("a probe must not write inside a write");
        }
        lock.lock();
        try {
            T result = statements.apply(tables);
            beforeCommit.run();
            if (tables.commit()) {
                commits.merge(owner, 1L, Long::sum);
                allCommits++;
            }
            return result;
        } finally {
            tables.rollBack(); // nothing is left to take back after a commit
            lock.unlock();
        }
    }

    long commitsOfOthers(String owner) {
        return read(unused -> allCommits - commits.getOrDefault(owner, 0L));
    }

    void bury(String owner) {
        lock.lock();
        try {
            living.remove(owner);
        } finally {
            lock.unlock();
        }
    }

    /** Who is alive. Asked inside {@link #read} or {@link #write}. */
    Set<String> living() {
        return living;
    }

    /** Drawn inside {@link #write}. */
    Incarnation incarnation() {
        return Incarnation.random(random);
    }

    /** Drawn inside {@link #write}. */
    byte[] secretBytes() {
        byte[] bytes = new byte[Secret.LENGTH];
        random.nextBytes(bytes);
        return bytes;
    }
}
