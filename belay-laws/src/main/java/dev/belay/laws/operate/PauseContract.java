package dev.belay.laws.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.law.PauseRules.Verb;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.testkit.Trap;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * What a store promises about pauses (V.5), as tests. To check an implementation, extend this class and supply a place for sessions,
 * as for {@link dev.belay.laws.store.SessionStoreContract}.
 */
@Timeout(120)
public abstract class PauseContract {

    private static final Actor ANN = new Actor("ann", "test");
    private static final SessionId S = new SessionId("s");
    private static final Target OF_S = Target.session("s");
    private static final Target LAWYER = Target.agent("lawyer");
    private static final Target PAY = Target.tool("pay");
    private static final WaitName WAIT = new WaitName("w");
    private static final Set<String> KINDS = Set.of(TurnScope.kind("default"), TurnScope.kind("lawyer"));
    private static final int ALL = 99;

    private final List<StoreDriver> opened = new ArrayList<>();
    private long drawn;
    private @Nullable Claim held;

    /** For subclasses. */
    protected PauseContract() {}

    /** A fresh, empty place for sessions. */
    protected abstract RecordsOpening sessions() throws Exception;

    @AfterEach
    final void close() {
        opened.forEach(StoreDriver::close);
    }

    private StoreDriver open(RecordsOpening sessions, JournalProbe probe) throws Exception {
        StoreDriver store = new StoreDriver(sessions.open(probe));
        opened.add(store);
        return store;
    }

    private StoreDriver open() throws Exception {
        return open(sessions(), JournalProbe.NONE);
    }

    private static Instant at(int second) {
        return Instant.parse("2030-01-01T00:00:00Z").plusSeconds(second);
    }

    /** Begins a turn of a new session; the right to run it, if that is wanted. */
    private Acceptance begin(StoreDriver store, SessionId session, String agent, boolean take) {
        Incarnation fresh = new Incarnation(1, ++drawn);
        store.create(new NewSession(session, fresh, Json.NULL, List.of(), List.of(), Json.NULL).of(agent),
                at(0));
        var input = new Arrival("in", Arrival.Kind.INPUT, "ab".repeat(32), Json.EMPTY_OBJECT);
        return store.accept(session, new Incarnation(2, ++drawn), input, -1, take, at(1));
    }

    private Claim taken(StoreDriver store) {
        store.serve(KINDS);
        return Objects.requireNonNull(((Acceptance.Started) begin(store, S, "default", true)).claim());
    }

    private static ScopeState state(StoreDriver store) {
        ScopeId scope = TurnScope.id(store.head(S).orElseThrow().incarnation(), 1);
        return store.state(scope).orElseThrow();
    }

    private static List<Claim> takes(StoreDriver store) {
        store.serve(KINDS);
        return store.takeReady(ALL, 5, at(9));
    }

    private static Verb pause(StoreDriver store, Target target) {
        return store.pause(target, ANN, "why", at(3));
    }

    private static Verb unpause(StoreDriver store, Target target) {
        return store.unpause(target, ANN, "over", at(4));
    }

    private static Parking hold(StoreDriver store, Claim claim, Target... by) {
        return store.hold(claim, Set.copyOf(Stream.of(by).map(Target::key).toList()),
                List.of(new OpenWait(WAIT, OpenWait.Kind.COMPLETION, null, null)), Set.of(WAIT),
                false,
                null, at(5));
    }

    @Test
    void verbsAreIdempotentAndNotedOnce() throws Exception {
        StoreDriver store = open();
        assertThat(unpause(store, PAY)).isEqualTo(Verb.ALREADY);
        assertThat(pause(store, PAY)).isEqualTo(Verb.DONE);
        assertThat(pause(store, PAY)).isEqualTo(Verb.ALREADY);
        assertThat(pause(store, Target.EVERYTHING)).isEqualTo(Verb.DONE);
        assertThat(store.pauses()).containsExactly(
                new Pause(Target.EVERYTHING, ANN, "why", at(3)), new Pause(PAY, ANN, "why", at(3)));
        assertThat(unpause(store, PAY)).isEqualTo(Verb.DONE);
        assertThat(unpause(store, PAY)).isEqualTo(Verb.ALREADY);
        assertThat(store.audit(0, ALL))
                .extracting(entry -> entry.note().verb() + " " + entry.note().target())
                .containsExactly("pause tool/pay", "pause everything/*", "unpause tool/pay");
    }

