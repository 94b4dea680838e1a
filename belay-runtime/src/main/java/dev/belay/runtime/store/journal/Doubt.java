package dev.belay.runtime.store.journal;

import dev.belay.json.FramedHash;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.Actor;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call that may have happened. It stays listed until it is settled, and its row is kept with no regard to its session.
 *
 * @param id names it
 * @param place its number in the list of all; a cursor
 * @param since when it arose
 * @param scope of the turn, process or batch
 * @param about what was asked for, and what is known
 * @param settlement how it was settled, or null while it is open
 */
public record Doubt(String id, long place, Instant since, ScopeId scope, OpenDoubt about,
        @Nullable Settlement settlement) {

    private static final int DIGITS = 24;

    /** The id of the doubt about an effect. */
    public static String id(String scope, String key) {
        return new FramedHash().add("belay-doubt-1").add(scope).add(key).hex().substring(0, DIGITS);
    }

    /** Whether it is not settled. */
    public boolean isOpen() {
        return settlement == null;
    }

    /**
     * What turned out.
     *
     * @param truth never unknown
     * @param by who said so
     * @param at when
     */
    public record Settlement(Reconciliation<ToolOutcome> truth, Actor by, Instant at) {}
}
