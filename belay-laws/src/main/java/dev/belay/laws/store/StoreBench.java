package dev.belay.laws.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrival.Kind;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.law.ProcessRules;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The fixture of the tests of {@link SessionStoreContract}: stores, and short factories for arguments. */
final class StoreBench implements AutoCloseable {

    /** The session of most tests. */
    static final SessionId S = new SessionId("s");
    /** The process of most tests. */
    static final ProcessId P = new ProcessId("p");
    /** The attachment of most tests. */
    static final KeptBytes ABC = KeptBytes.of(new byte[]{'a', 'b', 'c'}, "text/plain");
    /** A page larger than the content of any test. */
    static final int ALL = 1_000_000;
    /** No expected place. */
    static final long ANY = -1;

    private final Callable<RecordsOpening> fresh;
    private final int rounds;
    private final List<StoreDriver> opened = new ArrayList<>();
    private @Nullable RecordsOpening sessions;

    StoreBench(Callable<RecordsOpening> fresh, int rounds) {
        this.fresh = fresh;
        this.rounds = rounds;
    }

    int rounds() {
        return rounds;
    }

    /** Opens a store on the sessions of this test. */
    StoreDriver open() {
        return open(JournalProbe.NONE);
    }

    /** Opens a store on the sessions of this test. */
    StoreDriver open(JournalProbe probe) {
        RecordsOpening known = sessions;
        if (known == null) {
            known = freshSessions();
            sessions = known;
        }
        return open(known, probe);
    }

    /** Opens a store on given sessions. */
    StoreDriver open(RecordsOpening on, JournalProbe probe) {
        try {
            StoreDriver store = new StoreDriver(on.open(probe));
            opened.add(store);
            return store;
        } catch (Exception e) {
            throw new AssertionError("the fixture cannot open a store", e);
        }
    }

    RecordsOpening freshSessions() {
        try {
            return fresh.call();
        } catch (Exception e) {
            throw new AssertionError("the fixture cannot make a place for sessions", e);
        }
    }

    @Override
    public void close() {
        opened.forEach(StoreDriver::close);
        RecordsOpening known = sessions;
        if (known != null) {
            try (StoreDriver store = new StoreDriver(known.open(JournalProbe.NONE))) {
                assertThat(store.inconsistencies(9)).as("what the test has left").isEmpty();
            } catch (Exception e) {
                throw new AssertionError("the fixture cannot open a store", e);
            }
        }
    }

    static Instant at(int seconds) {
        return Instant.parse("2026-01-01T00:00:00.000001Z").plusSeconds(seconds);
    }

    static Incarnation incarnation(long n) {
        return new Incarnation(0x5eed, n);
    }

    static Arrival input(String id) {
        return arrival(id, Kind.INPUT, "content of " + id);
    }

    static Arrival command(String id) {
        return arrival(id, Kind.COMMAND, "content of " + id);
    }

    static Arrival arrival(String id, Kind kind, String content) {
        return new Arrival(id, kind, "hash of " + content, Json.string(content));
    }

    /** Accepts an arrival in the session of most tests, without claiming a turn. */
    static Acceptance accept(StoreDriver store, Arrival arrival) {
        return store.accept(S, incarnation(1), arrival, ANY, false, at(1));
    }

    /** Starts a turn of the session of most tests and claims it. */
    static Claim start(StoreDriver store, String input) {
        return start(store, S, incarnation(1), input);
    }

    static Claim start(StoreDriver store, SessionId session, Incarnation ifNew, String input) {
        Acceptance answer = store.accept(session, ifNew, input(input), ANY, true, at(1));
        assertThat(answer).isInstanceOf(Acceptance.Started.class);
        return present(((Acceptance.Started) answer).claim());
    }

    /** A commit with one message, no new state and a result that names the turn. */
    static TurnCommit turn(long turn, String... taken) {
        return turn(S, turn, taken);
    }

