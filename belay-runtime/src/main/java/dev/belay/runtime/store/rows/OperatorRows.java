package dev.belay.runtime.store.rows;

import dev.belay.json.Json;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Pause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rows of operators: what they did and paused, and calls that may have happened. */
public final class OperatorRows {

    /** The parent of rows that belong to the store as a whole. */
    public static final String STORE = "store";

    /** The audit log. */
    public static final Table<Audit> AUDIT = Table.of("audit",
            "store text, place number, at moment, actor text, door text, os_user text, verb text, target text,"
                    + " details json, digest text",
            a -> STORE, a -> a.entry.place(), Audit::values, Audit::read);

    /** Calls that may have happened. */
    public static final Table<DoubtRow> DOUBTS = Table.single("doubt",
            "id text, place number, since moment, scope text, key text, session text, guard text,"
                    + " resource text, answers text, holds text, owner text, over number, call json,"
                    + " settlement json, settled_at moment",
            DoubtRow::id,
            d -> new Object[]{d.id, d.place, d.since, d.scope, d.key, d.session, d.guard, d.resource,
                d.answers, d.holds, d.owner, d.over, d.call, d.settlement, d.settledAt},
            v -> new DoubtRow(v.text(), v.number(), v.moment(), v.text(), v.text(), v.textOrNull(),
                    v.text(), v.textOrNull(), v.textOrNull(), v.textOrNull(), v.text(), v.flag(), v.json(),
                    v.jsonOrNull(), v.momentOrNull()));

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

    /**
     * Scopes that are found under a name: those that were parked because of a pause, open turns of sessions below another one, and those
     * that a dead owner left before they were parked or given back. A scope that has gone on since a pause may still have its row.
     */
    public static final Table<Held> HELD = Table.of("held", "target text, scope text, since moment",
            Held::target,
            Held::scope, h -> new Object[]{h.target, h.scope, h.since},
            v -> new Held(v.text(), v.text(), v.moment()));

    private OperatorRows() {}

    /**
     * A call that may have happened.
     *
     * @param id which
     * @param place its number, from 1 on
     * @param since when it arose
     * @param scope of the record
     * @param key of the record
     * @param session whose, or null outside any session
     * @param guard equal for calls that would do the same again
     * @param resource what it held, or null
     * @param answers the wait by which a service outside may still answer, with its scope in front, or null
     * @param holds the wait at which the call stays, or null if it goes on
     * @param owner which store's process ran the first body; empty if that is not known
     * @param over whether the first body cannot run any more
     * @param call the rest, as {@code DoubtJson} writes it
     * @param settlement how it was settled, or null
     * @param settledAt when, or null
     */
    public record DoubtRow(String id, long place, Instant since, String scope, String key,
            @Nullable String session, String guard, @Nullable String resource, @Nullable String answers,
            @Nullable String holds, String owner, boolean over, Json call, @Nullable Json settlement,
            @Nullable Instant settledAt) {

        /** Whether it is not settled. */
        public boolean isOpen() {
            return settledAt == null;
        }

        /** The row with a settlement. */
        public DoubtRow settled(Json how, Instant at) {
            return new DoubtRow(id, place, since, scope, key, session, guard, resource, answers, holds, owner,
                    over, call, how, at);
        }
    }

    /**
     * A scope that is found under a name.
     *
     * @param target the key of the pause that holds it, or the session above it ({@code TurnScope.below}), or
     *        {@code ScopeRules.LEFT}
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
                note.user(), note.verb(), note.target(), note.details(), entry.digest()};
        }

        private static Audit read(Values v) {
            v.text();
            long place = v.number();
            var at = v.moment();
            var note = new AuditEntry.Note(new Actor(v.text(), v.text()), v.text(), v.text(), v.text(),
                    v.json());
            return new Audit(new AuditEntry(place, at, note, v.text()));
        }
    }
}