    @Test
    void sessionMustExist() throws Exception {
        StoreDriver store = open();
        assertThat(pause(store, OF_S)).isEqualTo(Verb.NOT_POSSIBLE);
        assertThat(store.pauses()).isEmpty();
        assertThat(store.audit(0, ALL)).isEmpty();
    }

    @Test
    void readyTurnOfASessionIsParkedWithThePauseAndReadyWithItsEnd() throws Exception {
        StoreDriver store = open();
        begin(store, S, "default", false);
        pause(store, OF_S);
        assertThat(state(store).status()).isEqualTo(ScopeState.Status.PARKED);
        assertThat(takes(store)).isEmpty();
        unpause(store, OF_S);
        assertThat(takes(store)).singleElement().extracting(Claim::entries).isEqualTo(1);
    }

    @Test
    void turnThatBecomesReadyMeanwhileIsParkedByTheNextLook() throws Exception {
        StoreDriver store = open();
        store.create(new NewSession(S, new Incarnation(7, 7), Json.NULL, List.of(), List.of(), Json.NULL),
                at(0));
        pause(store, OF_S);
        begin(store, S, "default", false);
        assertThat(takes(store)).isEmpty();
        assertThat(store.readyKinds()).isEmpty();
        unpause(store, OF_S);
        assertThat(takes(store)).hasSize(1);
    }

    /** A call of a session below it has started the process. */
    @Test
    void processOfAPausedSessionIsParkedByTheNextLook() throws Exception {
        StoreDriver store = open();
        store.create(new NewSession(S, new Incarnation(7, 7), Json.NULL, List.of(), List.of(), Json.NULL),
                at(0));
        store.serve(Set.of(ProcessScope.agentKind("default")));
        var process = new NewProcess(new ProcessId("p"), new Incarnation(8, 8), "ab".repeat(32), Json.of(
                "{\"work\":{\"tool\":\"pay\",\"arguments\":{}},\"by\":{\"session\":\"below\",\"above\":[{\"session\":\"s\"}]}}"));
        pause(store, OF_S);
        store.start(process, List.of(), false, at(1));
        assertThat(store.takeReady(ALL, 5, at(9))).isEmpty();
        assertThat(store.state(ProcessScope.id(process.id())).orElseThrow().status())
                .isEqualTo(ScopeState.Status.PARKED);
        unpause(store, OF_S);
        assertThat(store.takeReady(ALL, 5, at(9))).hasSize(1);
    }

