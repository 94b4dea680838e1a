package dev.belay.runtime.store.law;

import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.OperatorStore;
import java.util.List;

/**
 * What operators see and do, over rows.
 *
 * @param journal applies operations
 */
record LawfulOperators(LawfulJournal journal) implements OperatorStore {

    @Override
    public List<AuditEntry> audit(long after, int most) {
        return journal.read(AuditRules.reading(after, most));
    }
}
