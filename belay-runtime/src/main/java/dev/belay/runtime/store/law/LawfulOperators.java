package dev.belay.runtime.store.law;

import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Doubt;
import dev.belay.runtime.store.DoubtSettling;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

    @Override
    public List<Doubt> doubts(long after, int most) {
        return journal.read(DoubtRules.reading(after, most));
    }

    @Override
    public Optional<Doubt> doubt(String id) {
        return journal.read(DoubtRules.reading(id));
    }

    @Override
    public DoubtSettling settle(String id, Reconciliation<ToolOutcome> truth, AuditEntry.Note note,
            boolean take, Instant at) {
        return journal.apply(new DoubtRules(journal.rules()).settle(id, truth, note, take, at));
    }
}
