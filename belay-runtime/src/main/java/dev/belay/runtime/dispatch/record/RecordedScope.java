package dev.belay.runtime.dispatch.record;

import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalHost;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is recorded of a scope, to be read without running it.
 *
 * @param rows its records, by key
 * @param settled its waits that are settled, by name
 * @param late the keys of records that were answered late
 */
public record RecordedScope(Map<String, EffectRow> rows, Map<String, Resolution> settled, Set<String> late) {

    /** A scope whose records cannot be read. */
    public static final RecordedScope NOTHING = new RecordedScope(Map.of(), Map.of(), Set.of());

    /** Copies the maps. */
    public RecordedScope {
        rows = Map.copyOf(rows);
        settled = Map.copyOf(settled);
        late = Set.copyOf(late);
    }

    /** Reads a scope. */
    public static RecordedScope of(JournalHost host, ScopeId scope) {
        Map<String, EffectRow> rows = new HashMap<>();
        host.effects(scope).forEach(row -> rows.put(row.key(), row));
        Map<String, Resolution> settled = new HashMap<>();
        for (WaitState wait : host.waits(scope)) {
            Resolution resolution = wait.resolution();
            if (resolution != null) {
                settled.put(wait.name().value(), resolution);
            }
        }
        return new RecordedScope(rows, settled, host.lateResults(scope)
                .stream()
                .map(late -> late.key().value())
                .collect(Collectors.toSet()));
    }
}
