package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.testkit.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Deadlines and sleeps are moments in the records; a clock that jumps moves them and nothing else (J.4, J.5, L.8). */
interface TimeScenarios extends Scenarios {

    /** So far away that no test reaches it by accident. */
    Instant TOMORROW = FakeTime.START.plus(Duration.ofDays(1));

    Json TIMED_OUT = Json.of("{\"timed_out\":true}");

    private void playsWaiter() {
        stage().plays("wait", (scope, input) -> OutcomeJson.of(
                scope.await(stage().showKey(scope, "w"),
                        new Deadline(Instant.parse(input.value().asString())))));
    }

    private static Json at(Instant deadline) {
        return Json.string(deadline.toString());
    }

    @Test
    default void aDeadlineSettlesAWait() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", at(TOMORROW));
        host.letPark(scope);
        assertThat(host.host().waits(scope)).singleElement()
                .satisfies(wait -> assertThat(wait.deadline()).isEqualTo(TOMORROW));

        stage().time().advance(Duration.ofDays(1));

        assertThat(host.resultInTime(scope)).isEqualTo(TIMED_OUT);
        assertThat(host.resolve(stage().key("w"), Json.TRUE))
                .isEqualTo(new Delivery.Lost(new Resolution.TimedOut()));
    }

    @Test
    default void aDeadlineSettlesAWaitThatHoldsItsThread() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();

        ScopeId scope = host.submit("s", "wait", at(FakeTime.START.plusMillis(300)));

        assertThat(host.resultInTime(scope)).isEqualTo(TIMED_OUT);
    }

    @Test
    default void aDeadlineThatHasPassedDoesNotWait() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();

        ScopeId scope = host.submit("s", "wait", at(FakeTime.START.minusSeconds(1)));

        assertThat(host.result(scope)).isEqualTo(TIMED_OUT);
    }

    @Test
    default void nothingTimesOutBeforeItsDeadline() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", at(TOMORROW));
        host.letPark(scope);

        stage().time().advance(Duration.between(stage().time().now(), TOMORROW.minusMillis(1)));

        assertThat(host.resolve(stage().key("w"), Json.TRUE)).isEqualTo(new Delivery.Accepted());
        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":true}"));
    }

    /** Each entry leaves a note without a place before the work that has one, and rests for a day. */
    @Test
    default void aScopeRestsUntilAMomentWithoutAThreadAndNotesWithoutAPlaceMoveNothing() throws Exception {
        stage().plays("rest", (scope, input) -> {
            int notes = 0;
            while (scope.peek(new EffectKey("note/" + notes)).isPresent()) {
                notes++;
            }
            if (notes < 2) {
                Instant due = stage().time().now().plus(Duration.ofDays(1));
                scope.run(Work.of("note/" + notes, running -> at(due)).unordered());
                scope.restUntil(due, "work");
            }
            return scope.run(Work.of("work", running -> Json.string(stage().time().now().toString())));
        });
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "rest");
        first.letPark(scope);
        first.crash();
        StagedHost second = stage().open();
        assertThat(second.state(scope).status()).isEqualTo(ScopeState.Status.PARKED);
        assertThat(stage().time().now()).isBefore(TOMORROW);

        stage().time().advance(Duration.ofDays(1));
        second.letPark(scope);
        stage().time().advance(Duration.ofDays(1));

        assertThat(Instant.parse(second.resultInTime(scope).asString())).isAfterOrEqualTo(TOMORROW.plus(
                Duration.ofDays(1)));
    }

    @Test
    default void aDeadlineDoesNotRestartWithTheProcess() throws Exception {
        stage().plays("wait", (scope, input) -> {
            stage().count("entry");
            Instant deadline = stage().time().now().plus(Duration.ofDays(1));
            return OutcomeJson.of(scope.await(stage().showKey(scope, "w"), new Deadline(deadline)));
        });
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait");
        first.letPark(scope);
        Instant due = first.host().waits(scope).getFirst().deadline();
        first.crash();
        stage().time().advance(Duration.ofHours(23));
        StagedHost second = stage().open();
        assertThat(second.host().waits(scope).getFirst().deadline()).isEqualTo(due);
        assertThat(second.state(scope).status()).isEqualTo(ScopeState.Status.PARKED);

        stage().time().advance(Duration.ofHours(1));

        assertThat(second.resultInTime(scope)).isEqualTo(TIMED_OUT);
        assertThat(stage().time().now()).isBefore(FakeTime.START.plus(Duration.ofHours(26)));
    }

    @Test
    default void aDeadlineThatCameWhileNobodyWasThereCounts() throws Exception {
        playsWaiter();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait", at(TOMORROW));
        first.letPark(scope);
        first.crash();
        stage().time().advance(Duration.ofDays(30));

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(TIMED_OUT);
    }

    @Test
    default void aClockSetForwardBringsADeadline() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", at(TOMORROW));
        host.letPark(scope);

        stage().time().jump(Duration.ofDays(2));

        assertThat(host.resultInTime(scope)).isEqualTo(TIMED_OUT);
    }

    @Test
    default void aClockSetBackPutsADeadlineOff() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", at(TOMORROW));
        host.letPark(scope);

        stage().time().jump(Duration.ofDays(-7));
        stage().time().advance(Duration.ofDays(2));
        assertThat(host.state(scope).status()).isEqualTo(ScopeState.Status.PARKED);
        stage().time().advance(Duration.ofDays(6));

        assertThat(host.resultInTime(scope)).isEqualTo(TIMED_OUT);
    }

    @Test
    default void aClockThatJumpsMovesNoOwnership() throws Exception {
        var release = new CountDownLatch(1);
        stage().plays("slow", (scope, input) -> scope.run(Work.of("body", running -> {
            stage().leave("entered", stage().count("entry"));
            release.await();
            return Json.string("done");
        })));
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "slow");
        stage().take("entered");
        StagedHost second = stage().open();

        stage().time().jump(Duration.ofDays(3650));
        stage().time().advance(Duration.ofMinutes(5));
        stage().time().jump(Duration.ofDays(-7300));
        stage().time().advance(Duration.ofMinutes(5));
        release.countDown();

        assertThat(first.resultInTime(scope)).isEqualTo(Json.string("done"));
        assertThat(stage().counted("entry")).isEqualTo(1);
        assertThat(second.state(scope).fence().value()).isEqualTo(1);
    }

    @Test
    default void aSleepKeepsItsDueTime() throws Exception {
        stage().plays("sleep", (scope, input) -> {
            scope.sleep(new EffectKey("nap"), Duration.ofDays(1));
            return Json.string("awake");
        });
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "sleep");
        first.letPark(scope);
        Instant due = first.state(scope).wakeAt();
        assertThat(due).isBetween(TOMORROW, TOMORROW.plusSeconds(3_600));
        first.crash();
        stage().time().advance(Duration.ofHours(20));
        StagedHost second = stage().open();
        assertThat(second.state(scope).wakeAt()).isEqualTo(due);
        assertThat(second.state(scope).status()).isEqualTo(ScopeState.Status.PARKED);

        stage().time().advance(Duration.ofHours(5));

        assertThat(second.resultInTime(scope)).isEqualTo(Json.string("awake"));
    }

    @Test
    default void aSleepThatCrashedBeforeItParkedKeepsItsDueTime() throws Exception {
        stage().plays("sleep", (scope, input) -> {
            scope.sleep(new EffectKey("nap"), Duration.ofDays(1));
            return Json.string("awake");
        });
        StagedHost first = stage().open();
        first.script().dieAt(Moment.AFTER, "effect nap");
        ScopeId scope = first.submit("s", "sleep");
        first.awaitCrash();
        stage().time().advance(Duration.ofHours(20));
        StagedHost second = stage().open();
        second.letPark(scope);

        assertThat(second.state(scope).wakeAt()).isEqualTo(TOMORROW);
    }

    @Test
    default void aShortSleepEndsOnItsThread() throws Exception {
        stage().plays("sleep", (scope, input) -> {
            scope.sleep(new EffectKey("nap"), Duration.ofMillis(200));
            scope.sleepUntil(FakeTime.START.plusMillis(400));
            return Json.string("awake");
        });
        StagedHost host = stage().open();

        assertThat(host.resultInTime(host.submit("s", "sleep"))).isEqualTo(Json.string("awake"));
        assertThat(stage().time().now()).isAfterOrEqualTo(FakeTime.START.plusMillis(400));
    }

    @Test
    default void theTimeIsDrawnOnce() throws Exception {
        stage().plays("now", (scope, input) -> {
            Instant now = scope.now(new EffectKey("now"));
            scope.await(stage().showKey(scope, "w"), Deadline.NONE);
            return Json.string(now.toString());
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "now");
        host.letPark(scope);
        stage().time().advance(Duration.ofDays(1));

        host.resolve(stage().key("w"), Json.TRUE);

        assertThat(Instant.parse(host.result(scope).asString())).isBefore(TOMORROW);
    }
}
