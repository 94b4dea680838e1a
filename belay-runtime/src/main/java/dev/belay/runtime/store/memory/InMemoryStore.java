package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.ProcessStore;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.Submission;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions in memory: durable as long as its {@link SharedMemory} are referred to. For tests, and for runtimes that
 * need no more. Thread-safe.
 *
 * <p>Concurrency and recovery are those of its {@link InMemoryJournal}: a method is one write of it.
 */
public final class InMemoryStore implements SessionStore {

    private final SharedMemory sessions;
    private final InMemoryJournal journal;
    private final InMemoryProcesses processes;

    InMemoryStore(SharedMemory sessions, InMemoryJournal journal) {
        this.sessions = sessions;
        this.journal = journal;
        processes = new InMemoryProcesses(sessions, journal);
    }

    /** Opens one on sessions of its own. */
    public static InMemoryStore open() {
        return new SharedMemory().open();
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public ProcessStore processes() {
        return processes;
    }

    @Override
    public Acceptance accept(SessionId session, Incarnation ifNew, Arrival arrival, long expectedPlace,
            boolean take, Instant at) {
        return journal.transact("accept " + session + " " + arrival.id(), tx -> {
            MemorySession found = sessions.find(session);
            Arrived known = found == null ? null : found.arrival(arrival.id());
            if (known != null) {
                return known.arrival().isSameAs(arrival)
                        ? new Acceptance.Known(known)
                        : new Acceptance.Conflict(known);
            }
            if (expectedPlace >= 0 && expectedPlace != (found == null ? 0 : found.lastPlace())) {
                return new Acceptance.Overtaken();
            }
            MemorySession row = found != null ? found : made(tx, MemorySession.empty(session, ifNew, at));
            Arrived arrived = row.arrive(tx, arrival, at);
            if (arrival.kind() != Arrival.Kind.INPUT || row.active() != null) {
                return new Acceptance.Waits(arrived.place());
            }
            long turn = row.begin(tx, arrived, at);
            return new Acceptance.Started(turn, submit(tx, row, turn, arrival, take));
        });
    }

    private MemorySession made(MemoryTransaction tx, MemorySession session) {
        sessions.add(tx, session);
        return session;
    }

    private static @Nullable Claim submit(MemoryTransaction tx, MemorySession session, long turn,
            Arrival first, boolean take) {
        Incarnation incarnation = session.incarnation();
        var submission = tx.submit(TurnScope.id(incarnation, turn),
                TurnScope.input(session.id(), incarnation, turn, first), take);
        if (submission instanceof Submission.Created created) {
            return created.claim();
        }
        throw new IllegalStateException("there is a scope " + TurnScope.id(incarnation, turn)
                + " already, which no turn of the session " + session.id() + " has made");
    }

    @Override
    public List<Arrived> waiting(SessionId session) {
        return read(session, List.of(), MemorySession::waiting);
    }

    @Override
    public Optional<Arrived> arrival(SessionId session, String id) {
        return read(session, Optional.empty(), found -> Optional.ofNullable(found.arrival(id)));
    }

    @Override
    public boolean withdraw(SessionId session, String id, Instant at) {
        return journal.transact("withdraw " + session + " " + id, tx -> {
            MemorySession found = sessions.find(session);
            Arrived row = found == null ? null : found.arrival(id);
            boolean waits = row != null && row.turn() == null;
            if (found != null && row != null && waits) {
                found.withdraw(tx, row, at);
            }
            return waits;
        });
    }

    @Override
    public Committed commit(Claim claim, TurnCommit commit, boolean take, Instant at) {
        return journal.transact("commit " + commit.session() + " " + commit.turn(), tx -> {
            MemorySession found = sessions.find(commit.session());
            if (found == null) {
                return new Committed.Fenced();
            }
            boolean own = claim.scope().equals(TurnScope.id(found.incarnation(), commit.turn()));
            return own || claim.scope().value().startsWith(TurnScope.prefix(found.incarnation()))
                    ? commit(tx, found, commit, take, at, () -> own && tx.end(claim, commit.result(), at))
                    : new Committed.Fenced();
        });
    }

    @Override
    public Committed abandon(TurnCommit commit, boolean take, Instant at) {
        return journal.transact("abandon " + commit.session() + " " + commit.turn(), tx -> {
            MemorySession found = sessions.find(commit.session());
            return found == null
                    ? new Committed.Fenced()
                    : commit(tx, found, commit, take, at,
                            () -> tx.abandon(TurnScope.id(found.incarnation(), commit.turn()),
                                    commit.result(), at));
        });
    }

    private static Committed commit(MemoryTransaction tx, MemorySession session, TurnCommit commit,
            boolean take, Instant at, BooleanSupplier endScope) {
        TurnRow row = session.turn(commit.turn());
        if (row == null) {
            return new Committed.Diverged(session.head());
        }
        TurnRow.End end = row.end();
        if (end != null) {
            return end.receipt().equals(commit.receipt())
                    ? new Committed.Already(row)
                    : new Committed.Diverged(session.head());
        }
        if (!endScope.getAsBoolean()) {
            return new Committed.Fenced();
        }
        session.end(tx, commit, at);
        return session.waitingInput().<Committed>map(next -> {
            long turn = session.begin(tx, next, at);
            return new Committed.Done(turn, submit(tx, session, turn, next.arrival(), take));
        }).orElseGet(() -> new Committed.Done(0, null));
    }

    @Override
    public Optional<SessionHead> head(SessionId session) {
        return read(session, Optional.empty(), found -> Optional.of(found.head()));
    }

    @Override
    public List<SessionHead> sessions(@Nullable SessionId after, int most) {
        return journal.look(() -> sessions.heads(after, most));
    }

    @Override
    public List<ScopeState> openTurns(@Nullable SessionId after, int most) {
        List<ScopeId> active = journal.look(() -> sessions.active(after).toList());
        return active.stream()
                .flatMap(scope -> journal.state(scope).stream())
                .filter(state -> TurnScope.isOpen(state.input().kind()) && !state.isEnded())
                .limit(Math.max(0, most))
                .toList();
    }

    @Override
    public List<StoredMessage> messages(SessionId session, long from, int most) {
        return read(session, List.of(), found -> found.messages(from, most));
    }

    @Override
    public Optional<TurnRow> turn(SessionId session, long turn) {
        return read(session, Optional.empty(), found -> Optional.ofNullable(found.turn(turn)));
    }

    @Override
    public List<TurnRow> turns(SessionId session, long from, int most) {
        return read(session, List.of(), found -> found.turns(from, most));
    }

    private <T> T read(SessionId session, T none, Function<MemorySession, T> reading) {
        return journal.look(() -> {
            MemorySession found = sessions.find(session);
            return found == null ? none : reading.apply(found);
        });
    }

    @Override
    public boolean create(NewSession session, Instant at) {
        return journal.transact("create " + session.id(), tx -> {
            boolean free = sessions.find(session.id()) == null;
            if (free) {
                keep(tx, session);
                sessions.add(tx, MemorySession.of(session, at));
            }
            return free;
        });
    }

    private void keep(MemoryTransaction tx, NewSession session) {
        Incarnation from = session.keepsOf();
        if (from != null) {
            if (!sessions.has(from)) {
                throw session.orphaned();
            }
            tx.keepToo(TurnScope.prefix(session.incarnation()), TurnScope.prefix(from));
        }
    }

    @Override
    public boolean delete(SessionId session, Instant at) {
        return journal.transact("delete " + session, tx -> {
            MemorySession found = sessions.find(session);
            if (found != null) {
                sessions.remove(tx, found);
                tx.deleteScopes(TurnScope.prefix(found.incarnation()));
            }
            return found != null;
        });
    }

    @Override
    public void close() {
        journal.close();
    }
}