    static TurnCommit turn(SessionId session, long turn, String... taken) {
        return new TurnCommit(session, turn, "receipt " + turn, List.of(Json.string("message of " + turn)),
                null, result(turn), List.of(taken));
    }

    static TurnCommit receipt(TurnCommit commit, String receipt) {
        return new TurnCommit(commit.session(), commit.turn(), receipt, commit.messages(), commit.state(),
                commit.result(), commit.taken());
    }

    static TurnCommit state(TurnCommit commit, Json state) {
        return new TurnCommit(commit.session(), commit.turn(), commit.receipt(), commit.messages(), state,
                commit.result(), commit.taken());
    }

    static TurnCommit messages(TurnCommit commit, Json... messages) {
        return new TurnCommit(commit.session(), commit.turn(), commit.receipt(), List.of(messages),
                commit.state(), commit.result(), commit.taken());
    }

    static Json result(long turn) {
        return Json.string("result of " + turn);
    }

    /** Commits a turn that no waiting arrival follows. */
    static void finish(StoreDriver store, Claim claim, TurnCommit commit) {
        assertThat(store.commit(claim, commit, false, at(2))).isEqualTo(new Committed.Done(0, null));
    }

    /** Starts and commits a turn of the session of most tests. */
    static void run(StoreDriver store, long turn) {
        String input = "in" + turn;
        finish(store, start(store, input), turn(turn, input));
    }

    static SessionHead head(StoreDriver store) {
        return store.head(S).orElseThrow();
    }

    /** The scope of a turn of the session of most tests. */
    static ScopeId scope(StoreDriver store, long turn) {
        return TurnScope.id(head(store).incarnation(), turn);
    }

    static ScopeState.@Nullable Status status(StoreDriver store, ScopeId scope) {
        return store.state(scope).map(ScopeState::status).orElse(null);
    }

    /** The claim of the next turn that a commit has started. */
    static Claim next(Committed committed) {
        assertThat(committed).isInstanceOf(Committed.Done.class);
        return present(((Committed.Done) committed).next());
    }

    static NewProcess process(String id, String content) {
        return new NewProcess(new ProcessId(id), new Incarnation(0xca11, id.hashCode()),
                "hash of " + content, Json.string(content));
    }

    static NewProcess.Grant grant(SessionId session, long ifNew) {
        return new NewProcess.Grant(session, incarnation(ifNew));
    }

    /** Starts a process and claims it. */
    static Claim startProcess(StoreDriver store, String id, NewProcess.Grant... grants) {
        ProcessRules.Starting answer = store
                .start(process(id, "what " + id + " does"), List.of(grants), true, at(1));
        assertThat(answer).isInstanceOf(ProcessRules.Starting.Started.class);
        return present(((ProcessRules.Starting.Started) answer).claim());
    }

    static ProcessEvent.Draft event(String key) {
        return new ProcessEvent.Draft(key, "type", Json.string("payload of " + key));
    }

    static Arrival notice(String process) {
        return arrival("end of " + process, Kind.NOTICE, process + " has ended");
    }

    static ProcessEnding ending(String process, int watchers) {
        return new ProcessEnding(new ProcessId(process), Json.string("result of " + process),
                notice(process), watchers);
    }

    /** Lets a turn or process keep the bytes of {@code abc}, as the runtime does. */
    static void keep(StoreDriver store, Claim claim) {
        assertThat(store.keep(claim, TurnScope.keeper(claim.scope()), ABC, at(2))).isTrue();
    }

    /** Whether a session keeps the bytes of {@code abc}. */
    static boolean keeps(StoreDriver store, Incarnation session) {
        return keeps(store, TurnScope.prefix(session));
    }

    static boolean keeps(StoreDriver store, String keeper) {
        return store.kept(keeper, ABC.reference()).isPresent();
    }

    static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new AssertionError("expected a value, found none");
        }
        return value;
    }
}
