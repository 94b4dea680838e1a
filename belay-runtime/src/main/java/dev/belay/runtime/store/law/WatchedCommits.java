package dev.belay.runtime.store.law;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Journal.Writes;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Commits that remember when a write was answered last, and when one failed because of the store. Thread-safe. */
final class WatchedCommits implements Commits {

    private static final long NEVER = Long.MIN_VALUE;

    private final Commits commits;
    private final AtomicLong good = new AtomicLong(NEVER);
    private final AtomicLong failed = new AtomicLong(NEVER);

    WatchedCommits(Commits commits) {
        this.commits = commits;
    }

    Writes writes() {
        long now = System.nanoTime();
        return new Writes(since(good, now), since(failed, now));
    }

    private static @Nullable Duration since(AtomicLong moment, long now) {
        long then = moment.get();
        return then == NEVER ? null : Duration.ofNanos(Math.max(0, now - then));
    }

    @Override
    public <T extends @Nullable Object> T apply(Operation<T> operation) {
        try {
            T answer = commits.apply(operation);
            good.set(System.nanoTime());
            return answer;
        } catch (JournalException e) {
            throw failing(e);
        }
    }

    @Override
    public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
        List<Pending<T>> answers = new ArrayList<>(operations.size());
        commits.submit(operations).forEach(answer -> answers.add(new Watched<>(answer)));
        return answers;
    }

    private JournalException failing(JournalException e) {
        if (e.retryable()) {
            failed.set(System.nanoTime());
        }
        return e;
    }

    private final class Watched<T extends @Nullable Object> implements Pending<T> {

        private final Pending<T> pending;

        Watched(Pending<T> pending) {
            this.pending = pending;
        }

        @Override
        public boolean isDone() {
            return pending.isDone();
        }

        @Override
        public T await() {
            try {
                T answer = pending.await();
                good.set(System.nanoTime());
                return answer;
            } catch (JournalException e) {
                throw failing(e);
            }
        }
    }

    @Override
    public <T extends @Nullable Object> T read(Operation<T> read) {
        return commits.read(read);
    }

    @Override
    public long version() {
        return commits.version();
    }

    @Override
    public Others others() {
        return commits.others();
    }

    @Override
    public String address() {
        return commits.address();
    }

    @Override
    public List<Inconsistency> alteredSchema() {
        return commits.alteredSchema();
    }

    @Override
    public String owner() {
        return commits.owner();
    }

    @Override
    public void fail(JournalException why) {
        commits.fail(why);
    }

    @Override
    public void close() {
        commits.close();
    }
}
