package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.law.RuleBench.NOW;
import static dev.belay.runtime.store.rows.ProcessRows.PROCESSES;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.CALLS;
import static dev.belay.runtime.store.rows.SessionRows.MESSAGES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.SessionRows.TURNS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ProcessRules.Ended;
import dev.belay.runtime.store.law.ProcessRules.Signalling;
import dev.belay.runtime.store.law.ProcessRules.Starting;
import dev.belay.runtime.store.law.ProcessRules.Telling;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What writes decide about sessions and processes, row by row, each in at most two waves. */
class SessionRulesTest {

    private static final SessionId A = new SessionId("a");
    private static final Incarnation OF_A = new Incarnation(3, 3);
    private static final ProcessId P = new ProcessId("p");

    private final RuleBench bench = new RuleBench();
    private final SessionRules rules = new SessionRules(RuleBench.rules());
    private final ProcessRules processes = new ProcessRules(RuleBench.rules());

    private static Arrival input(String id) {
        return new Arrival(id, Arrival.Kind.INPUT, "hash of " + id, Json.string(id));
    }

    private Acceptance accept(Arrival arrival, long expected) {
        return bench.apply(rules.accept(A, OF_A, arrival, expected, true, NOW));
    }

    private Claim started(String id) {
        return Objects.requireNonNull(((Acceptance.Started) accept(input(id), -1)).claim());
    }

    private static TurnCommit turn(long number, String... taken) {
        return new TurnCommit(A, number, "receipt " + number, List.of(Json.TRUE), null, Json.string("done"),
                List.of(taken), List.of(Json.string("call")));
    }

    private Committed commit(Claim claim, TurnCommit commit) {
        Committed answer = bench.apply(TurnEndRules.of(rules, commit, true, NOW).commit(claim));
        assertThat(bench.waves()).isLessThanOrEqualTo(2);
        return answer;
    }

    @Test
    void firstInputMakesTheSessionAndStartsATurn() {
        Claim claim = started("one");
        assertThat(claim.scope()).isEqualTo(TurnScope.id(OF_A, 1));
        assertThat(bench.one(SESSIONS, "a", null).active()).isEqualTo(1);
        assertThat(bench.one(ARRIVALS, "a", "one").turn()).isEqualTo(1);
        assertThat(bench.one(SCOPES, claim.scope().value(), null).status()).isEqualTo(Status.RUNNING);
    }

    @Test
    void knownArrivalIsToldSoAndAnotherContentIsAConflict() {
        started("one");
        assertThat(accept(input("one"), 99)).isInstanceOf(Acceptance.Known.class);
        assertThat(accept(new Arrival("one", Arrival.Kind.INPUT, "other", Json.NULL), -1))
                .isInstanceOf(Acceptance.Conflict.class);
        assertThat(accept(input("two"), 0)).isEqualTo(new Acceptance.Overtaken());
        assertThat(accept(input("two"), 1)).isEqualTo(new Acceptance.Waits(2));
    }

