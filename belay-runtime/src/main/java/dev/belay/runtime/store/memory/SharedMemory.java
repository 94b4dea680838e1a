package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory that {@link InMemoryStore}s share, as processes share a file: records of a journal, sessions and processes. A store that
 * crashes or is closed leaves them here. Thread-safe.
 *
 * <p>Concurrency: sessions are read and changed inside {@code look} and {@code transact} of a journal on the records, whose lock
 * guards them.
 */
public final class SharedMemory {

    private final InMemoryRecords records;
    private final Map<SessionId, MemorySession> sessions = new HashMap<>();
    private final NavigableMap<SessionId, MemorySession> inOrder = new TreeMap<>(SessionId.ORDER);
    private final Set<Incarnation> incarnations = new HashSet<>();
    private final Map<ProcessId, MemoryProcess> processes = new HashMap<>();
    private final NavigableMap<Long, MemoryProcess> processesInOrder = new TreeMap<>();

    /** No sessions, beside empty records whose secrets cannot be guessed. */
    public SharedMemory() {
        this(new InMemoryRecords());
    }

    /** No sessions, beside records that were made before. */
    public SharedMemory(InMemoryRecords records) {
        this.records = records;
    }

    /** Opens a store on these sessions. */
    public InMemoryStore open() {
        return open(JournalProbe.NONE);
    }

    /** Opens a store on these sessions that tells a probe of its writes. */
    public InMemoryStore open(JournalProbe probe) {
        return new InMemoryStore(this, records.open(probe));
    }

    @Nullable
    MemorySession find(SessionId id) {
        return sessions.get(id);
    }

    boolean has(Incarnation incarnation) {
        return incarnations.contains(incarnation);
    }

    List<SessionHead> heads(@Nullable SessionId after, int most) {
        var rest = after == null ? inOrder : inOrder.tailMap(after, false);
        return rest.values().stream().limit(Math.max(0, most)).map(MemorySession::head).toList();
    }

    /** The scopes of active turns, in the order of their sessions. */
    Stream<ScopeId> active(@Nullable SessionId after) {
        var rest = after == null ? inOrder : inOrder.tailMap(after, false);
        return rest.values()
                .stream()
                .map(MemorySession::head)
                .filter(head -> head.active() != null)
                .map(head -> TurnScope.id(head.incarnation(), head.revision() + 1));
    }

    void add(MemoryTransaction tx, MemorySession session) {
        if (incarnations.contains(session.incarnation())) {
            throw new IllegalArgumentException("the incarnation " + session.incarnation()
                    + " belongs to another session; draw one for " + session.id());
        }
        put(session);
        tx.undo(() -> drop(session));
    }

    void remove(MemoryTransaction tx, MemorySession session) {
        processes.values().forEach(process -> process.revoke(tx, session));
        drop(session);
        tx.undo(() -> put(session));
    }

    @Nullable
    MemoryProcess process(ProcessId id) {
        return processes.get(id);
    }

    /** Processes behind a place. */
    Stream<MemoryProcess> processes(long after) {
        return processesInOrder.tailMap(after, false).values().stream();
    }

    MemoryProcess add(MemoryTransaction tx, NewProcess process, Incarnation scope, Instant at) {
        long place = processesInOrder.isEmpty() ? 1 : processesInOrder.lastKey() + 1;
        var made = new MemoryProcess(process, place, scope, at);
        processes.put(made.id(), made);
        processesInOrder.put(place, made);
        tx.undo(() -> {
            processes.remove(made.id());
            processesInOrder.remove(place);
        });
        return made;
    }

    private void put(MemorySession session) {
        sessions.put(session.id(), session);
        inOrder.put(session.id(), session);
        incarnations.add(session.incarnation());
    }

    private void drop(MemorySession session) {
        sessions.remove(session.id());
        inOrder.remove(session.id());
        incarnations.remove(session.incarnation());
    }
}
