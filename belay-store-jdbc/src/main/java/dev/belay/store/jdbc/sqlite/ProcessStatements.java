package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.ProcessStore.Ended;
import dev.belay.runtime.store.ProcessStore.Telling;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.store.jdbc.sqlite.SqliteProcesses.Found;
import dev.belay.tool.context.Incarnation;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each write of processes does, inside a transaction that nobody else is in. A write that is refused has changed nothing.
 * Run by the writing thread; may be run again if a shared commit fails.
 *
 * @param scopes what writes do to scopes
 */
record ProcessStatements(ScopeWrites scopes) {

    /**
     * A process that is to begin, rendered.
     *
     * @param process which
     * @param grants sessions that may handle it
     * @param input what its scope starts from
     * @param value that as text
     * @param hash of that
     * @param incarnation drawn for the scope
     * @param take whether to own the scope
     * @param at when
     */
    record Begun(NewProcess process, List<NewProcess.Grant> grants, ScopeInput input, String value,
            String hash, Incarnation incarnation, boolean take, String at) {}

    /** How a start found its process. */
    sealed interface Started {

        /** It is new; its scope is signed by a secret. */
        record New(long secret) implements Started {}

        /** It was there. */
        record Known() implements Started {}

        /** It was there with another content. */
        record Conflict(SqliteProcesses.Raw row) implements Started {}
    }

    Started start(Database db, Begun begun) throws SQLException {
        String id = begun.process().id().value();
        Found found = SqliteProcesses.find(db, id);
        if (found != null && !found.hash().equals(begun.process().hash())) {
            SqliteProcesses.Raw row = SqliteProcesses.row(db, id);
            if (row == null) {
                throw new IllegalStateException("the process " + id + " has no scope");
            }
            return new Started.Conflict(row);
        }
        if (found != null) {
            grant(db, found.n(), begun.grants(), begun.at());
            return new Started.Known();
        }
        ScopeId scope = ProcessScope.id(begun.process().id());
        if (!SqliteScopes.add(db, scope.value(), begun.input(), begun.value(), begun.hash(),
                begun.take() ? scopes.owner() : null, begun.incarnation(), begun.at())) {
            throw new IllegalStateException("there is a scope " + scope
                    + " already, which no process has made");
        }
        SqliteScopes.Made made = SqliteScopes.made(db, scope.value());
        long n = SqliteProcesses.add(db, id, made.n(), begun.process().hash(), begun.at());
        grant(db, n, begun.grants(), begun.at());
        return new Started.New(made.secret());
    }

    boolean grant(Database db, String process, NewProcess.Grant grant, String at) throws SQLException {
        Found found = SqliteProcesses.find(db, process);
        if (found != null) {
            grant(db, found.n(), List.of(grant), at);
        }
        return found != null;
    }

    private static void grant(Database db, long process, List<NewProcess.Grant> grants, String at)
            throws SQLException {
        for (NewProcess.Grant grant : grants) {
            String id = grant.session().value();
            SqliteSessions.Found session = SqliteSessions.find(db, id);
            long n = session != null
                    ? session.n()
                    : SqliteSessions.add(db, id, grant.ifNew(), 0, null, 0, 0, at);
            SqliteProcesses.grant(db, n, process);
        }
    }

    /** Adds an event by the right to run a scope. */
    Telling tell(Database db, Claim claim, String process, ProcessEvent.Draft event, String payload,
            String at) throws SQLException {
        Found found = SqliteProcesses.find(db, process);
        SqliteScopes.Head head = held(db, claim, found);
        if (found == null || head == null) {
            return Telling.FENCED;
        }
        Telling told = tell(db, found, event, payload, at);
        if (told == Telling.ADDED) {
            SqliteScopes.entries(db, head, 0);
        }
        return told;
    }

    private SqliteScopes.@Nullable Head held(Database db, Claim claim, @Nullable Found process)
            throws SQLException {
        SqliteScopes.Head head = SqliteScopes.held(db, scopes.owner(), claim);
        return process != null && head != null && head.n() == process.scope() ? head : null;
    }

