package dev.belay.runtime.store.rows;

import java.util.List;

/** All tables. A store that makes its schema from them needs no list of its own. */
public final class Tables {

    /** In no particular order. */
    public static final List<Table<?>> ALL = List.of(ScopeRows.SCOPES, ScopeRows.INPUTS, ScopeRows.RESULTS,
            ScopeRows.EFFECTS, ScopeRows.WAITS, ScopeRows.KEYS, ScopeRows.LATE, ScopeRows.RESOURCES,
            ScopeRows.AWAITED,
            SessionRows.SESSIONS, SessionRows.INCARNATIONS, SessionRows.PASTS, SessionRows.PROFILES,
            SessionRows.ARRIVALS, SessionRows.TURNS, SessionRows.MESSAGES, SessionRows.CALLS,
            ProcessRows.PROCESSES, ProcessRows.GRANTS, ProcessRows.EVENTS, ProcessRows.WATCHERS,
            OperatorRows.AUDIT, OperatorRows.DOUBTS, OperatorRows.PAUSES, OperatorRows.HELD,
            StoreRows.OWNERS, StoreRows.COUNTERS, StoreRows.SECRETS, StoreRows.CONTENTS, StoreRows.BYTES,
            StoreRows.KEPT);

    private Tables() {}
}
