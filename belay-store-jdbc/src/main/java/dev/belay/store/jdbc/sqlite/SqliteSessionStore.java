package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
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
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.store.jdbc.SqliteJournal;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.store.jdbc.sqlite.TurnWrites.Accepted;
import dev.belay.store.jdbc.sqlite.TurnWrites.Asked;
import dev.belay.store.jdbc.sqlite.TurnWrites.Ended;
import dev.belay.store.jdbc.sqlite.TurnWrites.Ending;
import dev.belay.tool.context.Incarnation;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sessions in the file of a {@link SqliteJournal}, written by its thread and in its commits. Thread-safe.
 *
 * <p>Concurrency: a turn is rendered by the caller, before the writing thread gets it, from what a reader has seen. If somebody
 * else has moved the session meanwhile, nothing is written and the caller looks again; each time that happens another write
 * has gone on.
 */
public final class SqliteSessionStore implements SessionStore {

    /** Each wrong guess means that another write has moved the session; so many in a row mean that something is broken. */
    private static final int GUESSES = 1_000;

    private final SqliteJournal journal;
    private final OpenFile store;
    private final TurnWrites writes;
    private final SqliteProcessStore processes;

    public SqliteSessionStore(SqliteJournal journal) {
        this.journal = journal;
        processes = new SqliteProcessStore(journal);
        store = journal.store();
        writes = new TurnWrites(store.writes());
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
        String content = arrival.content().text();
        String now = Moments.text(at);
        for (int guess = 0; guess < GUESSES; guess++) {
            RenderedTurn start = arrival.kind() == Arrival.Kind.INPUT ? start(session, ifNew, arrival) : null;
            var asked = new Asked(session.value(), ifNew, arrival, content, expectedPlace, take, start, now);
            Accepted accepted = store.write("accept " + session + " " + arrival.id(), asked.size(),
                    db -> writes.accept(db, asked));
            switch (accepted) {
                case Accepted.Started started -> {
                    return new Acceptance.Started(started.turn(),
                            take && start != null ? start.claim(started.secret()) : null);
                }
                case Accepted.Waits waits -> {
                    return new Acceptance.Waits(waits.place());
                }
                case Accepted.Known known -> {
                    Arrived row = known.row().arrived();
                    return row.arrival().isSameAs(arrival)
                            ? new Acceptance.Known(row)
                            : new Acceptance.Conflict(row);
                }
                case Accepted.Overtaken overtaken -> {
                    return new Acceptance.Overtaken();
                }
                case Accepted.Stale stale -> {
                }
            }
        }
        throw moving(session);
    }

    private static JournalException moving(SessionId session) {
        return new JournalException("the session " + session + " was changed by others each of the " + GUESSES
                + " times that it was looked at, and nothing was written. Try again", null);
    }

    /** The turn that an input would start as things stand; null if one is active. */
    private @Nullable RenderedTurn start(SessionId session, Incarnation ifNew, Arrival arrival) {
        SqliteSessions.Found found = store.read(db -> SqliteSessions.find(db, session.value()));
        if (found == null) {
            return RenderedTurn.of(session, ifNew, 1, arrival, store.draw(Incarnation::random));
        }
        return found.active() != null
                ? null
                : RenderedTurn.of(session, found.incarnation(), found.revision() + 1, arrival,
                        store.draw(Incarnation::random));
    }

    @Override
    public List<Arrived> waiting(SessionId session) {
        return store.read(db -> SqliteArrivals.waiting(db, session.value()))
                .stream()
                .map(SqliteArrivals.Raw::arrived)
                .toList();
    }

    @Override
    public Optional<Arrived> arrival(SessionId session, String id) {
        return Optional.ofNullable(store.read(db -> SqliteArrivals.find(db, session.value(), id)))
                .map(SqliteArrivals.Raw::arrived);
    }

    @Override
    public boolean withdraw(SessionId session, String id, Instant at) {
        String now = Moments.text(at);
        return store.write("withdraw " + session + " " + id, 0,
                db -> writes.withdraw(db, session.value(), id, now));
    }

    @Override
    public Committed commit(Claim claim, TurnCommit commit, boolean take, Instant at) {
        return end("commit " + commit.session() + " " + commit.turn(), commit, take, at,
                (db, ending) -> writes.commit(db, claim, ending));
    }

    @Override
    public Committed abandon(TurnCommit commit, boolean take, Instant at) {
        return end("abandon " + commit.session() + " " + commit.turn(), commit, take, at, writes::abandon);
    }

    /** Ends a turn in one of two ways. */
    private interface End {
        Ended run(Database db, Ending ending) throws SQLException;
    }

