package dev.belay.runtime.store;

import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What operators see and do: a part of a {@link SessionStore}. Thread-safe. */
public interface OperatorStore {

    /** The audit log behind a place, which is 0 for all of it. */
    List<AuditEntry> audit(long after, int most);

    /** Doubts that are open, in the order in which they arose, behind a place, which is 0 for all. */
    List<Doubt> doubts(long after, int most);

    /** A doubt, settled or not. */
    Optional<Doubt> doubt(String id);

    /**
     * Settles a doubt. The first settlement counts. The model is told once, at its next round; a call that the doubt held goes on.
     *
     * @param truth not unknown
     * @param note for the audit log; names who says so
     * @param take whether to own a scope that goes on because of it
     */
    DoubtSettling settle(String id, Reconciliation<ToolOutcome> truth, AuditEntry.Note note, boolean take,
            Instant at);
}
