package dev.belay.runtime.store.check;

import static dev.belay.runtime.store.rows.OperatorRows.AUDIT;
import static dev.belay.runtime.store.rows.OperatorRows.STORE;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.Audit;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The audit log has every number from 1 to its counter, and each row covers the row before it. A damaged row, which is a finding of its
 * own, ends the look at the rows behind it.
 *
 * @param rows reads them
 * @param found gets what is wrong
 * @param most ends when so much was found
 */
record AuditCheck(StoreCheck.Reading rows, List<Inconsistency> found, int most) {

    private static final int PAGE = 500;
    private static final Selector<Counter> LAST = Selector.one(COUNTERS, STORE, "audit");

    /** Rows, and the counter of the same moment. */
    private record Page(List<AuditEntry> entries, @Nullable Counter last) {}

    void look() {
        AuditEntry before = null;
        try {
            while (found.size() < most) {
                Page page = page(before == null ? 1 : before.place() + 1);
                for (AuditEntry entry : page.entries()) {
                    look(before, entry);
                    before = entry;
                }
                if (page.entries().size() < PAGE) {
                    end(before, page.last());
                    return;
                }
            }
        } catch (JournalException e) {
            if (!e.isDamage()) {
                throw e;
            }
        }
    }

    private Page page(long from) {
        Selector<Audit> some = new Selector.Of<>(AUDIT, STORE, from, PAGE);
        return rows.read(Operation.reading(into -> into.addAll(List.of(some, LAST)),
                unit -> new Page(unit.list(some).stream().map(Audit::entry).toList(),
                        unit.get(COUNTERS, STORE, "audit"))));
    }

    private void look(@Nullable AuditEntry before, AuditEntry entry) {
        long expected = before == null ? 1 : before.place() + 1;
        if (entry.place() > expected) {
            missing(expected, entry.place() - 1);
        } else if (!entry.follows(before == null ? AuditEntry.BEFORE_FIRST : before.digest())) {
            add(entry.place(), "it was changed, or the row before it was");
        }
    }

    private void end(@Nullable AuditEntry newest, @Nullable Counter last) {
        long place = newest == null ? 0 : newest.place();
        long counted = last == null ? 0 : last.value();
        if (place > counted) {
            add(place, "its place " + place + " is beyond the counter, " + counted);
        } else if (place < counted) {
            missing(place + 1, counted);
        } else if (last != null && newest != null && !newest.digest().equals(last.digest())) {
            add(place, "it was changed, or its counter was");
        }
    }

    private void missing(long from, long to) {
        add(from, from == to ? "it is missing" : "it is missing, and so are the rows up to " + to);
    }

    private void add(long place, String what) {
        found.add(new Inconsistency(AUDIT.name(), STORE + " " + place, what));
    }
}
