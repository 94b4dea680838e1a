package dev.belay.testkit.crash;

import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Paces the writes of a store: one at a time, so that none share a commit, or in an order from a seed, so that some do. */
final class Pace {

    private final Way way;
    private final boolean together;
    /** Whether a record that may be written later is written only when a thread waits for it. */
    private final boolean late;
    private final AtomicInteger calls = new AtomicInteger();

    /** Lets a write through. */
    private interface Way {
        <T extends @Nullable Object> T write(Supplier<T> write);
    }

    private Pace(boolean together, boolean late, Way way) {
        this.together = together;
        this.late = late;
        this.way = way;
    }

    /** One operation per commit. */
    static Pace oneAtATime() {
        var lock = new ReentrantLock();
        return new Pace(false, false, new Way() {
            @Override
            public <T extends @Nullable Object> T write(Supplier<T> write) {
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
    static Pace shaken(long seed) {
        var random = new SplittableRandom(seed);
        return new Pace(true, random.nextBoolean(), new Way() {
            @Override
            public <T extends @Nullable Object> T write(Supplier<T> write) {
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

    /** Commits at this pace. */
    Commits of(Commits commits) {
        return new Paced(commits);
    }

    /** Whether a thread waits for the reply of an operation. */
    boolean isBusy() {
        return calls.get() > 0;
    }

    private <T extends @Nullable Object> T counted(Supplier<T> call) {
        calls.incrementAndGet();
        try {
            return call.get();
        } finally {
            calls.decrementAndGet();
        }
    }

    private final class Paced extends ForwardingCommits {

        Paced(Commits commits) {
            super(commits);
        }

        @Override
        public <T extends @Nullable Object> T apply(Operation<T> operation) {
            return counted(() -> way.write(() -> super.apply(operation)));
        }

        @Override
        public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
            List<Pending<T>> begun = together && !late
                    ? counted(() -> way.write(() -> super.submit(operations)))
                    : List.of();
            List<Pending<T>> answers = new ArrayList<>(operations.size());
            for (int i = 0; i < operations.size(); i++) {
                Operation<T> operation = operations.get(i);
                answers.add(
                        together ? later(operation, begun.isEmpty() ? null : begun.get(i)) : now(operation));
            }
            return answers;
        }

        private <T extends @Nullable Object> Pending<T> now(Operation<T> operation) {
            try {
                return Pending.done(apply(operation));
            } catch (RuntimeException | Error e) {
                return Pending.failed(e);
            }
        }

        private <T extends @Nullable Object> Pending<T> later(Operation<T> operation,
                @Nullable Pending<T> begun) {
            return new Pending<T>() {

                @Override
                public boolean isDone() {
                    return begun != null && begun.isDone();
                }

                @Override
                public T await() {
                    return begun == null ? apply(operation) : counted(begun::await);
                }
            };
        }

        /** Finds nothing to delete: a scenario may let a month pass in a moment, and the kit checks the records afterwards. */
        @Override
        public <T extends @Nullable Object> T read(Operation<T> read) {
            var named = new ArrayList<Selector<?>>();
            read.first().accept(named);
            boolean collects = named.stream()
                    .anyMatch(selector -> selector instanceof Selector.Found<?> found
                            && (found.index() == Index.ENDED || found.index() == Index.UNUSED));
            return collects ? read.decide().apply(new Unit(new Nothing())) : counted(() -> super.read(read));
        }

        @Override
        public long version() {
            return counted(super::version);
        }
    }

    /** No rows. */
    private static final class Nothing implements Look {

        @Override
        public <R> @Nullable R row(Table<R> table, String parent, @Nullable Object child) {
            return null;
        }

        @Override
        public <R> List<R> rows(Selector<R> selector) {
            return List.of();
        }

        @Override
        public List<Key> keys(Selector<?> selector) {
            return List.of();
        }

        @Override
        public boolean isAlive(String owner) {
            return false;
        }
    }
}