    @Test
    void turnOfADeadOwnerIsParkedByTheNextLook() throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver dying = open(sessions, JournalProbe.NONE);
        taken(dying);
        StoreDriver store = open(sessions, JournalProbe.NONE);
        pause(store, OF_S);
        dying.close();
        assertThat(takes(store)).isEmpty();
        assertThat(state(store).status()).isEqualTo(ScopeState.Status.PARKED);
        unpause(store, OF_S);
        assertThat(takes(store)).singleElement().extracting(Claim::left).isEqualTo(true);
    }

    @Test
    void thatTheLastOwnerDiedIsKnownUntilANewOwnerHasRecordedSomething() throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver dying = open(sessions, JournalProbe.NONE);
        taken(dying);
        dying.close();
        StoreDriver store = open(sessions, JournalProbe.NONE);
        Claim claim = takes(store).getFirst();
        pause(store, PAY);
        hold(store, claim, PAY);
        unpause(store, PAY);
        claim = takes(store).getFirst();
        assertThat(claim.left()).as("a tool was paused").isTrue();
        store.giveBack(claim, at(5));
        claim = takes(store).getFirst();
        assertThat(claim.left()).as("the new owner closed").isTrue();
        store.giveBack(claim.recorded(), at(5));
        claim = takes(store).getFirst();
        assertThat(claim.left()).as("the new owner has recorded something").isFalse();
    }

    @Test
    void thatTheLastOwnerDiedIsKnownAfterAnOperatorStoppedTheTurnAndRetriesIt() throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver dying = open(sessions, JournalProbe.NONE);
        taken(dying);
        dying.close();
        StoreDriver store = open(sessions, JournalProbe.NONE);
        assertThat(store.stop(state(store).id(), "why", at(5))).isTrue();
        store.retry(state(store).id(), at(6));
        assertThat(takes(store)).singleElement().extracting(Claim::left).isEqualTo(true);
    }

    @Test
    void kindsOfAPausedAgentAreNotLookedFor() throws Exception {
        StoreDriver store = open();
        begin(store, S, "lawyer", false);
        begin(store, new SessionId("t"), "default", false);
        pause(store, LAWYER);
        assertThat(takes(store)).singleElement()
                .satisfies(claim -> assertThat(claim.input().kind()).isEqualTo(TurnScope.kind("default")));
        assertThat(state(store).status()).isEqualTo(ScopeState.Status.READY);
        assertThat(store.readySince()).as("paused work is not late").isEmpty();
        unpause(store, LAWYER);
        assertThat(store.readySince()).contains(at(1));
        assertThat(takes(store)).hasSize(1);
    }

    @Test
    void nothingIsTakenWhileEverythingIsPaused() throws Exception {
        StoreDriver store = open();
        begin(store, S, "default", false);
        pause(store, Target.EVERYTHING);
        assertThat(takes(store)).isEmpty();
        store.readPauses();
        assertThat(((Acceptance.Started) begin(store, new SessionId("t"), "default", true)).claim()).isNull();
        unpause(store, Target.EVERYTHING);
        assertThat(takes(store)).hasSize(2);
    }

    @Test
    void heldScopeIsParkedUncountedUntilThePauseEnds() throws Exception {
        StoreDriver store = open();
        for (int i = 0; i < 7; i++) {
            pause(store, PAY);
            Claim claim = i == 0 ? taken(store) : takes(store).getFirst();
            assertThat(hold(store, claim, PAY)).isInstanceOf(Parking.Parked.class);
            assertThat(state(store)).extracting(ScopeState::status, ScopeState::entries)
                    .containsExactly(ScopeState.Status.PARKED, 0);
            assertThat(takes(store)).isEmpty();
            unpause(store, PAY);
        }
        assertThat(takes(store)).hasSize(1);
    }

    @Test
    void scopeIsNotHeldByAPauseThatHasEnded() throws Exception {
        StoreDriver store = open();
        Claim claim = taken(store);
        pause(store, PAY);
        pause(store, Target.EVERYTHING);
        unpause(store, PAY);
        assertThat(hold(store, claim, PAY, Target.EVERYTHING)).isInstanceOf(Parking.Again.class);
        assertThat(state(store).status()).isEqualTo(ScopeState.Status.RUNNING);
    }

    @Test
    void endOfOneOfItsPausesWakesAScope() throws Exception {
        StoreDriver store = open();
        Claim claim = taken(store);
        pause(store, PAY);
        pause(store, LAWYER);
        hold(store, claim, PAY, LAWYER);
        unpause(store, LAWYER);
        assertThat(takes(store)).hasSize(1);
        unpause(store, PAY);
        assertThat(state(store).status()).as("what goes on is left alone")
                .isEqualTo(ScopeState.Status.RUNNING);
    }

    @Test
    void heldScopeWakesBySettlementsToo() throws Exception {
        StoreDriver store = open();
        Claim claim = taken(store);
        pause(store, PAY);
        hold(store, claim, PAY);
        Settlement settled = store
                .resolve(claim.scope(), claim.incarnation(), WAIT, Resolution.ok(Json.TRUE), true, at(6));
        assertThat(settled).isInstanceOfSatisfying(Settlement.Accepted.class,
                accepted -> assertThat(accepted.woken()).isNotNull());
    }

    @Test
    void otherStoresReadWhatHasChanged() throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver one = open(sessions, JournalProbe.NONE);
        StoreDriver two = open(sessions, JournalProbe.NONE);
        assertThat(two.readPauses()).isFalse();
        pause(one, PAY);
        assertThat(two.knownPauses().holds(PAY.key())).isFalse();
        assertThat(two.readPauses()).isTrue();
        assertThat(two.readPauses()).isFalse();
        assertThat(two.knownPauses().keys()).containsExactly(PAY.key());
        unpause(one, PAY);
        assertThat(two.readPauses()).isTrue();
        assertThat(two.knownPauses().keys()).isEmpty();
    }

    @Test
    void wokenTurnOfAPausedSessionIsReadyAndNotTaken() throws Exception {
        StoreDriver store = open();
        Claim claim = taken(store);
        store.park(claim, List.of(new OpenWait(WAIT, OpenWait.Kind.COMPLETION, null, null)), Set.of(WAIT),
                false,
                null, at(2));
        pause(store, OF_S);
        store.readPauses();
        Settlement settled = store
                .resolve(claim.scope(), claim.incarnation(), WAIT, Resolution.ok(Json.TRUE), true, at(6));
        assertThat(settled).isEqualTo(new Settlement.Accepted(null));
        assertThat(state(store).status()).isEqualTo(ScopeState.Status.READY);
    }

    /** One write, and what is seen of it. */
    private record Write(String name, Act setUp, Act act) {}

    @FunctionalInterface
    private interface Act {
        void on(StoreDriver store);
    }

    @TestFactory
    Stream<DynamicTest> crashLeavesAllOrNothing() {
        return Stream.of(
                new Write("pause session/s", store -> begin(store, S, "default", false),
                        store -> pause(store, OF_S)),
                new Write("pause tool/pay", store -> begin(store, S, "default", false),
                        store -> pause(store, PAY)),
                new Write("unpause session/s", store -> {
                    begin(store, S, "default", false);
                    pause(store, OF_S);
                }, store -> unpause(store, OF_S)),
                new Write("unpause tool/pay", store -> {
                    pause(store, PAY);
                    hold(store, taken(store), PAY);
                }, store -> unpause(store, PAY)), new Write("hold", store -> {
                    pause(store, PAY);
                    held = taken(store);
                }, store -> hold(store, Objects.requireNonNull(held), PAY)))
                .map(write -> DynamicTest.dynamicTest(write.name(), () -> {
                    String without = traces(write, false, null);
                    String with = traces(write, true, null);
                    assertThat(with).isNotEqualTo(without);
                    assertThat(traces(write, true, JournalProbe.Moment.BEFORE)).isEqualTo(without);
                    assertThat(traces(write, true, JournalProbe.Moment.INSIDE)).isEqualTo(without);
                    assertThat(traces(write, true, JournalProbe.Moment.AFTER)).isEqualTo(with);
                }));
    }

    private String traces(Write write, boolean act,
            JournalProbe.@Nullable Moment crash)
            throws Exception {
        RecordsOpening sessions = sessions();
        var trap = new Trap();
        StoreDriver store = open(sessions, trap);
        write.setUp().on(store);
        if (act && crash == null) {
            write.act().on(store);
        } else if (act && crash != null) {
            trap.arm(crash);
            assertThatThrownBy(() -> write.act().on(store)).isInstanceOf(SimulatedCrash.class);
        }
        store.close();
        StoreDriver next = open(sessions, JournalProbe.NONE);
        return next.pauses() + " " + next.audit(0, ALL) + " " + state(next).status()
                + " "
                + takes(next).size();
    }
}
