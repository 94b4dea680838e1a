package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.AUDIT;
import static dev.belay.runtime.store.rows.OperatorRows.STORE;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
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
public final class AuditRules {

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

    /** Writes a note of something that changes no other row. */
    public static Operation<Boolean> only(AuditEntry.Note note, Instant at) {
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

    /** The place of the last entry of the audit log; 0 if there is none. */
    public static Operation<Long> last() {
        return Operation.reading(rows -> rows.add(COUNT), unit -> {
            Counter last = unit.get(COUNTERS, STORE, LAST);
            return last == null ? 0 : last.value();
        });
    }

    /** The audit log behind a place, which is 0 for all of it. */
    public static Operation<List<AuditEntry>> reading(long after, int most) {
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
    public static Commits noting(Commits commits, AuditEntry.Note note, Instant at) {
        return new ForwardingCommits(commits) {

            @Override
            public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
                return super.submit(operations.stream().map(one -> noted(one, note, at)).toList());
            }

            @Override
            public <T extends @Nullable Object> T apply(Operation<T> operation) {
                return super.apply(noted(operation, note, at));
            }
        };
    }
}
