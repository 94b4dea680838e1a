package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.law.RuleBench.BITS;
import static dev.belay.runtime.store.law.RuleBench.INPUT;
import static dev.belay.runtime.store.law.RuleBench.ME;
import static dev.belay.runtime.store.law.RuleBench.NOW;
import static dev.belay.runtime.store.law.RuleBench.S;
import static dev.belay.runtime.store.law.RuleBench.claim;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.INPUTS;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.RESOURCES;
import static dev.belay.runtime.store.rows.ScopeRows.RESULTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.OpenWait.Kind;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Cancelling;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.rows.ScopeRows.Resource;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What writes decide about scopes, row by row. */
class ScopeRulesTest {

    private final RuleBench bench = new RuleBench();
    private final ScopeRules rules = RuleBench.rules();
    private final RecordRules records = new RecordRules(rules);

    private static EffectWrite write(EffectRow.Status status, @Nullable String takes,
            @Nullable String releases,
            OpenWait... opens) {
        var row = new EffectRow("k", 0, "call", "hash", Json.NULL, status, null, Json.TRUE, null,
                ToolEffect.ONCE, null, 0);
        return new EffectWrite(row, takes, releases, List.of(opens), NOW);
    }

    private static OpenWait wait(String name, Kind kind) {
        return new OpenWait(new WaitName(name), kind, null, null);
    }

    @Test
    void submittedScopeIsMadeOnceAndKeepsItsInput() {
        assertThat(bench.apply(rules.submit(S, INPUT, false, NOW)))
                .isEqualTo(new Submission.Created(null));
        assertThat(bench.scope().status()).isEqualTo(Status.READY);
        assertThat(bench.scope().secret()).isEqualTo(7);
        assertThat(bench.refused(rules.submit(S, INPUT, true, NOW))).isEqualTo(new Submission.Known());
        var other = new ScopeInput(INPUT.kind(), Json.FALSE);
        assertThat(bench.refused(rules.submit(S, other, true, NOW)))
                .isEqualTo(new Submission.Conflict(INPUT));
    }

    @ParameterizedTest
    @CsvSource({"READY, , true, false", "PARKED, , true, false", "RUNNING, dead, true, true",
        "RUNNING, other, false, false", "RUNNING, me, false, false", "STUCK, , false, false",
        "ENDED, , false, false"})
    void scopeIsClaimedByNameUnlessItRunsOrIsSettled(Status status, @Nullable String owner, boolean claimed,
            boolean left) {
        bench.scope(status, owner, 3);
        Optional<Claim> answer = bench.apply(rules.claim(S, NOW));
        assertThat(answer.isPresent()).isEqualTo(claimed);
        answer.ifPresent(claim -> assertThat(claim)
                .isEqualTo(new Claim(S, INPUT, 5, BITS, 7, 1, null, left)));
        assertThat(bench.scope().status()).isEqualTo(claimed ? Status.RUNNING : status);
    }

    @ParameterizedTest
    @CsvSource({"READY, , 0, true, RUNNING", "READY, , 4, true, RUNNING", "READY, , 5, false, STUCK",
        "RUNNING, dead, 1, true, RUNNING", "RUNNING, dead, 5, false, STUCK",
        "RUNNING, other, 0, false, RUNNING",
        "PARKED, , 0, false, PARKED", "STUCK, , 0, false, STUCK", "ENDED, , 0, false, ENDED"})
    void workIsTakenIfItIsFreeAndWasNotEnteredTooOften(Status status, @Nullable String owner, int entries,
            boolean taken, Status after) {
        bench.scope(status, owner, entries);
        assertThat(bench.apply(rules.take("s", Set.of("dead"), 5, NOW)).isPresent()).isEqualTo(taken);
        assertThat(bench.scope().status()).isEqualTo(after);
        assertThat(bench.scope().entries()).isEqualTo(taken ? entries + 1 : entries);
    }

