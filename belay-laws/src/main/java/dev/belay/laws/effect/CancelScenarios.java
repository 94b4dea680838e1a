package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Cancelling is a durable request, ordered against the end of a scope (G.2, J.3). */
interface CancelScenarios extends Scenarios {

    private void playsWaiter() {
        stage().plays("wait", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, "w");
            Resolution resolution = scope.await(key, Deadline.NONE);
            return Json.string(
                    scope.cancellation().reason().orElse("nobody") + " " + OutcomeJson.of(resolution));
        });
    }

    private static Json cancelled(String reason) {
        return Json.string(reason + " {\"cancelled\":\"" + reason + "\"}");
    }

    @Test
    default void aScopeThatWaitsIsCancelled() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait");
        stage().key("w");

        assertThat(host.host().cancel(scope, "enough")).isEqualTo(new CancelReceipt.Requested());

        assertThat(host.result(scope)).isEqualTo(cancelled("enough"));
    }

    @Test
    default void aParkedScopeIsCancelled() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait");
        host.letPark(scope);

        assertThat(host.host().cancel(scope, "enough")).isEqualTo(new CancelReceipt.Requested());

        assertThat(host.result(scope)).isEqualTo(cancelled("enough"));
        assertThat(host.resolve(stage().key("w"), Json.TRUE))
                .isEqualTo(new Delivery.Lost(new Resolution.Cancelled("enough")));
    }

    @Test
    default void aCancellationAtAnyMomentOfAParkIsHeard() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        for (Moment moment : Moment.values()) {
            Script.Gate gate = host.holdUp(moment, "park park-" + moment);
            ScopeId scope = host.submit("park-" + moment, "wait");
            stage().key("w");
            host.push(gate::isReached);

            var canceller = StagedHost.beside(() -> host.host().cancel(scope, "enough"));
            gate.open();
            canceller.join();

            assertThat(host.result(scope)).as("%s", moment).isEqualTo(cancelled("enough"));
        }
    }

    @Test
    default void aCancellationSurvivesTheProcess() throws Exception {
        playsWaiter();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait");
        first.letPark(scope);
        first.script().dieAt(Moment.AFTER, "cancel s");
        try {
            first.host().cancel(scope, "enough");
        } catch (SimulatedCrash expected) {
            first.awaitCrash();
        }

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(cancelled("enough"));
    }

    @Test
    default void aSettledWaitKeepsItsResolutionWhenItsScopeIsCancelled() throws Exception {
        stage().plays("two", (scope, input) -> {
            CompletionKey first = stage().showKey(scope, "first");
            CompletionKey second = stage().showKey(scope, "second");
            Json one = OutcomeJson.of(scope.await(first, Deadline.NONE));
            return Json.string(one + " " + OutcomeJson.of(scope.await(second, Deadline.NONE)));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "two");
        host.letPark(scope);
        host.resolve(stage().key("first"), Json.number(1));
        host.letPark(scope, 2);

        host.host().cancel(scope, "enough");

        assertThat(host.result(scope)).isEqualTo(Json.string("{\"ok\":1} {\"cancelled\":\"enough\"}"));
    }

    @Test
    default void theSecondCancellationLearnsTheFirst() throws Exception {
        stage().plays("slow", (scope, input) -> {
            stage().leave("entered", true);
            stage().takeInScope("go");
            return Json.string(scope.cancellation().reason().orElse("nobody"));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "slow");
        stage().take("entered");

        host.host().cancel(scope, "first");
        assertThat(host.host().cancel(scope, "second"))
                .isEqualTo(new CancelReceipt.AlreadyRequested("first"));
        stage().leave("go", true);

        assertThat(host.result(scope)).isEqualTo(Json.string("first"));
    }

    @Test
    default void cancellingAfterTheEndTellsTheResult() throws Exception {
        stage().plays("quick", (scope, input) -> Json.string("done"));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "quick");
        host.result(scope);

        assertThat(host.host().cancel(scope, "late"))
                .isEqualTo(new CancelReceipt.AlreadyEnded(Json.string("done")));
        assertThat(host.host().cancel(new ScopeId("nobody"), "x")).isEqualTo(new CancelReceipt.Unknown());
    }

    @Test
    default void oneOfCancelAndEndIsFirst() throws Exception {
        stage().plays("quick", (scope, input) -> Json.string("done"));
        StagedHost host = stage().open();
        for (Moment moment : Moment.values()) {
            Script.Gate gate = host.holdUp(moment, "end end-" + moment);
            ScopeId scope = host.submit("end-" + moment, "quick");
            gate.awaitReached();
            var receipt = new AtomicReference<CancelReceipt>();

            var canceller = StagedHost.beside(() -> receipt.set(host.host().cancel(scope, "late")));
            gate.open();
            canceller.join();

            assertThat(host.result(scope)).isEqualTo(Json.string("done"));
            boolean before = "late".equals(host.state(scope).cancelReason());
            assertThat(receipt.get()).as("%s", moment)
                    .isEqualTo(before
                            ? new CancelReceipt.Requested()
                            : new CancelReceipt.AlreadyEnded(Json.string("done")));
        }
    }

    @Test
    default void whoeverListensHearsOfACancellation() throws Exception {
        stage().plays("listens", (scope, input) -> {
            scope.onCancel(reason -> stage().leave("heard", reason));
            scope.onCancel(reason -> stage().leave("heard", "taken back")).run();
            stage().leave("entered", true);
            stage().takeInScope("go");
            scope.onCancel(reason -> stage().leave("heard late", reason));
            stage().takeInScope("go");
            return Json.NULL;
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "listens");
        stage().take("entered");

        host.host().cancel(scope, "enough");

        assertThat(stage().take("heard")).isEqualTo("enough");
        stage().leave("go", true);
        assertThat(stage().take("heard late")).isEqualTo("enough");
        stage().leave("go", true);
        host.result(scope);
        stage().leave("heard", "nothing more");
        assertThat(stage().take("heard")).isEqualTo("nothing more");
    }

    @Test
    default void aCancellationByAnotherProcessIsHeard() throws Exception {
        stage().plays("listens", (scope, input) -> {
            scope.onCancel(reason -> stage().leave("go", true));
            stage().leave("entered", true);
            stage().takeInScope("go");
            return Json.string(scope.cancellation().reason().orElse("nobody"));
        });
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "listens");
        stage().take("entered");
        StagedHost second = stage().open();

        assertThat(second.host().cancel(scope, "from elsewhere")).isEqualTo(new CancelReceipt.Requested());

        assertThat(first.resultInTime(scope)).isEqualTo(Json.string("from elsewhere"));
    }

    @Test
    default void aSleepEndsEarly() throws Exception {
        stage().plays("sleep", (scope, input) -> {
            scope.sleep(new EffectKey("nap"), Duration.ofDays(1));
            return Json.string(scope.cancellation().reason().orElse("slept"));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "sleep");
        host.letPark(scope);

        host.host().cancel(scope, "enough");

        assertThat(host.result(scope)).isEqualTo(Json.string("enough"));
    }
}
