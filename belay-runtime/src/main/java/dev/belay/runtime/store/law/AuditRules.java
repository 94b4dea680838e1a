package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.AUDIT;
import static dev.belay.runtime.store.rows.OperatorRows.STORE;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.Audit;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The audit log: what a verb did is written in the commit that does it. */
final class AuditRules {

    private static final String LAST = "audit";
    private static final Selector<Counter> COUNT = Selector.one(COUNTERS, STORE, LAST);

    private AuditRules() {}

    /** An operation that leaves a note, if it changes something. */
    static <T extends @Nullable Object> Operation<T> noted(Operation<T> operation, AuditEntry.Note note,
            Instant at) {
        return new Operation<>(operation.label(), operation.size() + note.details().text().length(),
                rows -> {
                    operation.first().accept(rows);
                    select(rows);
                }, operation.second(), unit -> {
                    T answer = operation.decide().apply(unit);
                    if (unit.isChanging()) {
                        note(unit, note, at);
                    }
                    return answer;
                });
    }

    /** An operation that only leaves a note. */
    static Operation<Boolean> only(AuditEntry.Note note, Instant at) {
        return Operation.of("note " + note.verb() + " " + note.target(), note.details().text().length(),
                AuditRules::select, unit -> {
                    note(unit, note, at);
                    return true;
                });
    }

    static void select(Collection<Selector<?>> rows) {
        rows.add(COUNT);
    }

    /** Adds a row; the counter was {@linkplain #select selected}. */
    static void note(Unit unit, AuditEntry.Note note, Instant at) {
        Counter last = unit.get(COUNTERS, STORE, LAST);
        AuditEntry entry = last == null
                ? AuditEntry.after(AuditEntry.BEFORE_FIRST, 1, at, note)
                : AuditEntry.after(Objects.requireNonNull(last.digest()), last.value() + 1, at, note);
        unit.put(COUNTERS, new Counter(STORE, LAST, entry.place(), entry.digest()));
        unit.put(AUDIT, new Audit(entry));
    }

    static Operation<Long> last() {
        return Operation.reading(rows -> rows.add(COUNT), unit -> {
            Counter last = unit.get(COUNTERS, STORE, LAST);
            return last == null ? 0 : last.value();
        });
    }

    static Operation<List<AuditEntry>> reading(long after, int most) {
        Selector<Audit> some = new Selector.Of<>(AUDIT, STORE, Math.min(after, Long.MAX_VALUE - 1) + 1, most);
        return Operation.reading(rows -> rows.add(some),
                unit -> unit.list(some).stream().map(Audit::entry).toList());
    }

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
}
