package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.effect.ScopeId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;

/**
 * Events already told that the journal cannot prove: the ends of parked calls that were settled and of calls beyond the limit of
 * a message, and the starts of calls of which nothing is recorded. A scope that is entered again would tell them again.
 * Thread-safe.
 */
public final class AnnouncedCalls {

    /** Scopes that wait for a second time, most recently used; a scope that is forgotten repeats an event and nothing else. */
    private static final int MOST_SCOPES = 1_024;

    private static final int MOST_STARTED = 16 * MOST_SCOPES;

    private final Map<ScopeId, Set<String>> told = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ScopeId, Set<String>> eldest) {
            return size() > MOST_SCOPES;
        }
    };

    /** Calls that have started and of which nothing is recorded, as far as that was noted here; bounded as the scopes are. */
    private final SequencedSet<CallReference> started = new LinkedHashSet<>();

    /** Whether this is the first time. */
    synchronized boolean first(CallReference call) {
        return told.computeIfAbsent(call.scope(), scope -> new HashSet<>())
                .add(call.turn() + "/" + call.round() + "/" + call.index());
    }

    /** Whether a call starts for the first time. A call that waits for its resource is entered again without a record. */
    synchronized boolean firstStart(CallReference call) {
        boolean first = started.add(call);
        if (started.size() > MOST_STARTED) {
            started.removeFirst();
        }
        return first;
    }

    /** Something of the call is recorded, which proves its start. */
    synchronized void forgetStart(CallReference call) {
        started.remove(call);
    }

    /** The scope's batch is over. */
    public synchronized void forget(ScopeId scope) {
        told.remove(scope);
    }
}
