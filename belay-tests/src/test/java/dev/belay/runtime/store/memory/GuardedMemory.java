package dev.belay.runtime.store.memory;

import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory on which an operation sees only rows that it has named, and may change a row only if it has named the row or its head by key.
 * On PostgreSQL a row that is named by key is locked; without that lock two owners could both write what they decided over old rows.
 */
public final class GuardedMemory {

    private static final Set<Table<?>> OF_SCOPES = Set.of(ScopeRows.SCOPES, ScopeRows.INPUTS,
            ScopeRows.RESULTS, ScopeRows.EFFECTS, ScopeRows.WAITS, ScopeRows.KEYS, ScopeRows.LATE,
            ScopeRows.AWAITED);
    private static final Set<Table<?>> OF_SESSIONS = Set.of(SessionRows.PASTS, SessionRows.PROFILES,
            SessionRows.ARRIVALS, SessionRows.TURNS, SessionRows.MESSAGES, SessionRows.CALLS);
    private static final Set<Table<?>> OF_PROCESSES = Set.of(ProcessRows.GRANTS, ProcessRows.EVENTS,
            ProcessRows.WATCHERS);
    /** Whose changes wait until no other transaction runs. */
    private static final Set<Table<?>> ALONE = Set.of(OperatorRows.PAUSES, StoreRows.SECRETS,
            OperatorRows.DOUBTS);
    /** Deleted only while no other transaction runs. */
    private static final Set<Table<?>> REFERRED = Set.of(StoreRows.CONTENTS, StoreRows.BYTES);
    /** Whose rows say the same, whichever owner writes them. */
    private static final Set<Table<?>> MARKS = Set.of(OperatorRows.HELD, StoreRows.KEPT, StoreRows.OWNERS,
            SessionRows.INCARNATIONS);

    private final SharedMemory memory = new SharedMemory();

    /** Opens a store that tells a probe of its writes. */
    public Store open(JournalProbe probe) {
        var commits = new GuardedCommits(memory, new MemoryCommits(memory, memory.enrol(), probe));
        return new Store(commits, new SecureRandom(), false);
    }

    private static final class GuardedCommits extends ForwardingCommits {

        private final SharedMemory memory;

        GuardedCommits(SharedMemory memory, Commits commits) {
            super(commits);
            this.memory = memory;
        }

        private <T extends @Nullable Object> Operation<T> guarded(Operation<T> operation) {
            return new Operation<>(operation.label(), operation.size(), operation.first(), null, unit -> {
                var named = new NamedRows(memory.look());
                operation.first().accept(named.selectors);
                unit.base(named);
                var more = operation.second();
                if (more != null) {
                    List<Selector<?>> second = new ArrayList<>();
                    more.accept(unit, second);
                    named.selectors.addAll(second);
                }
                T answer = operation.decide().apply(unit);
                unit.keep();
                check(operation, unit.changes(), named.selectors);
                return answer;
            });
        }

        private void check(Operation<?> operation, Changes changes, Set<Selector<?>> named) {
            Set<Key> keys = new HashSet<>();
            named.forEach(selector -> {
                if (selector instanceof Selector.One<?> one) {
                    keys.add(new Key(one.table(), one.parent(), one.child()));
                }
            });
            Set<String> turns = new HashSet<>();
            keys.stream().filter(key -> key.table() == SessionRows.SESSIONS).forEach(key -> {
                turns.add(turns(memory.look().row(SessionRows.SESSIONS, key.parent(), null)));
                turns.add(turns(changes.rows().get(key)));
            });
            Set<Key> all = new HashSet<>(changes.cleared());
            all.addAll(changes.rows().keySet());
            all.removeIf(
                    key -> ALONE.contains(key.table()) || MARKS.contains(key.table()) || keys.contains(key)
                            || (REFERRED.contains(key.table()) && changes.rows().get(key) == null)
                            || heads(key).stream().anyMatch(keys::contains)
                            || turns.stream().anyMatch(key.parent()::startsWith));
            if (!all.isEmpty()) {
                throw new IllegalStateException(operation.name() + " changes " + all
                        + " and has loaded by key neither these rows nor their heads");
            }
        }

        /** How the names of the scopes of a session begin: they are guarded by the head of the session, too. */
        private static String turns(@Nullable Object session) {
            return session instanceof SessionRows.Session row
                    ? "turn/" + row.incarnation() + "/"
                    : "no session";
        }

        private static List<Key> heads(Key key) {
            if (OF_SCOPES.contains(key.table())) {
                return List.of(new Key(ScopeRows.SCOPES, key.parent(), null));
            }
            if (OF_SESSIONS.contains(key.table())) {
                return List.of(new Key(SessionRows.SESSIONS, key.parent(), null));
            }
            if (OF_PROCESSES.contains(key.table())) {
                return List.of(new Key(ProcessRows.PROCESSES, key.parent(), null),
                        new Key(SessionRows.SESSIONS, String.valueOf(key.child()), null));
            }
            if (key.table() == StoreRows.BYTES) {
                return List.of(new Key(StoreRows.CONTENTS, key.parent(), null));
            }
            return key.table() == OperatorRows.AUDIT
                    ? List.of(new Key(StoreRows.COUNTERS, key.parent(), "audit"))
                    : List.of();
        }

        @Override
        public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
            return super.submit(operations.stream().map(this::guarded).toList());
        }

        @Override
        public <T extends @Nullable Object> T apply(Operation<T> operation) {
            return super.apply(guarded(operation));
        }

        @Override
        public <T extends @Nullable Object> T read(Operation<T> read) {
            return super.read(guarded(read));
        }
    }
}
