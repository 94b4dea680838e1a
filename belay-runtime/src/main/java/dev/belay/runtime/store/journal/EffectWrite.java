package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record to be written: a new one, or the end of one that was started. An existing record is replaced only if its status
 * is {@code STARTED}.
 *
 * @param row the record; its result is stored by content if it is large
 * @param takes a resource to take in the same write, or null; {@code BUSY} if another holder has it
 * @param releases a resource to release in the same write, or null
 * @param opens waits to open in the same write
 * @param closes a wait whose answer is not needed any more, or null: {@code ANSWERED} if it has one; else it is closed in the
 *        same write, unless a doubt of this write holds its call
 * @param guard refused if a doubt with this guard or about the resource of the record is open, and busy while
 *        the process of such a call has died and no other has taken it over; null for no such question
 * @param doubts to open in the same write, at most one
 * @param notes for the audit log, in the same write
 * @param issued the schema of a wait to be kept in the same write, as {@link dev.belay.runtime.store.law.RecordRules#issue} keeps it, or null
 * @param follows a settlement that must be as it was read, or null: {@code ANSWERED} with what it is, if it is another one by now
 * @param at the time
 */
public record EffectWrite(EffectRow row, @Nullable String takes,
        @Nullable String releases, List<OpenWait> opens, @Nullable WaitName closes,
        @Nullable String guard, List<OpenDoubt.Of> doubts, List<Effect.Note> notes,
        Effect.@Nullable Issued issued, Effect.@Nullable Follows follows, Instant at) {

    /** Copies the lists. */
    public EffectWrite {
        opens = List.copyOf(opens);
        doubts = List.copyOf(doubts);
        notes = List.copyOf(notes);
    }

    /** A record that follows from no settlement. */
    public EffectWrite(EffectRow row, @Nullable String takes, @Nullable String releases,
            List<OpenWait> opens, @Nullable WaitName closes, @Nullable String guard,
            List<OpenDoubt.Of> doubts, List<Effect.Note> notes, Effect.@Nullable Issued issued,
            Instant at) {
        this(row, takes, releases, opens, closes, guard, doubts, notes, issued, null, at);
    }

    /** A record with which no schema is kept. */
    public EffectWrite(EffectRow row, @Nullable String takes, @Nullable String releases,
            List<OpenWait> opens, @Nullable WaitName closes, @Nullable String guard,
            List<OpenDoubt.Of> doubts, List<Effect.Note> notes, Instant at) {
        this(row, takes, releases, opens, closes, guard, doubts, notes, null, at);
    }

    /** A record that no doubt forbids and that opens none. */
    public EffectWrite(EffectRow row, @Nullable String takes, @Nullable String releases,
            List<OpenWait> opens, Instant at) {
        this(row, takes, releases, opens, null, null, List.of(), List.of(), null, null, at);
    }
}
