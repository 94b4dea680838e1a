package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.ScopeId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The host deletes what no record refers to any more, and nothing else (L.9, M.3). */
interface CollectScenarios extends Scenarios {

    /** Runs a scope with one large result to its end. */
    private ScopeId ended(StagedHost host) throws InterruptedException {
        stage().plays("large", (scope, input) -> {
            scope.run(Work.of("step", running -> Json.string("x".repeat(100_000))));
            return Json.string("done");
        });
        ScopeId scope = host.submit("ended", "large");
        assertThat(host.result(scope)).isEqualTo(Json.string("done"));
        return scope;
    }

    @Test
    default void recordsGoAWeekAfterTheEnd() throws Exception {
        StagedHost host = stage().open();
        ScopeId scope = ended(host);
        Instant end = stage().time().now();
        stage().time().advance(Duration.ofDays(6));

        host.push(() -> host.script().wrote("collect effects", 1), Duration.ofHours(1));

        assertThat(stage().time().now()).isAfterOrEqualTo(end.plus(Duration.ofDays(7)));
        assertThat(host.result(scope)).isEqualTo(Json.string("done"));
    }

    @Test
    default void largeResultsGoWithTheRecordsThatReferToThem() throws Exception {
        StagedHost host = stage().open();
        ended(host);
        Instant end = stage().time().now();

        host.push(() -> host.script().wrote("collect outputs", 1), Duration.ofHours(12));

        assertThat(stage().time().now()).isAfterOrEqualTo(end.plus(Duration.ofDays(7)));
        assertThat(host.script().written("collect effects")).isEqualTo(1);
    }

    @Test
    default void theFirstCollectionComesAnHourAfterTheStart() throws Exception {
        StagedHost first = stage().open();
        ended(first);
        first.close();
        stage().time().advance(Duration.ofDays(30));
        StagedHost second = stage().open();
        Instant start = stage().time().now();

        second.push(() -> second.script().wrote("collect outputs", 1), Duration.ofMinutes(10));

        assertThat(stage().time().now()).isAfterOrEqualTo(start.plus(Duration.ofHours(1)));
    }

    @Test
    default void aScopeThatWaitsKeepsItsRecords() throws Exception {
        stage().plays("waits", (scope, input) -> {
            Json step = scope.run(Work.of("step", running -> Json.number(stage().count("step"))));
            scope.await(stage().showKey(scope, "w"), Deadline.NONE);
            return step;
        });
        StagedHost host = stage().open();
        ScopeId waiting = host.submit("waiting", "waits");
        host.letPark(waiting);
        ended(host);
        host.push(() -> host.script().wrote("collect effects", 1), Duration.ofHours(12));

        host.resolve(stage().key("w"), Json.TRUE);

        assertThat(host.result(waiting)).isEqualTo(Json.number(1));
        assertThat(stage().counted("step")).isEqualTo(1);
    }
}
