package dev.belay.runtime.store.law;

import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.journal.Pause;
import java.time.Instant;
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

    @Override
    public Verb pause(Pause.Target target, Actor by, String reason, Instant at) {
        return journal.apply(PauseRules.pause(target, by, reason, at));
    }

    @Override
    public Verb unpause(Pause.Target target, Actor by, String reason, Instant at) {
        return journal.apply(PauseRules.unpause(target, by, reason, at));
    }

    @Override
    public List<Pause> pauses() {
        return journal.read(PauseRules.reading());
    }
}
