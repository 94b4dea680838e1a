package dev.belay.laws.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.law.DoubtRules.DoubtSettling;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a store promises about calls that may have happened (G.3, V.3), as tests. To check an implementation, extend this class and
 * supply a place for sessions, as for {@link dev.belay.laws.store.SessionStoreContract}.
 */
@Timeout(120)
public abstract class DoubtContract {

    private static final Actor PERSON = new Actor("person", "test");
    private static final SessionId S = new SessionId("s");
    private static final String CALL = "round/1/call/0/attempt/1";
    private static final WaitName KEY = new WaitName("round/1/call/0/completion");
    private static final WaitName HOLDS = new WaitName("round/1/call/0/doubt/1");
    private static final Json PAID = Json.of("{\"ok\":\"paid\"}");

    private final List<StoreDriver> opened = new ArrayList<>();

    /** For subclasses. */
    protected DoubtContract() {}

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

    private static Instant at(int second) {
        return Instant.parse("2030-01-01T00:00:00Z").plusSeconds(second);
    }

    /** A turn that runs. */
    private static Claim begun(StoreDriver store) {
        store.serve(Set.of(TurnScope.kind("default")));
        var input = new Arrival("in", Arrival.Kind.INPUT, "ab".repeat(32), Json.EMPTY_OBJECT);
        var started = (Acceptance.Started) store.accept(S, new Incarnation(1, 2), input, -1, true, at(0));
        return Objects.requireNonNull(started.claim());
    }

    private static EffectRow row(String key, Status status, @Nullable String resource) {
        return new EffectRow(key, 0, "attempt", "ab".repeat(32), Json.EMPTY_OBJECT, status, Json.EMPTY_OBJECT,
                status == Status.STARTED ? null : Json.of("{\"v\":1}"), null, ToolEffect.ONCE, resource, 1);
    }

    private static Written start(StoreDriver store, Claim claim, String key, String guard,
            @Nullable String resource) {
        return store.write(claim,
                new EffectWrite(row(key, Status.STARTED, resource), resource, null, List.of(), null,
                        guard, List.of(), List.of(), at(1)));
    }

    private static OpenDoubt about(@Nullable WaitName holds) {
        return about(holds, true, null);
    }

    private static OpenDoubt about(@Nullable WaitName holds, boolean over, @Nullable String owner) {
        return new OpenDoubt(new OpenDoubt.Call("s", 1, "c1", new ToolId("tool:pay"), "pay", null,
                Json.of("{\"to\":\"x\"}"), "print", Json.of("{\"type\":\"string\"}"), "key"), "guard",
                "account", KEY, holds, over, owner,
                "in_doubt", "its process died");
    }

    /** Writes that the call may have happened. */
    private static String doubted(StoreDriver store, Claim claim, @Nullable WaitName holds) {
        start(store, claim, CALL, "guard", "account");
        List<OpenWait> opens = holds == null
                ? List.of()
                : List.of(new OpenWait(holds, OpenWait.Kind.COMPLETION, null, null));
        store.write(claim,
                new EffectWrite(row(CALL, Status.IN_DOUBT, "account"), null, "account", opens, KEY,
                        null,
                        List.of(new OpenDoubt.Of(CALL, about(holds))), List.of(), at(2)));
        return Doubt.id(claim.scope().value(), CALL);
    }

    private static DoubtSettling settle(StoreDriver store, String id, Reconciliation<ToolOutcome> truth) {
        return store
                .settle(id, truth, new AuditEntry.Note(PERSON, "settle", id, Json.EMPTY_OBJECT), true, at(3));
    }

    private static Reconciliation<ToolOutcome> happened() {
        return Reconciliation.happened(new ToolOutcome.Success(Json.string("paid")));
    }

    private static List<String> told(StoreDriver store) {
        return store.waiting(S).stream().map(Arrived::arrival).map(Arrival::id).toList();
    }

