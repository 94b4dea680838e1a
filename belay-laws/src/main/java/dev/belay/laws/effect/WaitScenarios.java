package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.CompletionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waits: settled before, while and after; the first wins; no wake-up is lost (J.3, J.5). */
interface WaitScenarios extends Scenarios {

    /** A scope that waits for the wait its input names, and returns how it was settled. */
    private void playsWaiter() {
        stage().plays("wait", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, input.value().asString());
            return OutcomeJson.of(scope.await(key, Deadline.NONE));
        });
    }

    @Test
    default void aResolutionWakesAScopeThatWaits() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");

        assertThat(host.resolve(key, Json.number(5))).isEqualTo(new Delivery.Accepted());

        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aResolutionWakesAScopeThatParked() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        host.letPark(scope);
        assertThat(host.host().waits(scope))
                .containsExactly(
                        new WaitState(new WaitName("w"), OpenWait.Kind.EVENT, null, null, true, null));

        assertThat(host.resolve(stage().key("w"), Json.number(5))).isEqualTo(new Delivery.Accepted());

        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aResolutionBeforeTheWaitIsKept() throws Exception {
        stage().plays("slow", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, "w");
            stage().awaitInScope("go");
            return OutcomeJson.of(scope.await(key, Deadline.NONE));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "slow");

        assertThat(host.resolve(stage().key("w"), Json.number(5))).isEqualTo(new Delivery.Accepted());
        stage().signal("go");

        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aResolutionBeforeTheWaitSurvivesACrash() throws Exception {
        stage().plays("slow", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, "w");
            stage().awaitInScope("go");
            return OutcomeJson.of(scope.await(key, Deadline.NONE));
        });
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "slow");
        first.resolve(stage().key("w"), Json.number(5));
        first.crash();
        stage().signal("go");

        StagedHost second = stage().open();

        assertThat(second.resultInTime(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void theFirstResolutionWins() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        host.letPark(scope);
        CompletionKey key = stage().key("w");

        assertThat(host.resolve(key, Json.of("{\"a\":1,\"b\":2}"))).isEqualTo(new Delivery.Accepted());
        assertThat(host.resolve(key, Json.of("{\"b\": 2, \"a\": 1}"))).isEqualTo(new Delivery.Same());
        Delivery other = host.resolve(key, Json.number(2));
        Delivery failed = host.host().resolve(key.token(), Resolution.failed("no"));

        var winner = new Delivery.Lost(Resolution.ok(Json.of("{\"a\":1,\"b\":2}")));
        assertThat(other).isEqualTo(winner);
        assertThat(failed).isEqualTo(winner);
        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":{\"a\":1,\"b\":2}}"));
        assertThat(host.resolve(key, Json.of("{\"a\":1,\"b\":2}"))).as("after the end")
                .isEqualTo(new Delivery.Same());
        assertThat(host.resolve(key, Json.number(3))).as("after the end").isEqualTo(winner);
    }

    @Test
    default void oneOfManyResolversWins() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        Map<Integer, Delivery> told = new ConcurrentHashMap<>();

        List<Thread> resolvers = IntStream.range(0, 16)
                .mapToObj(i -> Thread.ofVirtual()
                        .start(() -> told.put(i, host.resolve(key, Json.number(i)))))
                .toList();
        for (Thread resolver : resolvers) {
            resolver.join();
        }

        List<Integer> accepted = told.entrySet()
                .stream()
                .filter(one -> one.getValue().equals(new Delivery.Accepted()))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(accepted).hasSize(1);
        Json won = Json.number(accepted.getFirst());
        assertThat(told.values()).filteredOn(one -> one.equals(new Delivery.Lost(Resolution.ok(won))))
                .hasSize(15);
        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":" + won + "}"));
    }

    @Test
    default void resolvingAtAnyMomentOfAParkWakes() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        for (Moment moment : Moment.values()) {
            String wait = "parking-" + moment;
            Script.Gate gate = host.holdUp(moment, "park " + wait);
            ScopeId scope = host.submit(wait, "wait", Json.string(wait));
            CompletionKey key = stage().key(wait);
            host.push(gate::isReached);

            var resolver = StagedHost.beside(
                    () -> assertThat(host.resolve(key, Json.number(1))).isEqualTo(new Delivery.Accepted()));
            gate.open();
            resolver.join();

            assertThat(host.result(scope)).as("%s", moment).isEqualTo(Json.of("{\"ok\":1}"));
        }
    }

    @Test
    default void parkingAtAnyMomentOfAResolutionWakes() throws Exception {
        stage().plays("wait", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, input.value().asString());
            stage().leave("came", true);
            stage().awaitInScope("go " + input.value().asString());
            return OutcomeJson.of(scope.await(key, Deadline.NONE));
        });
        StagedHost host = stage().open();
        for (Moment moment : Moment.values()) {
            String wait = "resolving-" + moment;
            Script.Gate gate = host.holdUp(moment, "resolve " + wait);
            ScopeId scope = host.submit(wait, "wait", Json.string(wait));
            CompletionKey key = stage().key(wait);

            var resolver = StagedHost.beside(() -> host.resolve(key, Json.number(1)));
            gate.awaitReached();
            stage().take("came");
            stage().signal("go " + wait);
            gate.open();
            resolver.join();

            assertThat(host.result(scope)).as("%s", moment).isEqualTo(Json.of("{\"ok\":1}"));
        }
    }

    @Test
    default void aResolutionQueuedBeforeAParkWakes() throws Exception {
        stage().plays("wait", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, "w");
            stage().awaitInScope("go");
            return OutcomeJson.of(scope.await(key, Deadline.NONE));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait");
        CompletionKey key = stage().key("w");
        stage().plays("other", (other, input) -> Json.NULL);
        Script.Gate gate = host.holdUp(Moment.BEFORE, "submit other");

        var other = StagedHost.beside(() -> host.submit("other", "other"));
        gate.awaitReached();
        var resolver = StagedHost.beside(() -> host.resolve(key, Json.number(1)));
        stage().signal("go");
        gate.open();
        resolver.join();
        other.join();

        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":1}"));
    }

    @Test
    default void aResolutionByAnotherProcessWakes() throws Exception {
        playsWaiter();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait", Json.string("w"));
        first.letPark(scope);
        StagedHost second = stage().open();

        assertThat(second.resolve(stage().key("w"), Json.number(5))).isEqualTo(new Delivery.Accepted());

        assertThat(first.resultInTime(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aResolutionByAnotherProcessReachesAScopeThatHoldsItsThread() throws Exception {
        playsWaiter();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        StagedHost second = stage().open();

        assertThat(second.resolve(key, Json.number(5))).isEqualTo(new Delivery.Accepted());

        assertThat(first.resultInTime(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aParkedScopeSurvivesTheProcess() throws Exception {
        playsWaiter();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait", Json.string("w"));
        first.letPark(scope);
        first.crash();
        StagedHost second = stage().open();
        assertThat(second.state(scope).status()).isEqualTo(ScopeState.Status.PARKED);

        second.resolve(stage().key("w"), Json.number(5));

        assertThat(second.result(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aWaitMayBeOpenedWithTheRecordOfAnEffect() throws Exception {
        stage().plays("defer", (scope, input) -> {
            CompletionKey key = stage().showKey(scope, "done");
            scope.run(Work.of("attempt", running -> {
                running.opens(
                        new OpenWait(new WaitName("done"), OpenWait.Kind.COMPLETION, null, "asked a person"));
                return Json.string("pending");
            }));
            return OutcomeJson.of(scope.await(key, Deadline.NONE));
        });
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "defer");
        host.letPark(scope);
        assertThat(host.host().waits(scope)).containsExactly(new WaitState(new WaitName("done"),
                OpenWait.Kind.COMPLETION, null, "asked a person", true, null));

        host.resolve(stage().key("done"), Json.number(5));

        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":5}"));
    }

    @Test
    default void aScopeSettlesItsOwnWaitUnlessSomebodyWasFirst() throws Exception {
        stage().plays("settles", (scope, input) -> {
            var name = new WaitName("w");
            assertThat(scope.settled(name)).isEmpty();
            Resolution mine = scope.settle(name, Resolution.ok(Json.number(1)));
            Resolution again = scope.settle(name, Resolution.ok(Json.number(2)));
            assertThat(scope.settled(name)).contains(mine);
            return Json.array(List.of(OutcomeJson.of(mine), OutcomeJson.of(again)));
        });
        StagedHost host = stage().open();

        assertThat(host.result(host.submit("s", "settles"))).isEqualTo(Json.of("[{\"ok\":1},{\"ok\":1}]"));
    }

    @Test
    default void theKeyOfAnotherScopeIsNoWaitOfThisOne() throws Exception {
        playsWaiter();
        stage().plays("thief", (scope, input) -> {
            var key = (CompletionKey) stage().takeInScope("stolen");
            try {
                return OutcomeJson.of(scope.await(key, Deadline.NONE));
            } catch (ToolException e) {
                return Json.string(e.failure().code());
            }
        });
        StagedHost host = stage().open();
        ScopeId owner = host.submit("owner", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        stage().leave("stolen", key);

        assertThat(host.result(host.submit("thief", "thief"))).isEqualTo(Json.string("unknown_wait"));
        host.resolve(key, Json.TRUE);
        host.result(owner);
    }

    @Test
    default void aThousandParkedScopesHoldNoThread() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        List<Thread> submitters = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String name = "many-" + i;
            submitters.add(Thread.ofVirtual().start(() -> host.submit(name, "wait", Json.string(name))));
        }
        for (Thread submitter : submitters) {
            submitter.join();
        }
        for (int i = 0; i < 1_000; i++) {
            host.letPark(new ScopeId("many-" + i));
        }

        host.threads().awaitAtMost(0);

        List<Thread> resolvers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            CompletionKey key = stage().key("many-" + i);
            resolvers.add(Thread.ofVirtual().start(() -> host.resolve(key, Json.TRUE)));
        }
        for (Thread resolver : resolvers) {
            resolver.join();
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(host.result(new ScopeId("many-" + i))).isEqualTo(Json.of("{\"ok\":true}"));
        }
    }
}
