package dev.belay.runtime.store.law;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Operation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies operations that leave a note, each in its own commit, if it changes something.
 *
 * @param commits applies them
 * @param note which
 * @param at when
 */
record NotingCommits(Commits commits, AuditEntry.Note note, Instant at) implements Commits {

    @Override
    public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
        return commits.submit(operations.stream().map(this::noted).toList());
    }

    @Override
    public <T extends @Nullable Object> T apply(Operation<T> operation) {
        return commits.apply(noted(operation));
    }

    private <T extends @Nullable Object> Operation<T> noted(Operation<T> operation) {
        return AuditRules.noted(operation, note, at);
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
