package dev.belay.runtime.store.memory;

import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The memory that stores share, as processes share a file. A store that crashes or is closed leaves its rows here. Thread-safe.
 *
 * <p>Concurrency: one lock guards all rows. A store holds it while it decides and while it reads.
 */
public final class SharedMemory {

    private static final Set<Table<?>> IN_ORDER = Set.of(SessionRows.SESSIONS, StoreRows.OWNERS);

    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Table<?>, MemoryTable<?>> tables = new HashMap<>();
    private final Map<String, Integer> references = new HashMap<>();
    private final Set<String> living = new HashSet<>();
    private final Map<String, Long> commits = new HashMap<>();
    private final Look look = new Rows();
    private long allCommits;
    private int opened;

    /** Empty memory, whose secrets cannot be guessed. */
    public SharedMemory() {
        this(new SecureRandom());
    }

    /** Empty memory with a source of chance. */
    public SharedMemory(RandomGenerator random) {
        this.random = random;
        Index.ALL.forEach(index -> table(index.table()).add(index));
    }

    /** The rows as they stand, for a thread that holds the lock. */
    private final class Rows implements Look {

        @Override
        public <R> @Nullable R row(Table<R> of, String parent, @Nullable Object child) {
            return table(of).row(parent, child);
        }

        @Override
        public <R> List<R> rows(Selector<R> selector) {
            List<R> found = table(selector.table()).list(selector);
            return selector instanceof Selector.Found<R> by && by.index() == (Object) Index.UNUSED
                    ? found.stream().filter(row -> !isReferredTo((StoreRows.Content) row)).toList()
                    : found;
        }

        @Override
        public List<Key> keys(Selector<?> selector) {
            return keysOf(selector);
        }

        private <R> List<Key> keysOf(Selector<R> selector) {
            return rows(selector).stream().map(selector.table()::key).toList();
        }

        @Override
        public boolean isAlive(String owner) {
            return living.contains(owner);
        }
    }

    @SuppressWarnings("unchecked") // a table stands under its own description
    private <R> MemoryTable<R> table(Table<R> of) {
        MemoryTable<?> known = tables.get(of);
        if (known == null) {
            known = new MemoryTable<>(of, IN_ORDER.contains(of));
            tables.put(of, known);
        }
        return (MemoryTable<R>) known;
    }

    private boolean isReferredTo(StoreRows.Content content) {
        return references.containsKey(content.hash());
    }

    /** Opens a store on this memory, which keeps the records of a scope until they are collected. */
    public Store open() {
        return open(JournalProbe.NONE);
    }

    /** Opens one that tells a probe of its writes. */
    public Store open(JournalProbe probe) {
        return open(probe, false);
    }

    /**
     * Opens a store on this memory.
     *
     * @param probe hears of its writes
     * @param forgets whether the records of a scope go with its end
     */
    public Store open(JournalProbe probe, boolean forgets) {
        return new Store(new MemoryCommits(this, enrol(), probe), random, forgets);
    }

    /** Opens a store for {@code Belay.client}: it takes no scopes, and is no owner before its first write. */
    public Store existing() {
        return existing(JournalProbe.NONE);
    }

    /** Opens one for a client that tells a probe of its writes. */
    public Store existing(JournalProbe probe) {
        return Store.existing(new MemoryCommits(this, name(), probe), random, false, List.of());
    }

    private String name() {
        lock.lock();
        try {
            return "memory-" + ++opened;
        } finally {
            lock.unlock();
        }
    }

    /** Makes a new owner, which lives until it is buried. */
    String enrol() {
        String owner = name();
        enrol(owner);
        return owner;
    }

    /** Makes an owner known; does nothing if it is. */
    void enrol(String name) {
        lock.lock();
        try {
            if (living.add(name)) {
                var owner = new StoreRows.Owner(name, 0);
                put(StoreRows.OWNERS.key(owner), owner);
            }
        } finally {
            lock.unlock();
        }
    }

    ReentrantLock lock() {
        return lock;
    }

    /** The rows; for a thread that holds the lock. */
    Look look() {
        return look;
    }

    /** Applies what an operation has decided; for a thread that holds the lock. */
    void apply(String owner, Changes changes) {
        if (changes.isEmpty()) {
            return;
        }
        if (!changes.cleared().isEmpty()) {
            changes.cleared()
                    .forEach(parent -> table(parent.table()).keys(parent.parent())
                            .forEach(key -> put(key, null)));
        }
        changes.rows().forEach(this::put);
        commits.merge(owner, 1L, Long::sum);
        allCommits++;
    }

    private void put(Key key, @Nullable Object row) {
        Object old = table(key.table()).put(key, row);
        count(old, -1);
        count(row, 1);
    }

    private void count(@Nullable Object row, int change) {
        String content = switch (row) {
            case ScopeRows.Effect effect -> effect.output();
            case ScopeRows.Result result -> result.output();
            case ScopeRows.Late late -> late.output();
            case SessionRows.Call call -> call.output();
            case StoreRows.Kept kept -> kept.hash();
            case null, default -> null;
        };
        if (content != null) {
            references.merge(content, change, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    /** How often other owners have written; for a thread that holds the lock. */
    long commitsOfOthers(String owner) {
        return allCommits - commits.getOrDefault(owner, 0L);
    }

    /** An owner has died. */
    void bury(String owner) {
        lock.lock();
        try {
            living.remove(owner);
        } finally {
            lock.unlock();
        }
    }
}
