package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.ProcessStore;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sessions over rows. Thread-safe. */
public final class LawfulSessions implements SessionStore {

    private final LawfulJournal journal;
    private final LawfulProcesses processes;
    private final LawfulOperators operators;
    private final SessionRules rules;

    /** Sessions beside a journal, on the same rows. */
    public LawfulSessions(LawfulJournal journal) {
        this.journal = journal;
        processes = new LawfulProcesses(journal);
        operators = new LawfulOperators(journal);
        rules = new SessionRules(journal.rules());
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
    public OperatorStore operators() {
        return operators;
    }

    @Override
    public Acceptance accept(SessionId session, Incarnation ifNew, Arrival arrival, long expectedPlace,
            boolean take, Instant at) {
        return journal.apply(rules.accept(session, ifNew, arrival, expectedPlace, take,
                journal.drawIncarnation(), at));
    }

    @Override
    public List<Arrived> waiting(SessionId session) {
        return journal.read(SessionReads.waiting(session));
    }

    @Override
    public Optional<Arrived> arrival(SessionId session, String id) {
        return journal.read(SessionReads.arrival(session.value(), id));
    }

    @Override
    public Optional<SessionProfile> profile(SessionId session, UnaryOperator<SessionProfile> change) {
        return journal.apply(SessionRules.profile(session, change));
    }

    @Override
    public boolean withdraw(SessionId session, String id, Instant at) {
        return journal.apply(rules.withdraw(session, id, at));
    }

    @Override
    public Committed commit(Claim claim, TurnCommit commit, boolean take, Instant at) {
        return journal.apply(
                TurnEndRules.of(rules, commit, take, journal::drawIncarnation, at).commit(claim));
    }

    @Override
    public Committed abandon(TurnCommit commit, boolean take, Instant at) {
        return journal.apply(
                TurnEndRules.of(rules, commit, take, journal::drawIncarnation, at).abandon());
    }

    @Override
    public Optional<SessionHead> head(SessionId session) {
        return journal.read(SessionReads.head(session));
    }

    @Override
    public List<SessionHead> sessions(@Nullable SessionId after, int most) {
        return journal.read(SessionReads.heads(
                new Selector.All<>(SESSIONS, after == null ? "" : after.value(), Math.max(0, most))));
    }

    @Override
    public List<ScopeState> openTurns(@Nullable SessionId after, int most) {
        Selector<Session> open = Selector.found(Index.OPEN_LOOPS, after == null ? null : after.value(), null,
                Math.max(0, most));
        return journal.read(new Operation<>(null, 0, rows -> rows.add(open),
                (unit, rows) -> unit.list(open).forEach(head -> {
                    ScopeRules.selectWhole(rows, active(head));
                    StoredResults.select(rows, active(head));
                }), unit -> unit.list(open).stream().flatMap(head -> {
                    Scope scope = unit.get(SCOPES, active(head));
                    return scope == null
                            ? java.util.stream.Stream.empty()
                            : java.util.stream.Stream.of(ScopeReads.state(unit, scope));
                }).toList()));
    }

    private static String active(Session head) {
        return TurnScope.id(head.incarnation(), head.revision() + 1).value();
    }

    @Override
    public List<StoredMessage> messages(SessionId session, long from, int most) {
        return journal.read(SessionReads.messages(session, from, most));
    }

    @Override
    public Optional<TurnRow> turn(SessionId session, long turn) {
        return turn < 1 ? Optional.empty() : turns(session, turn, 1).stream().findFirst();
    }

    @Override
    public List<TurnRow> turns(SessionId session, long from, int most) {
        return journal.read(SessionReads.turns(session, from, most));
    }

    @Override
    public List<Json> calls(SessionId session, long turn) {
        Turn row = journal
                .read(Operation.reading(rows -> rows.add(Selector.one(TURNS, session.value(), turn)),
                        unit -> unit.get(TURNS, session.value(), turn)));
        End end = row == null ? null : row.end();
        return end == null || end.calls() == 0
                ? List.of()
                : journal.read(SessionReads.calls(session, end.firstCall(), end.calls()));
    }

    @Override
    public boolean create(NewSession session, Instant at) {
        return journal.apply(rules.create(session, at));
    }

    @Override
    public boolean delete(SessionId session, boolean evenInDoubt, Instant at) {
        return journal.apply(rules.delete(session, evenInDoubt));
    }

    @Override
    public void close() {
        journal.close();
    }
}