    @Test
    final void doubtIsListedWithItsRecordAndGuardsTheSameCallAndItsResource() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        String id = doubted(store, claim, null);
        assertThat(store.doubts(0, 9)).singleElement().satisfies(doubt -> {
            assertThat(doubt.id()).isEqualTo(id);
            assertThat(doubt.about()).isEqualTo(about(null));
            assertThat(store.doubts(doubt.place(), 9)).isEmpty();
        });
        assertThat(start(store, claim, "again", "guard", null)).isEqualTo(Written.doubted(id));
        assertThat(start(store, claim, "other", "another", "account"))
                .isEqualTo(Written.doubted(id));
        assertThat(start(store, claim, "free", "another", null).refusal()).isNull();
        assertThat(store.isInDoubt(S)).isTrue();
        assertThatThrownBy(() -> store.delete(S, false, at(4))).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("session_in_doubt"));
        assertThat(store.delete(S, true, at(4))).isTrue();
        assertThat(store.doubts(0, 9)).as("stays when its session is deleted").hasSize(1);
    }

    /** The doubt that another store writes names the owner of the first body. */
    @Test
    final void bodyIsOverOnceItsOwnerIsDead() throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver paying = open(sessions, JournalProbe.NONE);
        StoreDriver store = open(sessions, JournalProbe.NONE);
        String owner = paying.owner();
        Claim claim = begun(store);
        start(store, claim, CALL, "guard", "account");
        store.write(claim, new EffectWrite(row(CALL, Status.IN_DOUBT, "account"), null, "account",
                List.of(), KEY, null,
                List.of(new OpenDoubt.Of(CALL, about(null, false, owner))), List.of(), at(2)));
        assertThat(store.isAlive(owner)).isTrue();
        assertThat(store.doubts(0, 9)).singleElement()
                .satisfies(doubt -> assertThat(doubt.about()).isEqualTo(about(null, false, owner)));
        paying.close();
        assertThat(store.isAlive(owner)).isFalse();
        assertThat(store.doubts(0, 9)).singleElement()
                .satisfies(doubt -> assertThat(doubt.about().isOver()).isTrue());
        assertThat(store.doubt(Doubt.id(claim.scope().value(), CALL))
                .orElseThrow()
                .about()
                .isOver()).isTrue();
    }

    @Test
    final void resourceOfADeadProcessIsBusyUntilItsCallIsTakenOver() throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver dying = open(sessions, JournalProbe.NONE);
        start(dying, begun(dying), CALL, "guard", "account");
        dying.close();
        StoreDriver store = open(sessions, JournalProbe.NONE);
        store.serve(Set.of("batch"));
        Claim other = Objects.requireNonNull(((Submission.Created) store
                .submit(new ScopeId("other"), new ScopeInput("batch", Json.NULL), true, at(1))).claim());
        assertThat(start(store, other, "a", "another", "account").refusal()).isEqualTo(Refusal.BUSY);
        store.serve(Set.of(TurnScope.kind("default")));
        Claim left = store.takeReady(9, 5, at(2)).getFirst();
        String id = doubted(store, left, null);
        assertThat(start(store, other, "a", "another", "account"))
                .isEqualTo(Written.doubted(id));
        settle(store, id, happened());
        assertThat(start(store, other, "a", "another", "account").refusal()).isNull();
    }

    @Test
    final void firstSettlementCountsLiftsTheGuardAndTellsTheSessionOnce() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        String id = doubted(store, claim, null);
        assertThat(settle(store, id, happened())).isInstanceOf(DoubtSettling.Settled.class);
        assertThat(settle(store, id, Reconciliation.didNotHappen("no")))
                .isEqualTo(new DoubtSettling.Already(new Doubt.Settlement(happened(), PERSON, at(3))));
        assertThat(settle(store, "none", happened())).isEqualTo(new DoubtSettling.Unknown());
        assertThat(start(store, claim, "again", "guard", "account").refusal()).isNull();
        assertThat(told(store)).containsExactly("late/1/" + CALL);
        assertThat(store.audit(0, 9)).hasSize(1);
    }

    @Test
    final void lateAnswerSettlesAlsoIfItCameBeforeTheDoubt() throws Exception {
        for (boolean early : List.of(false, true)) {
            StoreDriver store = open(sessions(), JournalProbe.NONE);
            Claim claim = begun(store);
            if (early) {
                store.late(claim.scope(), CALL, PAID, at(1));
            }
            String id = doubted(store, claim, null);
            if (!early) {
                store.late(claim.scope(), CALL, PAID, at(3));
            }
            assertThat(store.doubts(0, 9)).isEmpty();
            Doubt.Settlement settled = Objects.requireNonNull(store.doubt(id).orElseThrow().settlement());
            assertThat(settled.truth()).isEqualTo(happened());
            assertThat(told(store)).containsExactly("late/1/" + CALL);
            assertThat(store.audit(0, 9)).hasSize(1);
        }
    }

    @Test
    final void answerAfterItWasSaidThatItDidNotHappenIsInTheLog() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        String id = doubted(store, claim, null);
        settle(store, id, Reconciliation.didNotHappen("no trace"));
        store.late(claim.scope(), CALL, PAID, at(4));
        assertThat(store.audit(0, 9)).extracting(entry -> entry.note().verb())
                .containsExactly("settle", "contradict");
    }

    @Test
    final void keyOfTheCallSettlesHoweverItsWaitWasClosed() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        store.resolve(claim.scope(), claim.incarnation(), KEY, new Resolution.Cancelled("in doubt"), false,
                at(1));
        doubted(store, claim, null);
        Resolution paid = Resolution.ok(Json.string("paid"));
        assertThat(store.resolve(claim.scope(), claim.incarnation(), KEY, paid, false, at(3)))
                .isEqualTo(new Settlement.Accepted(null));
        assertThat(store.doubts(0, 9)).isEmpty();
        assertThat(store.resolve(claim.scope(), claim.incarnation(), KEY, paid, false, at(4)))
                .isEqualTo(new Settlement.Lost(paid));
    }

    @Test
    final void callThatIsHeldWakesWithTheSettlement() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        String id = doubted(store, claim, HOLDS);
        store.park(claim, List.of(), Set.of(HOLDS), false, null, at(2));
        assertThat(settle(store, id, Reconciliation.didNotHappen("no trace")))
                .isInstanceOfSatisfying(DoubtSettling.Settled.class, settled -> {
                    assertThat(settled.held()).isEqualTo(HOLDS);
                    assertThat(settled.said())
                            .isEqualTo(Resolution
                                    .ok(Json.of("{\"did_not_happen\":\"no trace\",\"over\":true}")));
                    assertThat(Objects.requireNonNull(settled.woken()).scope()).isEqualTo(claim.scope());
                });
        assertThat(told(store)).as("the call itself answers").isEmpty();
    }

    @Test
    final void recordsOfAnEndedTurnStayAsLongAsADoubtIsOpen() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        String id = doubted(store, claim, null);
        start(store, claim, "other", "another", null);
        String other = Doubt.id(claim.scope().value(), "other");
        var commit = new TurnCommit(S, 1, "receipt", List.of(), null, Json.TRUE, List.of("in"), List.of(),
                List.of(new OpenDoubt.Of("other", about(null))), List.of());
        store.commit(claim, commit, false, at(4));
        StoreDriver journal = store;
        for (String settled : List.of(id, other)) {
            assertThat(journal.collectEffects(at(90))).isZero();
            assertThat(journal.effects(claim.scope())).as("before " + settled).hasSize(2);
            settle(store, settled, happened());
        }
        journal.collectEffects(at(90));
        assertThat(journal.effects(claim.scope())).isEmpty();
        assertThat(journal.collectEffects(at(90))).isZero();
    }

    @Test
    final void recordsInDoubtDoNotKeepThoseOfOtherTurns() throws Exception {
        StoreDriver store = open(sessions(), JournalProbe.NONE);
        Claim claim = begun(store);
        doubted(store, claim, null);
        store.end(claim, Json.TRUE, at(4));
        store.serve(Set.of("batch"));
        Claim other = Objects.requireNonNull(((Submission.Created) store
                .submit(new ScopeId("other"), new ScopeInput("batch", Json.NULL), true, at(4))).claim());
        start(store, other, "a", "another", null);
        store.end(other, Json.TRUE, at(5));
        store.collectEffects(at(90));
        assertThat(store.effects(other.scope())).isEmpty();
        assertThat(store.effects(claim.scope())).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    final void crashLeavesASettlementWholeOrUndone(Moment moment) throws Exception {
        RecordsOpening sessions = sessions();
        StoreDriver store = open(sessions, JournalProbe.NONE);
        String id = doubted(store, begun(store), null);
        StoreDriver dying = open(sessions, (when, write) -> {
            if (when == moment && write.startsWith("settle ")) {
                throw new SimulatedCrash(moment + " " + write);
            }
        });
        assertThatThrownBy(() -> settle(dying, id, happened()));
        boolean done = moment == Moment.AFTER;
        assertThat(store.doubts(0, 9)).hasSize(done ? 0 : 1);
        assertThat(store.audit(0, 9)).hasSize(done ? 1 : 0);
        assertThat(told(store)).hasSize(done ? 1 : 0);
    }
}
