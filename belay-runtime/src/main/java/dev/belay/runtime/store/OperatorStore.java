package dev.belay.runtime.store;

import java.util.List;

/** What operators see and do: a part of a {@link SessionStore}. Thread-safe. */
public interface OperatorStore {

    /** The audit log behind a place, which is 0 for all of it. */
    List<AuditEntry> audit(long after, int most);
}
