package dev.belay.runtime.store.rows;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes on to other commits; a subclass does more at some of the methods. Thread-safe. */
public abstract class ForwardingCommits implements Commits {

    /** Where it goes on to. */
    protected final Commits commits;

    /** Goes on to these. */
    protected ForwardingCommits(Commits commits) {
        this.commits = commits;
    }

    @Override
    public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
        return commits.submit(operations);
    }

    @Override
    public <T extends @Nullable Object> T apply(Operation<T> operation) {
        return commits.apply(operation);
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
