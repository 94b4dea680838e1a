package dev.belay.runtime.store.rows;

import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;

/** The rows of operators: what they did. */
public final class OperatorRows {

    /** The parent of rows that belong to the store as a whole. */
    public static final String STORE = "store";

    /** The audit log. */
    public static final Table<Audit> AUDIT = Table.of("audit",
            "store text, place number, at moment, actor text, door text, verb text, target text,"
                    + " details json, digest text",
            a -> STORE, a -> a.entry.place(), Audit::values, Audit::read);

    private OperatorRows() {}

    /**
     * A row of the audit log.
     *
     * @param entry what it says
     */
    public record Audit(AuditEntry entry) {

        private Object[] values() {
            AuditEntry.Note note = entry.note();
            return new Object[]{STORE, entry.place(), entry.at(), note.by().name(), note.by().door(),
                note.verb(), note.target(), note.details(), note.digest()};
        }

        private static Audit read(Values v) {
            v.text();
            long place = v.number();
            var at = v.moment();
            var note = new AuditEntry.Note(new Actor(v.text(), v.text()), v.text(), v.text(), v.json());
            v.text();
            return new Audit(new AuditEntry(place, at, note));
        }
    }
}