    @Test
    void damagedHeadOrInputMakesAScopeStuckAndNoClaimHoldsIt() {
        bench.scope(Status.READY, null, 0).damage(INPUTS, "s");
        assertThat(bench.apply(rules.take("s", Set.of(), 5, NOW))).isEmpty();
        assertThat(bench.scope().status()).isEqualTo(Status.STUCK);
        assertThat(bench.scope().stuckBecause()).startsWith("journal_corrupt");

        bench.held().damage(SCOPES, "s");
        assertThat(bench.apply(rules.take("s", Set.of(), 5, NOW))).isEmpty();
        assertThat(bench.scope().status()).isEqualTo(Status.STUCK);
        assertThat(bench.scope().fence()).isGreaterThan(claim().fence());
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, me, 4, true", "RUNNING, me, 3, false", "RUNNING, me, 5, false",
        "RUNNING, other, 4, false", "READY, , 4, false", "PARKED, , 4, false", "STUCK, , 4, false",
        "ENDED, , 4, false"})
    void claimHoldsOnlyForItsOwnerItsFenceAndAScopeThatRuns(Status status, @Nullable String owner, long fence,
            boolean holds) {
        bench.scope(status, owner, 1);
        var claim = new Claim(S, INPUT, fence, BITS, 7, 1, null);
        Written written = bench.apply(records.write(claim, write(EffectRow.Status.COMPLETED, null, null)));
        assertThat(written.refusal()).isEqualTo(holds ? null : Refusal.FENCED);
        assertThat(bench.has(EFFECTS, "s", "k")).isEqualTo(holds);
    }

    @Test
    void recordIsWrittenOnceAndReplacedOnlyWhileItIsStarted() {
        bench.held();
        for (EffectRow.Status status : List.of(EffectRow.Status.STARTED, EffectRow.Status.STARTED,
                EffectRow.Status.COMPLETED)) {
            assertThat(bench.apply(records.write(claim(), write(status, null, null))))
                    .isEqualTo(new Written(null, 0));
        }
        assertThat(bench.scope().effects()).as("counted once").isOne();
        assertThat(bench.scope().entries()).as("a record begins the count anew").isZero();
        assertThat(bench.one(EFFECTS, "s", "k").row().fence()).isEqualTo(4);
        assertThat(
                bench.refused(records.write(claim(), write(EffectRow.Status.FAILED, null, null))).refusal())
                .isEqualTo(Refusal.CONFLICT);
    }

    @ParameterizedTest
    @CsvSource({", , , true", "me, s, k, true", "other, s, k, false", "me, s, x, false", "me, t, k, false",
        "dead, t, k, true", "other, gone, k, true"})
    void resourceIsTakenUnlessALivingRecordHoldsIt(@Nullable String owner, @Nullable String scope,
            @Nullable String key, boolean free) {
        bench.held().put(SCOPES, Scope.submitted("t", "test@1", BITS, 7, NOW));
        bench.put(RESOURCES, new Resource("r", owner, scope, key, 8));
        Written written = bench.apply(records.write(claim(), write(EffectRow.Status.STARTED, "r", null)));
        assertThat(written).isEqualTo(free ? new Written(null, 9) : new Written(Refusal.BUSY, 0));
        assertThat(bench.one(RESOURCES, "r", null).isHeldBy(ME, "s", "k")).isEqualTo(free);
        assertThat(bench.waves()).isLessThanOrEqualTo(2);
    }

    @Test
    void resourceIsReleasedByItsHolderAndKeepsItsFence() {
        bench.held().put(RESOURCES, new Resource("r", ME, "s", "k", 8));
        bench.refused(records.release("r", S, "x"));
        bench.apply(records.write(claim(), write(EffectRow.Status.COMPLETED, null, "r")));
        assertThat(bench.one(RESOURCES, "r", null)).isEqualTo(new Resource("r", null, null, null, 8));
    }

    @ParameterizedTest
    @CsvSource({"false, false, false, PARKED", "true, false, false, RUNNING", "true, true, false, PARKED",
        "false, false, true, RUNNING"})
    void scopeParksUnlessWhatItWaitsForHasHappened(boolean cancelled, boolean cancelSeen, boolean settled,
            Status after) {
        bench.held().open("known", Kind.EVENT, null);
        if (cancelled) {
            bench.put(SCOPES, bench.scope().cancelled("stop"));
        }
        if (settled) {
            bench.put(WAITS, bench.one(WAITS, "s", "known").settled(Json.TRUE, NOW));
        }
        Parking answer = bench
                .apply(rules.park(claim(), java.util.Set.of(), List.of(wait("new", Kind.COMPLETION)),
                        Set.of(new WaitName("known")), cancelSeen, NOW, NOW));
        assertThat(answer)
                .isEqualTo(after == Status.PARKED ? new Parking.Parked() : new Parking.Again());
        assertThat(bench.scope().status()).isEqualTo(after);
        assertThat(bench.has(WAITS, "s", "new")).isEqualTo(after == Status.PARKED);
        assertThat(bench.scope().completions()).isEqualTo(after == Status.PARKED ? 1 : 0);
    }

    /** The one place of the rule that walk 3 of a review changes: which settlement wakes a parked scope. */
    @ParameterizedTest
    @CsvSource({"PARKED, COMPLETION, false, true", "PARKED, COMPLETION, true, false",
        "PARKED, EVENT, false, true",
        "PARKED, EVENT, true, true", "RUNNING, COMPLETION, false, false", "READY, EVENT, false, false",
        "STUCK, EVENT, false, false"})
    void settledWaitWakesAParkedScopeIfNoOtherCallIsOpen(Status status, Kind kind, boolean otherCall,
            boolean wakes) {
        bench.scope(status, status == Status.RUNNING ? ME : null, 3).open("w", kind, null);
        if (otherCall) {
            bench.open("other", Kind.COMPLETION, null);
        }
        Settlement answer = bench.apply(
                rules.resolve(S, BITS, new WaitName("w"), Resolution.ok(Json.TRUE), true, NOW));
        assertThat(answer).isInstanceOfSatisfying(Settlement.Accepted.class,
                accepted -> assertThat(accepted.woken() != null).isEqualTo(wakes));
        assertThat(bench.scope().status()).isEqualTo(wakes ? Status.RUNNING : status);
        assertThat(bench.scope().entries()).as("settling begins the count anew").isEqualTo(wakes ? 1 : 0);
        assertThat(bench.scope().completions()).isEqualTo(otherCall ? 1 : 0);
    }

    @Test
    void firstResolutionWinsAndStrangersLearnNothing() {
        bench.scope(Status.PARKED, null, 0).open("w", Kind.COMPLETION, null);
        var name = new WaitName("w");
        assertThat(bench.refused(
                rules.resolve(S, new Incarnation(9, 9), name, Resolution.ok(Json.TRUE), true, NOW)))
                .isEqualTo(new Settlement.Unknown());
        bench.apply(rules.resolve(S, BITS, name, Resolution.ok(Json.TRUE), false, NOW));
        assertThat(bench.scope().status()).as("woken, and not taken").isEqualTo(Status.READY);
        assertThat(bench.refused(rules.resolve(S, BITS, name, Resolution.ok(Json.FALSE), true, NOW)))
                .isEqualTo(new Settlement.Lost(Resolution.ok(Json.TRUE)));
    }

    @Test
    void endedScopeKnowsOnlyTheWaitsItHad() {
        bench.scope(Status.ENDED, null, 0);
        assertThat(bench.refused(
                rules.resolve(S, BITS, new WaitName("w"), Resolution.ok(Json.TRUE), true, NOW)))
                .isEqualTo(new Settlement.Unknown());
    }

    @Test
    void scopeOfAKindThatIsNotServedBecomesReady() {
        var served = new ServedKinds();
        served.set(Set.of("other@1"));
        bench.scope(Status.PARKED, null, 0).open("w", Kind.EVENT, null);
        bench.apply(RuleBench.rules(served, false)
                .resolve(S, BITS, new WaitName("w"),
                        Resolution.ok(Json.TRUE), true, NOW));
        assertThat(bench.scope().status()).isEqualTo(Status.READY);
    }

    @ParameterizedTest
    @CsvSource({"-1, , , true", "1, , , false", ", COMPLETION, false, true", ", COMPLETION, true, false",
        ", EVENT, true, true"})
    void dueTimeAndDueWaitsWakeAParkedScope(@Nullable Integer wakeIn, @Nullable Kind kind,
            @Nullable Boolean otherCall, boolean wakes) {
        bench.scope(Status.PARKED, null, 2);
        if (wakeIn != null) {
            bench.put(SCOPES, bench.scope().parked(NOW.plusSeconds(wakeIn), NOW));
        }
        if (kind != null) {
            bench.open("w", kind, NOW);
        }
        if (Boolean.TRUE.equals(otherCall)) {
            bench.open("other", Kind.COMPLETION, NOW.plusSeconds(1));
        }
        assertThat(bench.apply(rules.due("s", NOW)).isPresent()).isEqualTo(wakes);
        assertThat(bench.scope().status()).isEqualTo(wakes ? Status.RUNNING : Status.PARKED);
        if (kind != null) {
            assertThat(bench.one(WAITS, "s", "w").isSettled()).isTrue();
        }
    }

    @Test
    void cancellingSettlesWhatIsOpenAndIsAskedForOnce() {
        bench.scope(Status.PARKED, null, 2).open("w", Kind.COMPLETION, null);
        Cancelling first = bench.apply(rules.cancel(S, "stop", true, NOW));
        assertThat(first.receipt()).isEqualTo(new CancelReceipt.Requested());
        assertThat(first.woken()).isNotNull();
        assertThat(bench.one(WAITS, "s", "w").isSettled()).isTrue();
        assertThat(bench.refused(rules.cancel(S, "again", true, NOW)).receipt())
                .isEqualTo(new CancelReceipt.AlreadyRequested("stop"));
    }

    @Test
    void endSettlesWhatIsOpenAndKeepsTheResult() {
        bench.held().open("w", Kind.COMPLETION, null);
        assertThat(bench.apply(rules.end(claim(), Json.TRUE, NOW))).isTrue();
        assertThat(bench.scope().status()).isEqualTo(Status.ENDED);
        assertThat(bench.scope().completions()).isZero();
        assertThat(bench.one(RESULTS, "s", null).value()).isEqualTo(Json.TRUE);
        assertThat(bench.refused(rules.end(claim(), Json.FALSE, NOW))).isFalse();
        assertThat(bench.refused(rules.cancel(S, "late", true, NOW)).receipt())
                .isEqualTo(new CancelReceipt.AlreadyEnded(Json.TRUE));
    }

    @Test
    void recordsGoWithTheEndWhereTheyAreForgotten() {
        bench.held();
        bench.apply(records.write(claim(), write(EffectRow.Status.COMPLETED, null, null)));
        bench.apply(RuleBench.rules(new ServedKinds(), true).end(claim(), Json.TRUE, NOW));
        assertThat(bench.has(EFFECTS, "s", "k")).isFalse();
        assertThat(bench.scope().effects()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"STUCK, true", "READY, false", "RUNNING, false", "PARKED, false", "ENDED, false"})
    void operatorRetriesOrAbandonsOnlyWhatIsStuck(Status status, boolean stuck) {
        bench.scope(status, status == Status.RUNNING ? ME : null, 5);
        assertThat(bench.apply(rules.retry(S, NOW))).isEqualTo(stuck);
        bench.scope(status, status == Status.RUNNING ? ME : null, 5);
        assertThat(bench.apply(rules.abandon(S, Json.TRUE, List.of(), NOW))).isEqualTo(stuck);
    }

    @ParameterizedTest
    @CsvSource({"READY, , true", "PARKED, , true", "RUNNING, me, false", "RUNNING, dead, true",
        "STUCK, , false",
        "ENDED, , false"})
    void operatorStopsWhatNoOwnerRuns(Status status, @Nullable String owner, boolean stops) {
        bench.scope(status, "me".equals(owner) ? ME : owner, 2);
        assertThat(bench.apply(rules.stop(S, "why", NOW))).isEqualTo(stops);
        if (stops) {
            assertThat(bench.scope().status()).isEqualTo(Status.STUCK);
            assertThat(bench.scope().stuckBecause()).isEqualTo("why");
            assertThat(bench.scope().entries()).as("an entry may have asked a model").isEqualTo(2);
        }
    }

    @Test
    void firstLateResultStays() {
        bench.scope(Status.ENDED, null, 0);
        bench.apply(records.late(S, "k", Json.TRUE, NOW));
        bench.refused(records.late(S, "k", Json.FALSE, NOW));
        assertThat(bench.one(LATE, "s", "k").result()).isEqualTo(Json.TRUE);
        Instant any = NOW;
        assertThat(
                bench.refused(
                        records.late(new dev.belay.runtime.effect.ScopeId("gone"), "k", Json.TRUE, any)))
                .isFalse();
    }
}
