package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.store.jdbc.sqlite.SqliteSessions.Found;
import dev.belay.tool.context.Incarnation;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each write of sessions does, inside a transaction that nobody else is in, together with what it does to scopes. A write
 * that is refused, or whose guess was wrong, has changed nothing. Run by the writing thread; may be run again if a shared commit
 * fails.
 *
 * @param scopes what writes do to scopes
 */
record TurnWrites(ScopeWrites scopes) {

    /**
     * Something that arrives.
     *
     * @param session in which session
     * @param ifNew its incarnation, if it is made now
     * @param arrival what
     * @param content as text
     * @param expectedPlace or -1
     * @param take whether to own the turn
     * @param start the turn that it may start, or null if it was thought to start none
     * @param at when
     */
    record Asked(String session, Incarnation ifNew, Arrival arrival, String content, long expectedPlace,
            boolean take, @Nullable RenderedTurn start, String at) {

        long size() {
            return start == null ? content.length() : (long) content.length() + start.value().length();
        }
    }

    /** How an arrival found its session. */
    sealed interface Accepted {

        /** It has started a turn, whose scope is signed by a secret. */
        record Started(long turn, long secret) implements Accepted {}

        /** It waits. */
        record Waits(long place) implements Accepted {}

        /** It was there. */
        record Known(SqliteArrivals.Raw row) implements Accepted {}

        /** Others were faster. */
        record Overtaken() implements Accepted {}

        /** The turn that it starts is another one than was thought. */
        record Stale() implements Accepted {}
    }

    /**
     * A turn that ends.
     *
     * @param commit what it leaves
     * @param messages as text
     * @param state as text, or null
     * @param taken as an array in JSON
     * @param result as it stands in the scope
     * @param take whether to own the next turn
     * @param next the next turn, or null if nothing was thought to wait
     * @param at when
     */
    record Ending(TurnCommit commit, List<String> messages, @Nullable String state, String taken,
            Stored result, boolean take, @Nullable RenderedTurn next, String at) {

        static Ending of(TurnCommit commit, Stored result, boolean take, @Nullable RenderedTurn next,
                String at) {
            Json state = commit.state();
            return new Ending(commit, commit.messages().stream().map(Json::text).toList(),
                    state == null ? null : state.text(), taken(commit), result, take, next, at);
        }

        static String taken(TurnCommit commit) {
            return Json.array(commit.taken().stream().map(Json::string).toList()).text();
        }

        long size() {
            return messages.stream().mapToLong(String::length).sum() + (state == null ? 0 : state.length())
                    + result.size();
        }
    }

    /** How an ending found its turn. */
    sealed interface Ended {

        /** It has ended; the next turn, or 0, and the secret that signs its scope. */
        record Done(long started, long secret) implements Ended {}

        /** It had ended. */
        record Already(SqliteTurns.Raw row) implements Ended {}

        /** The session is elsewhere. */
        record Diverged(SqliteSessions.Raw head) implements Ended {}

        /** The scope is somebody else's. */
        record Fenced() implements Ended {}

        /** Another input waits than was thought. */
        record Stale() implements Ended {}
    }

    /** Ends the scope of a turn; false if that may not be done. */
    private interface ScopeEnd {
        boolean run() throws SQLException;
    }

    Accepted accept(Database db, Asked asked) throws SQLException {
        Arrival arrival = asked.arrival();
        Found session = SqliteSessions.find(db, asked.session());
        if (session != null) {
            SqliteArrivals.Raw known = SqliteArrivals.find(db, session.n(), arrival.id());
            if (known != null) {
                return new Accepted.Known(known);
            }
        }
        long last = session == null ? 0 : session.lastPlace();
        if (asked.expectedPlace() >= 0 && asked.expectedPlace() != last) {
            return new Accepted.Overtaken();
        }
        boolean starts = arrival.kind() == Arrival.Kind.INPUT
                && (session == null || session.active() == null);
        Incarnation incarnation = session == null ? asked.ifNew() : session.incarnation();
        long turn = session == null ? 1 : session.revision() + 1;
        RenderedTurn start = asked.start();
        if (starts && (start == null || !start.fits(incarnation, turn, arrival.id()))) {
            return new Accepted.Stale();
        }
        long n = arrived(db, asked, session, last + 1, starts ? turn : null);
        return starts && start != null
                ? new Accepted.Started(turn, begin(db, n, start, asked.take(), asked.at()))
                : new Accepted.Waits(last + 1);
    }

    /** Writes the session and the arrival; the row of the session. */
    private static long arrived(Database db, Asked asked, @Nullable Found session, long place,
            @Nullable Long turn) throws SQLException {
        long n;
        if (session == null) {
            n = SqliteSessions.add(db, asked.session(), asked.ifNew(), 0, turn, 0, place, asked.at());
        } else {
            n = session.n();
            SqliteSessions.arrived(db, n, place, turn == null ? session.active() : turn, asked.at());
        }
        SqliteArrivals.add(db, n, asked.arrival(), asked.content(), place, turn, asked.at());
        return n;
    }

    /** Submits the scope of a turn and writes its row; the secret that signs its keys. */
    private long begin(Database db, long session, RenderedTurn start, boolean take, String at)
            throws SQLException {
        ScopeId scope = start.scope();
        if (!SqliteScopes.add(db, scope.value(), start.input(), start.value(), start.hash(),
                take ? scopes.owner() : null, start.incarnation(), at)) {
            throw new IllegalStateException("there is a scope " + scope
                    + " already, which no turn of this session has made");
        }
        SqliteScopes.Made made = SqliteScopes.made(db, scope.value());
        SqliteTurns.begin(db, session, start.turn(), start.arrival(), made.n(), at);
        return made.secret();
    }

