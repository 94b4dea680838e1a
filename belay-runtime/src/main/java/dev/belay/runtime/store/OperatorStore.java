package dev.belay.runtime.store;

import dev.belay.runtime.store.journal.Pause;
import java.time.Instant;
import java.util.List;

/** What operators see and do: a part of a {@link SessionStore}. Thread-safe. */
public interface OperatorStore {

    /** The audit log behind a place, which is 0 for all of it. */
    List<AuditEntry> audit(long after, int most);

    /** What a verb did. */
    enum Verb {
        /** It was done now. */
        DONE,
        /** It was so before; nothing was written. */
        ALREADY,
        /** Its target is unknown; nothing was written. */
        NOT_POSSIBLE
    }

    /** Pauses a target; a session must exist. A turn of it that is ready is parked in the same write. */
    Verb pause(Pause.Target target, Actor by, String reason, Instant at);

    /** Ends a pause. Scopes that it has parked are ready in the same write. */
    Verb unpause(Pause.Target target, Actor by, String reason, Instant at);

    /** All pauses that are in force. */
    List<Pause> pauses();
}