    @Test
    void incarnationOfAnotherSessionIsRefused() {
        started("one");
        assertThatThrownBy(() -> bench.apply(
                rules.accept(new SessionId("b"), OF_A, input("x"), -1, false, NOW)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belongs to another session");
    }

    @Test
    void commitMovesTheHeadAndStartsTheNextInput() {
        Claim claim = started("one");
        accept(new Arrival("order", Arrival.Kind.COMMAND, "h", Json.NULL), -1);
        accept(input("two"), -1);
        accept(input("three"), -1);

        Committed answer = commit(claim, turn(1, "one", "two"));

        assertThat(answer).isInstanceOfSatisfying(Committed.Done.class, done -> {
            assertThat(done.started()).isEqualTo(2);
            assertThat(Objects.requireNonNull(done.next()).scope()).isEqualTo(TurnScope.id(OF_A, 2));
        });
        var head = bench.one(SESSIONS, "a", null);
        assertThat(head.revision()).isOne();
        assertThat(head.messages()).isOne();
        assertThat(head.waiting()).as("the command").isOne();
        assertThat(bench.one(ARRIVALS, "a", "two").turn()).isEqualTo(1);
        assertThat(bench.one(ARRIVALS, "a", "three").turn()).isEqualTo(2);
        assertThat(bench.one(MESSAGES, "a", 0L).value()).isEqualTo(Json.TRUE);
        assertThat(bench.one(CALLS, "a", 0L).value()).isEqualTo(Json.string("call"));
        assertThat(bench.one(SCOPES, claim.scope().value(), null).status()).isEqualTo(Status.ENDED);
    }

    @Test
    void whatWaitsIsLookedForOnlyIfTheHeadCountsIt() {
        Claim claim = started("one");
        assertThat(bench.apply(SessionReads.waiting(A))).isEmpty();
        assertThat(bench.looksInto(Index.WAITING)).isFalse();
        accept(input("two"), -1);
        assertThat(bench.apply(SessionReads.waiting(A))).hasSize(1);
        assertThat(bench.looksInto(Index.WAITING)).isTrue();

        Claim next = ((Committed.Done) commit(claim, turn(1))).next();
        assertThat(bench.looksInto(Index.INPUTS)).isTrue();
        commit(Objects.requireNonNull(next), turn(2));
        assertThat(bench.looksInto(Index.INPUTS)).isFalse();
    }

    @Test
    void commitIsRefusedInItsOrder() {
        assertThat(commit(new Claim(TurnScope.id(OF_A, 1), RuleBench.INPUT, 1, RuleBench.DRAWN, 7, 1, null),
                turn(1)))
                .as("no session")
                .isEqualTo(new Committed.Fenced());
        Claim claim = started("one");
        var old = new Claim(claim.scope(), claim.input(), 0, claim.incarnation(), 7, 1, null);
        assertThat(commit(old, turn(2))).as("another turn").isInstanceOf(Committed.Diverged.class);
        assertThat(commit(old, turn(1))).as("an old fence").isEqualTo(new Committed.Fenced());
        assertThat(commit(claim, turn(1, "one"))).isEqualTo(new Committed.Done(0, null));
        assertThat(commit(old, turn(1, "one"))).as("the same receipt").isInstanceOf(Committed.Already.class);
        TurnCommit other = new TurnCommit(A, 1, "other", List.of(), null, Json.NULL, List.of());
        assertThat(commit(claim, other)).as("another receipt").isInstanceOf(Committed.Diverged.class);
    }

    @Test
    void onlyAStuckTurnIsAbandoned() {
        Claim claim = started("one");
        var abandon = TurnEndRules.of(rules, turn(1, "one"), false, NOW).abandon();
        assertThat(bench.refused(abandon)).isEqualTo(new Committed.Fenced());
        bench.apply(RuleBench.rules().stick(claim, "because", NOW));
        assertThat(bench.apply(abandon)).isEqualTo(new Committed.Done(0, null));
        assertThat(bench.waves()).isEqualTo(2);
    }

    @Test
    void waitingArrivalIsWithdrawnAndATakenOneIsNot() {
        started("one");
        accept(input("two"), -1);
        assertThat(bench.apply(rules.withdraw(A, "two", NOW))).isTrue();
        assertThat(bench.has(ARRIVALS, "a", "two")).isFalse();
        assertThat(bench.one(SESSIONS, "a", null).waiting()).isZero();
        assertThat(bench.refused(rules.withdraw(A, "one", NOW))).isFalse();
    }

    @Test
    void deletedSessionTakesEverythingWithIt() {
        Claim claim = started("one");
        commit(claim, turn(1, "one"));
        started("two");
        assertThat(bench.apply(rules.delete(A, false))).isTrue();
        for (long turn = 1; turn <= 2; turn++) {
            assertThat(bench.has(SCOPES, TurnScope.id(OF_A, turn).value(), null)).isFalse();
            assertThat(bench.has(TURNS, "a", turn)).isFalse();
        }
        assertThat(bench.has(SESSIONS, "a", null)).isFalse();
        assertThat(bench.refused(rules.delete(A, false))).isFalse();
    }

    private Claim startedProcess(NewProcess.Grant... grants) {
        var answer = bench
                .apply(processes.start(new NewProcess(P, OF_A, "hash", Json.NULL), List.of(grants), true,
                        NOW));
        return Objects.requireNonNull(((Starting.Started) answer).claim());
    }

    private static NewSignal go(@Nullable String once) {
        return new NewSignal("signal/", "/go", once == null ? null : new WaitName(once), Json.TRUE);
    }

    private Optional<Signalling> signal(NewSignal signal) {
        return bench.apply(processes.signal(P, signal, true, NOW));
    }

    @Test
    void processIsStartedOnceWithItsContent() {
        startedProcess();
        var again = new NewProcess(P, OF_A, "hash", Json.NULL);
        assertThat(bench.refused(processes.start(again, List.of(), true, NOW)))
                .isEqualTo(new Starting.Known());
        var other = new NewProcess(P, OF_A, "other", Json.NULL);
        assertThat(bench.refused(processes.start(other, List.of(), true, NOW)))
                .isInstanceOf(Starting.Conflict.class);
    }

    @Test
    void signalsAreCountedAndPassOverWaitsThatWereSettledOtherwise() {
        Claim claim = startedProcess();
        String scope = claim.scope().value();
        for (int number = 1; number <= 6; number++) {
            bench.put(WAITS, new Wait(scope, "signal/" + number + "/go",
                    dev.belay.runtime.effect.OpenWait.Kind.EVENT, true, null, null, Json.NULL, NOW));
        }
        assertThat(signal(go(null))).as("four were looked at, and all were settled").isEmpty();
        assertThat(signal(go(null)))
                .contains(new Signalling.Kept(new WaitName("signal/7/go"), null));
        assertThat(bench.waves()).isEqualTo(2);
        assertThat(signal(go("key"))).contains(new Signalling.Kept(new WaitName("signal/8/go"), null));
        assertThat(signal(go("key"))).contains(new Signalling.Known());
    }

    @Test
    void eventsAreToldOnceInTheirOrder() {
        Claim claim = startedProcess();
        var one = new ProcessEvent.Draft("k", "t", Json.TRUE);
        assertThat(bench.apply(processes.tell(claim, P, one, NOW))).isEqualTo(Telling.ADDED);
        assertThat(bench.refused(processes.tell(P, one, NOW))).isEqualTo(Telling.KNOWN);
        assertThat(bench.refused(processes.tell(P, new ProcessEvent.Draft("k", "t", Json.FALSE), NOW)))
                .isEqualTo(Telling.CONFLICT);
        var old = new Claim(claim.scope(), claim.input(), 0, claim.incarnation(), 7, 1, null);
        assertThat(bench.refused(processes.tell(old, P, one, NOW))).isEqualTo(Telling.FENCED);
        assertThat(bench.refused(processes.tell(new ProcessId("x"), one, NOW))).isEqualTo(Telling.UNKNOWN);
    }

    @Test
    void endOfAProcessTellsItsSessionsOnceAndEveryWatcherFirst() {
        Claim claim = startedProcess(new NewProcess.Grant(A, OF_A));
        assertThat(bench.apply(processes.watch(P, "token"))).isTrue();
        var ending = new ProcessEnding(P, Json.TRUE, Arrival.notice("end", Json.EMPTY_OBJECT), 0);
        assertThat(bench.refused(processes.end(claim, ending, NOW))).isEqualTo(Ended.WATCHED);
        var told = new ProcessEnding(P, Json.TRUE, Arrival.notice("end", Json.EMPTY_OBJECT), 1);
        assertThat(bench.apply(processes.end(claim, told, NOW))).isEqualTo(Ended.DONE);
        assertThat(bench.waves()).isEqualTo(2);
        assertThat(bench.one(ARRIVALS, "a", "end").turn()).isNull();
        assertThat(bench.one(PROCESSES, "p", null).endedAt()).isEqualTo(NOW);
        assertThat(bench.refused(processes.end(claim, told, NOW))).isEqualTo(Ended.FENCED);
        assertThat(signal(go(null))).contains(new Signalling.Ended());
        assertThat(bench.refused(processes.watch(P, "late"))).isFalse();
    }
}
