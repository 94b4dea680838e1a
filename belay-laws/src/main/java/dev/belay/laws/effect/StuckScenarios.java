package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** After five entries without a record a scope is stuck until an operator decides (L.7). */
interface StuckScenarios extends Scenarios {

    private void playsFaulty() {
        stage().plays("faulty", (scope, input) -> {
            stage().count("entry");
            throw new IllegalStateException("the service is down");
        });
    }

    @Test
    default void fiveEntriesWithoutARecordAreEnough() throws Exception {
        playsFaulty();
        StagedHost host = stage().open();

        ScopeId scope = host.submit("s", "faulty");
        ScopeState state = host.settledInTime(scope);

        assertThat(state.status()).isEqualTo(ScopeState.Status.STUCK);
        assertThat(state.stuckBecause()).contains("5");
        assertThat(stage().counted("entry")).isEqualTo(5);
        assertThat(host.host().stuck()).extracting(ScopeState::id).containsExactly(scope);
        assertThat(host.host().join(scope)).map(ScopeState::status).contains(ScopeState.Status.STUCK);
    }

    @Test
    default void entriesAreCountedAcrossProcesses() throws Exception {
        stage().plays("deadly", (scope, input) -> {
            stage().leave("entered", stage().count("entry"));
            return (Json) stage().takeInScope("never");
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "deadly");
        for (int i = 1; i <= 5; i++) {
            assertThat(stage().take("entered")).isEqualTo(i);
            host.crash();
            host = stage().open();
        }

        ScopeState state = host.settledInTime(scope);

        assertThat(state.status()).isEqualTo(ScopeState.Status.STUCK);
        assertThat(stage().counted("entry")).isEqualTo(5);
    }

    @Test
    default void restartsDoNotMakeAScopeStuck() throws Exception {
        stage().plays("patient", (scope, input) -> {
            stage().leave("entered", stage().count("entry"));
            return workOn(scope);
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "patient");
        for (int i = 1; i <= 7; i++) {
            assertThat(stage().take("entered")).isEqualTo(i);
            assertThat(host.state(scope).entries()).isEqualTo(1);
            host.close();
            host = stage().open();
        }
        stage().count("enough");

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("done"));
    }

    @Test
    default void restartsDoNotMakeAScopeInAQueueStuck() throws Exception {
        stage().plays("hold", (scope, input) -> {
            var held = scope.hold(new EffectKey("body"), "account");
            try {
                stage().leave("running", true);
                return workOn(scope);
            } finally {
                held.release().run();
            }
        });
        StagedHost host = stage().open();
        ScopeId one = host.submit("one", "hold");
        ScopeId other = host.submit("other", "hold");
        for (int i = 1; i <= 7; i++) {
            stage().take("running");
            if (stage().parksAtOnce()) {
                host.threads().awaitAtMost(1); // a parked scope has no thread
            }
            assertThat(host.state(one).entries()).isEqualTo(1);
            assertThat(host.state(other).entries()).isEqualTo(1);
            host.close();
            host = stage().open();
        }
        stage().count("enough");

        assertThat(host.resultInTime(one)).isEqualTo(Json.string("done"));
        assertThat(host.resultInTime(other)).isEqualTo(Json.string("done"));
    }

    /** Works until the test counts "enough", records nothing, and notices at once that the host closes. */
    private Json workOn(EffectScope scope) {
        while (stage().counted("enough") == 0) {
            scope.peek(new EffectKey("nothing"));
            LockSupport.parkNanos(1_000);
        }
        return Json.string("done");
    }

    @Test
    default void aFaultCountsAlsoIfARestartFollows() throws Exception {
        playsFaulty();
        StagedHost first = stage().open();
        int alarms = stage().time().alarms();
        ScopeId scope = first.submit("s", "faulty");
        stage().time().awaitAlarms(alarms + 1); // the host pauses before the next entry
        first.close();

        StagedHost second = stage().open();

        assertThat(second.state(scope).entries()).isGreaterThanOrEqualTo(2);
    }

    @Test
    default void aRecordStartsTheCountAgain() throws Exception {
        stage().plays("slow", (scope, input) -> {
            int entry = stage().count("entry");
            for (int i = 0; i < entry && i < 9; i++) {
                scope.run(Work.of("step " + i, running -> Json.NULL));
            }
            if (entry < 9) {
                throw new IllegalStateException("one step a day");
            }
            return Json.string("done");
        });
        StagedHost host = stage().open();

        assertThat(host.resultInTime(host.submit("s", "slow"))).isEqualTo(Json.string("done"));
        assertThat(stage().counted("entry")).isEqualTo(9);
    }

    @Test
    default void aWakeUpIsNotAnEntryTooMany() throws Exception {
        stage().plays("patient", (scope, input) -> {
            for (int i = 0; i < 8; i++) {
                scope.await(stage().showKey(scope, "w" + i), Deadline.NONE);
            }
            return Json.string("done");
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "patient");
        for (int i = 0; i < 8; i++) {
            host.letPark(scope, i + 1);
            host.resolve(stage().key("w" + i), Json.TRUE);
        }

        assertThat(host.result(scope)).isEqualTo(Json.string("done"));
    }

    @Test
    default void aStuckScopeIsNotEnteredByAnybody() throws Exception {
        playsFaulty();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "faulty");
        first.settledInTime(scope);
        first.close();

        StagedHost second = stage().open();
        stage().time().advance(java.time.Duration.ofHours(1));

        assertThat(second.state(scope).status()).isEqualTo(ScopeState.Status.STUCK);
        assertThat(stage().counted("entry")).isEqualTo(5);
    }

    @Test
    default void aStuckScopeIsRetried() throws Exception {
        playsFaulty();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "faulty");
        host.settledInTime(scope);
        stage().plays("faulty", (again, input) -> Json.string("repaired"));

        assertThat(host.host().retry(scope)).isTrue();

        assertThat(host.resultInTime(scope)).isEqualTo(Json.string("repaired"));
        assertThat(host.host().retry(scope)).isFalse();
        assertThat(host.host().stuck()).isEmpty();
    }

    @Test
    default void aStuckScopeIsAbandonedWithAResult() throws Exception {
        stage().plays("faulty", (scope, input) -> {
            stage().showKey(scope, "w");
            throw new IllegalStateException("the service is down");
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "faulty");
        host.settledInTime(scope);

        assertThat(host.host().abandon(scope, Json.string("given up"))).isTrue();

        assertThat(host.result(scope)).isEqualTo(Json.string("given up"));
        assertThat(host.host().abandon(scope, Json.string("again"))).isFalse();
        assertThat(host.host().stuck()).isEmpty();
        assertThat(host.host().resolve(stage().key("w"), Resolution.ok(Json.TRUE)))
                .isNotEqualTo(new Delivery.Accepted());
    }

    @Test
    default void whatIsNotStuckIsLeftAlone() throws Exception {
        stage().plays("quick", (scope, input) -> Json.string("done"));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "quick");
        host.result(scope);

        assertThat(host.host().retry(scope)).isFalse();
        assertThat(host.host().abandon(scope, Json.NULL)).isFalse();
        assertThat(host.host().retry(new ScopeId("nobody"))).isFalse();
        assertThat(host.result(scope)).isEqualTo(Json.string("done"));
    }
}