    boolean withdraw(Database db, String session, String id, String at) throws SQLException {
        Found found = SqliteSessions.find(db, session);
        boolean withdrawn = found != null && SqliteArrivals.withdraw(db, found.n(), id);
        if (found != null && withdrawn) {
            SqliteSessions.touch(db, found.n(), at);
        }
        return withdrawn;
    }

    Ended commit(Database db, Claim claim, Ending ending) throws SQLException {
        Found session = SqliteSessions.find(db, ending.commit().session().value());
        if (session == null
                || !claim.scope().value().startsWith(TurnScope.prefix(session.incarnation()))) {
            return new Ended.Fenced();
        }
        ScopeId scope = TurnScope.id(session.incarnation(), ending.commit().turn());
        return end(db, session, ending, () -> claim.scope().equals(scope)
                && scopes.end(db, claim, ending.result(), ending.at()));
    }

    Ended abandon(Database db, Ending ending) throws SQLException {
        Found session = SqliteSessions.find(db, ending.commit().session().value());
        if (session == null) {
            return new Ended.Fenced();
        }
        ScopeId scope = TurnScope.id(session.incarnation(), ending.commit().turn());
        return end(db, session, ending,
                () -> scopes.abandon(db, scope.value(), ending.result(), ending.at()));
    }

    private Ended end(Database db, Found session, Ending ending, ScopeEnd scopeEnd) throws SQLException {
        TurnCommit commit = ending.commit();
        Long active = session.active();
        if (active == null || active != commit.turn()) {
            return refused(db, commit);
        }
        String waits = SqliteArrivals.nextId(db, session.n(), ending.taken());
        RenderedTurn next = ending.next();
        if (waits != null
                && (next == null || !next.fits(session.incarnation(), commit.turn() + 1, waits))) {
            return new Ended.Stale();
        }
        if (!scopeEnd.run()) {
            return new Ended.Fenced();
        }
        long place = session.messages();
        for (String message : ending.messages()) {
            SqliteTurns.add(db, session.n(), new SqliteTurns.Message(place++, commit.turn(), message));
        }
        SqliteArrivals.take(db, session.n(), ending.taken(), commit.turn());
        SqliteTurns.end(db, session.n(), commit.turn(), commit.receipt(), ending.state(), session.messages(),
                ending.messages().size(), ending.at());
        Long following = waits == null ? null : commit.turn() + 1;
        SqliteSessions.committed(db, session.n(), commit.turn(), following, ending.messages().size(),
                ending.state() != null, ending.at());
        if (following == null || next == null) {
            return new Ended.Done(0, 0);
        }
        SqliteArrivals.takeOne(db, session.n(), next.arrival(), following);
        return new Ended.Done(following, begin(db, session.n(), next, ending.take(), ending.at()));
    }

    private static Ended refused(Database db, TurnCommit commit) throws SQLException {
        String session = commit.session().value();
        SqliteTurns.Raw row = SqliteTurns.find(db, session, commit.turn());
        SqliteTurns.End end = row == null ? null : row.end();
        if (row != null && end != null && end.receipt().equals(commit.receipt())) {
            return new Ended.Already(row);
        }
        SqliteSessions.Raw head = SqliteSessions.head(db, session);
        return head == null ? new Ended.Fenced() : new Ended.Diverged(head);
    }

    /**
     * A session with a past, rendered.
     *
     * @param session what is made
     * @param origin as text
     * @param state as text
     * @param turns rendered
     * @param messages rendered
     * @param at when
     */
    record Made(NewSession session, String origin, String state, List<SqliteTurns.Raw> turns,
            List<SqliteTurns.Message> messages, String at) {}

    /** What became of a session that is to be made. */
    enum Creation {
        /** It is there. */
        DONE,
        /** Its name is taken. */
        EXISTS,
        /** The session is gone of which it is to keep something. */
        ORPHANED
    }

    Creation create(Database db, Made made) throws SQLException {
        NewSession session = made.session();
        if (SqliteSessions.find(db, session.id().value()) != null) {
            return Creation.EXISTS;
        }
        Incarnation from = session.keepsOf();
        if (from != null && !SqliteSessions.exists(db, from)) {
            return Creation.ORPHANED;
        }
        long n = SqliteSessions.add(db, session.id().value(), session.incarnation(), made.turns().size(),
                null, made.messages().size(), 0, made.at());
        SqliteSessions.addPast(db, n, made.origin(), made.state());
        if (from != null) {
            SqliteAttachments.keepToo(db, TurnScope.prefix(session.incarnation()), TurnScope.prefix(from));
        }
        for (SqliteTurns.Raw turn : made.turns()) {
            SqliteTurns.add(db, n, turn);
        }
        for (SqliteTurns.Message message : made.messages()) {
            SqliteTurns.add(db, n, message);
        }
        return Creation.DONE;
    }

    boolean delete(Database db, String session) throws SQLException {
        Found found = SqliteSessions.find(db, session);
        if (found != null) {
            SqliteDeletions.delete(db, TurnScope.prefix(found.incarnation()));
            SqliteSessions.delete(db, found.n());
        }
        return found != null;
    }
}