    /** Adds an event from outside. */
    Telling tell(Database db, String process, ProcessEvent.Draft event, String payload, String at)
            throws SQLException {
        Found found = SqliteProcesses.find(db, process);
        if (found == null) {
            return Telling.UNKNOWN;
        }
        return found.ended() && SqliteProcesses.event(db, found.n(), event.key()) == null
                ? Telling.ENDED
                : tell(db, found, event, payload, at);
    }

    private static Telling tell(Database db, Found process, ProcessEvent.Draft event, String payload,
            String at) throws SQLException {
        SqliteProcesses.Event known = SqliteProcesses.event(db, process.n(), event.key());
        if (known != null) {
            return event.isSameAs(known.event()) ? Telling.KNOWN : Telling.CONFLICT;
        }
        SqliteProcesses.tell(db, process.n(), event.key(), event.type(), payload, at);
        return Telling.ADDED;
    }

    /**
     * How a signal found its process.
     *
     * @param number of the wait that it has settled; 0 if it was sent before, -1 if the process takes none
     * @param woken the scope, if it was taken
     */
    record Signalled(int number, SqliteScopes.@Nullable Raw woken) {}

    Signalled signal(Database db, String process, NewSignal signal, String sent, boolean take, String at)
            throws SQLException {
        Found found = SqliteProcesses.find(db, process);
        SqliteScopes.Head head = found == null ? null : SqliteScopes.head(db, found.scope());
        if (found == null || head == null || found.ended()) {
            return new Signalled(-1, null);
        }
        WaitName once = signal.once();
        if (once != null && SqliteWaits.isSettled(db, head.n(), once.value())) {
            return new Signalled(0, null);
        }
        int number = NewSignal.next(
                some -> SqliteWaits.isSettled(db, head.n(), signal.wait(some).value()));
        if (once != null) {
            SqliteWaits.settleEarly(db, head.n(), once.value(),
                    OutcomeJson.of(NewSignal.got(number)).text(), at);
        }
        return new Signalled(number, scopes.settle(db, head, signal.wait(number).value(), sent, take, at));
    }

    boolean watch(Database db, String process, String token) throws SQLException {
        Found found = SqliteProcesses.find(db, process);
        boolean open = found != null && !found.ended();
        if (found != null && open) {
            SqliteProcesses.watch(db, found.n(), token);
        }
        return open;
    }

    /**
     * A process that ends, rendered.
     *
     * @param ending what it leaves
     * @param result as it stands in the scope
     * @param notice as text
     * @param at when
     */
    record Left(ProcessEnding ending, Stored result, String notice, String at) {}

    Ended end(Database db, Claim claim, Left left) throws SQLException {
        Found found = SqliteProcesses.find(db, left.ending().process().value());
        if (found == null || held(db, claim, found) == null) {
            return Ended.FENCED;
        }
        if (isWatched(db, found, left)) {
            return Ended.WATCHED;
        }
        scopes.end(db, claim, left.result(), left.at());
        ended(db, found, left);
        return Ended.DONE;
    }

    Ended abandon(Database db, Left left) throws SQLException {
        Found found = SqliteProcesses.find(db, left.ending().process().value());
        SqliteScopes.Head head = found == null ? null : SqliteScopes.head(db, found.scope());
        if (found == null || head == null || head.status() != Status.STUCK) {
            return Ended.FENCED;
        }
        if (isWatched(db, found, left)) {
            return Ended.WATCHED;
        }
        scopes.abandon(db, ProcessScope.id(left.ending().process()).value(), left.result(), left.at());
        ended(db, found, left);
        return Ended.DONE;
    }

    private static boolean isWatched(Database db, Found process, Left left) throws SQLException {
        return SqliteProcesses.countWatchers(db, process.n()) != left.ending().watchers();
    }

    /** Notes the end and tells the sessions. */
    private static void ended(Database db, Found process, Left left) throws SQLException {
        SqliteProcesses.end(db, process.n(), left.at());
        for (SqliteProcesses.Granted session : SqliteProcesses.sessions(db, process.n())) {
            if (SqliteArrivals.find(db, session.n(), left.ending().notice().id()) == null) {
                long place = session.lastPlace() + 1;
                SqliteSessions.arrived(db, session.n(), place, session.active(), left.at());
                SqliteArrivals.add(db, session.n(), left.ending().notice(), left.notice(), place, null,
                        left.at());
            }
        }
    }
}
