package dev.belay.store.jdbc;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.Selector;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Rows that count their commits, and run code of a test in front of each step. What that code throws is what the step throws. */
class WatchedRows implements Rows {

    /** Runs in place of a commit. */
    interface Commit {
        void run(Runnable real);
    }

    private final Rows real;
    final AtomicInteger commits = new AtomicInteger();
    volatile Runnable beforeBegin = () -> {};
    volatile Runnable beforeLoad = () -> {};
    volatile Runnable beforeFlush = () -> {};
    volatile Runnable beforeAsking = () -> {};
    volatile Commit commit = Runnable::run;

    WatchedRows(Rows real) {
        this.real = real;
    }

    /** Opens a store whose commits are made by the given code. */
    static StoreDriver open(Path file, SqliteOptions options, Commit commit) {
        return new StoreDriver(JdbcStore.sqlite(file, options, real -> {
            var rows = new WatchedRows(real);
            rows.commit = commit;
            return rows;
        }));
    }

    @Override
    public String owner() {
        return real.owner();
    }

    @Override
    public <T extends @Nullable Object> T read(Operation<T> read) {
        return real.read(read);
    }

    @Override
    public Transaction begin() {
        beforeBegin.run();
        Transaction transaction = real.begin();
        return new Transaction() {

            @Override
            public Look load(Collection<Selector<?>> selectors) {
                beforeLoad.run();
                return transaction.load(selectors);
            }

            @Override
            public void flush(Changes changes) {
                beforeFlush.run();
                transaction.flush(changes);
            }

            @Override
            public void commit(long batch) {
                commits.incrementAndGet();
                commit.run(() -> transaction.commit(batch));
            }

            @Override
            public void close() {
                transaction.close();
            }
        };
    }

    @Override
    public boolean hasCommitted(long batch) {
        beforeAsking.run();
        return real.hasCommitted(batch);
    }

    @Override
    public long version() {
        return real.version();
    }

    @Override
    public Others others() {
        return real.others();
    }

    @Override
    public void close() {
        real.close();
    }
}
