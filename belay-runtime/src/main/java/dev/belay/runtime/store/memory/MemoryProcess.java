package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One process in memory.
 *
 * <p>Concurrency: see {@link SharedMemory}. Recovery: each change tells its transaction how it is taken back.
 */
final class MemoryProcess {

    private final ProcessId id;
    private final long place;
    private final String hash;
    private final Incarnation incarnation;
    private final Instant startedAt;
    private final List<ProcessEvent> events = new ArrayList<>();
    private final Map<String, ProcessEvent> byKey = new HashMap<>();
    /** By incarnation: a session that is made again was granted nothing. */
    private final Map<Incarnation, SessionId> grants = new LinkedHashMap<>();
    private final Set<String> watchers = new LinkedHashSet<>();
    private @Nullable Instant endedAt;

    /**
     * A process.
     *
     * @param incarnation of its scope
     */
    MemoryProcess(NewProcess process, long place, Incarnation incarnation, Instant at) {
        id = process.id();
        hash = process.hash();
        this.place = place;
        this.incarnation = incarnation;
        startedAt = at;
    }

    ProcessId id() {
        return id;
    }

    long place() {
        return place;
    }

    boolean hasEnded() {
        return endedAt != null;
    }

    boolean isSameAs(NewProcess process) {
        return hash.equals(process.hash());
    }

    ProcessRow row(ScopeState scope) {
        return new ProcessRow(id, place, scope, incarnation, startedAt, endedAt);
    }

    Map<Incarnation, SessionId> grants() {
        return grants;
    }

    boolean isGrantedTo(Incarnation session) {
        return grants.containsKey(session);
    }

    void grant(MemoryTransaction tx, MemorySession session) {
        if (grants.putIfAbsent(session.incarnation(), session.id()) == null) {
            tx.undo(() -> grants.remove(session.incarnation()));
        }
    }

    void revoke(MemoryTransaction tx, MemorySession session) {
        if (grants.remove(session.incarnation()) != null) {
            tx.undo(() -> grants.put(session.incarnation(), session.id()));
        }
    }

    @Nullable
    ProcessEvent event(String key) {
        return byKey.get(key);
    }

    List<ProcessEvent> events(long after, int most) {
        int first = Math.clamp(after, 0, events.size());
        int last = Math.clamp((long) first + most, first, events.size());
        return List.copyOf(events.subList(first, last));
    }

    void tell(MemoryTransaction tx, ProcessEvent.Draft draft, Instant at) {
        var event = new ProcessEvent(events.size() + 1L, draft.key(), draft.type(), draft.payload(), at);
        events.add(event);
        byKey.put(event.key(), event);
        tx.undo(() -> {
            events.removeLast();
            byKey.remove(event.key());
        });
    }

    List<String> watchers() {
        return List.copyOf(watchers);
    }

    void watch(MemoryTransaction tx, String token) {
        if (watchers.add(token)) {
            tx.undo(() -> watchers.remove(token));
        }
    }

    void end(MemoryTransaction tx, Instant at) {
        List<String> told = watchers();
        watchers.clear();
        endedAt = at;
        tx.undo(() -> {
            watchers.addAll(told);
            endedAt = null;
        });
    }
}