    private Committed end(String name, TurnCommit commit, boolean take, Instant at, End end) {
        Stored result = journal.stored(commit.result(), at);
        for (int guess = 0; guess < GUESSES; guess++) {
            RenderedTurn next = next(commit);
            Ending ending = Ending.of(commit, result, take, next, Moments.text(at));
            Ended ended = store.write(name, ending.size(), db -> end.run(db, ending));
            switch (ended) {
                case Ended.Done done -> {
                    return new Committed.Done(done.started(),
                            take && next != null && done.started() > 0 ? next.claim(done.secret()) : null);
                }
                case Ended.Already already -> {
                    return new Committed.Already(already.row().row(commit.session()));
                }
                case Ended.Diverged diverged -> {
                    return new Committed.Diverged(diverged.head().head());
                }
                case Ended.Fenced fenced -> {
                    return new Committed.Fenced();
                }
                case Ended.Stale stale -> {
                }
            }
        }
        throw moving(commit.session());
    }

    /** The turn that would follow as things stand; null if nothing waits for one. */
    private @Nullable RenderedTurn next(TurnCommit commit) {
        String session = commit.session().value();
        SqliteArrivals.Raw waits = store.read(db -> SqliteArrivals.next(db, session, Ending.taken(commit)));
        SqliteSessions.Found found = waits == null
                ? null
                : store.read(db -> SqliteSessions.find(db, session));
        return waits == null || found == null
                ? null
                : RenderedTurn.of(commit.session(), found.incarnation(), commit.turn() + 1, waits.arrival(),
                        store.draw(Incarnation::random));
    }

    @Override
    public Optional<SessionHead> head(SessionId session) {
        return Optional.ofNullable(store.read(db -> SqliteSessions.head(db, session.value())))
                .map(SqliteSessions.Raw::head);
    }

    @Override
    public List<SessionHead> sessions(@Nullable SessionId after, int most) {
        String from = after == null ? "" : after.value();
        return store.read(db -> SqliteSessions.heads(db, from, Math.max(0, most)))
                .stream()
                .map(SqliteSessions.Raw::head)
                .toList();
    }

    @Override
    public List<ScopeState> openTurns(@Nullable SessionId after, int most) {
        String from = after == null ? "" : after.value();
        return store.read(db -> SqliteScopes.open(db, from, Math.max(0, most)))
                .stream()
                .map(SqliteScopes.Raw::state)
                .toList();
    }

    @Override
    public List<StoredMessage> messages(SessionId session, long from, int most) {
        return store.read(db -> SqliteTurns.messages(db, session.value(), from, Math.max(0, most)))
                .stream()
                .map(SqliteTurns.Message::row)
                .toList();
    }

    @Override
    public Optional<TurnRow> turn(SessionId session, long turn) {
        return Optional.ofNullable(store.read(db -> SqliteTurns.find(db, session.value(), turn)))
                .map(row -> row.row(session));
    }

    @Override
    public List<TurnRow> turns(SessionId session, long from, int most) {
        return store.read(db -> SqliteTurns.list(db, session.value(), from, Math.max(0, most)))
                .stream()
                .map(row -> row.row(session))
                .toList();
    }

    @Override
    public boolean create(NewSession session, Instant at) {
        List<SqliteTurns.Raw> turns = session.turns().stream().map(SqliteSessionStore::rendered).toList();
        List<SqliteTurns.Message> messages = session.messages()
                .stream()
                .map(one -> new SqliteTurns.Message(one.place(), one.turn(), one.message().text()))
                .toList();
        var made = new TurnWrites.Made(session, session.origin().text(), session.state().text(), turns,
                messages, Moments.text(at));
        long size = messages.stream().mapToLong(message -> message.value().length()).sum();
        return switch (store.write("create " + session.id(), size,
                db -> writes.create(db, made))) {
            case DONE -> true;
            case EXISTS -> false;
            case ORPHANED -> throw session.orphaned();
        };
    }

    private static SqliteTurns.Raw rendered(TurnRow turn) {
        TurnRow.End end = turn.end();
        Json state = end == null ? null : end.state();
        return new SqliteTurns.Raw(turn.turn(), turn.input(), Moments.text(turn.acceptedAt()),
                end == null
                        ? null
                        : new SqliteTurns.End(end.receipt(), end.result().text(),
                                state == null ? null : state.text(), end.firstMessage(), end.messages(),
                                Moments.text(end.at())));
    }

    @Override
    public boolean delete(SessionId session, Instant at) {
        return store.write("delete " + session, 0, db -> writes.delete(db, session.value()));
    }

    @Override
    public void close() {
        journal.close();
    }
}
