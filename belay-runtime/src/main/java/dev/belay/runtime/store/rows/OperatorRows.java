package dev.belay.runtime.store.rows;

import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Pause;
import java.time.Instant;

/** The rows of operators: what they did, and what they paused. */
public final class OperatorRows {

    /** The parent of rows that belong to the store as a whole. */
    public static final String STORE = "store";

    /** The audit log. */
    public static final Table<Audit> AUDIT = Table.of("audit",
            "store text, place number, at moment, actor text, door text, verb text, target text,"
                    + " details json, digest text",
            a -> STORE, a -> a.entry.place(), Audit::values, Audit::read);

    /** Pauses that are in force. */
    public static final Table<Pause> PAUSES = Table.of("pause",
            "type text, name text, actor text, door text, reason text, since moment",
            p -> p.target().type().word(), p -> p.target().name(),
            p -> new Object[]{p.target().type().word(), p.target().name(), p.by().name(), p.by().door(),
                p.reason(),
                p.since()},
            v -> new Pause(Pause.Target.of(v.text() + "/" + v.text()), new Actor(v.text(), v.text()),
                    v.text(),
                    v.moment()));

    /** Scopes that were parked because of a pause. A scope that has gone on since may still have its row. */
    public static final Table<Held> HELD = Table.of("held", "target text, scope text, since moment",
            Held::target,
            Held::scope, h -> new Object[]{h.target, h.scope, h.since},
            v -> new Held(v.text(), v.text(), v.moment()));

    private OperatorRows() {}

    /**
     * A scope that a pause holds.
     *
     * @param target the key of the pause
     * @param scope which
     * @param since when
     */
    public record Held(String target, String scope, Instant since) {}

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
