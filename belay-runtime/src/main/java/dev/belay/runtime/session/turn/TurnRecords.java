package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of one turn as they were read. Immutable.
 *
 * @param turn its number
 * @param rows its effects by their keys
 * @param settled its waits that are settled, by their names
 */
public record TurnRecords(long turn, Map<String, EffectRow> rows, Map<String, Resolution> settled) {

    public TurnRecords {
        rows = Map.copyOf(rows);
        settled = Map.copyOf(settled);
    }

    /** Reads the records of a turn. */
    public static TurnRecords of(TurnServices services, ScopeId scope, long turn) {
        Map<String, EffectRow> rows = new HashMap<>();
        services.store().journal().effects(scope).forEach(row -> rows.put(row.key(), row));
        Map<String, Resolution> settled = new HashMap<>();
        for (WaitState wait : services.host().waits(scope)) {
            Resolution resolution = wait.resolution();
            if (resolution != null) {
                settled.put(wait.name().value(), resolution);
            }
        }
        return new TurnRecords(turn, rows, settled);
    }

    /** Whether a round was begun, recorded or not. */
    public boolean hasRound(int number) {
        return rows.containsKey("round/" + number);
    }

    /** The record of a round; null if there is none. */
    public @Nullable Json round(int number) {
        EffectRow row = rows.get("round/" + number);
        return row == null ? null : row.result();
    }

    /** How a call stands. */
    public RecordedOutcome.Standing standing(int round, int index) {
        return RecordedOutcome.standing(rows, settled, turn, round, index);
    }
}
