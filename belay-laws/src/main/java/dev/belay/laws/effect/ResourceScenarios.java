package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Running bodies with the same resource do not overlap, across scopes and processes (E.2). */
interface ResourceScenarios extends Scenarios {

    /** Scopes whose body holds "account" until the test signals it; the body reports its name and fence. */
    private void playsHolder() {
        stage().plays("hold", (scope, input) -> scope.run(Work.of("body", running -> {
            String name = input.value().asString();
            stage().leave("running", name);
            stage().take("go " + name);
            return Json.number(running.fence().value());
        }).holding("account")));
    }

    /** Submits a scope and waits until it is in the queue. */
    private ScopeId queue(StagedHost host, String name, int alarms) throws InterruptedException {
        ScopeId scope = host.submit(name, "hold", Json.string(name));
        if (stage().parksAtOnce()) {
            host.threads().awaitAtMost(1);
        } else {
            stage().time().awaitAlarms(alarms);
        }
        return scope;
    }

    @Test
    default void waitersAreServedInTheirOrder() throws Exception {
        playsHolder();
        StagedHost host = stage().open();
        List<ScopeId> scopes = new ArrayList<>();
        scopes.add(host.submit("a", "hold", Json.string("a")));
        assertThat(stage().take("running")).isEqualTo("a");
        int alarms = stage().time().alarms();
        for (String name : List.of("b", "c", "d", "e")) {
            scopes.add(queue(host, name, ++alarms));
        }

        long fence = 0;
        for (ScopeId scope : scopes) {
            stage().leave("go " + scope, true);
            long next = host.result(scope).asLong();
            assertThat(next).as("fence of %s", scope).isGreaterThan(fence);
            fence = next;
            if (!scope.equals(scopes.getLast())) {
                assertThat(stage().take("running")).isEqualTo(scopes.get(scopes.indexOf(scope) + 1).value());
            }
        }
    }

    @Test
    default void aWaiterHoldsNoThreadForLong() throws Exception {
        playsHolder();
        StagedHost host = stage().open();
        ScopeId first = host.submit("a", "hold", Json.string("a"));
        stage().take("running");
        int alarms = stage().time().alarms();
        ScopeId second = queue(host, "b", alarms + 1);
        stage().time().advance(stage().parkAfter());

        host.threads().awaitAtMost(1);

        stage().leave("go a", true);
        host.result(first);
        stage().leave("go b", true);
        host.result(second);
    }

    @Test
    default void manyScopesNeverOverlap() throws Exception {
        var inside = new AtomicInteger();
        List<Integer> together = Collections.synchronizedList(new ArrayList<>());
        List<Long> fences = Collections.synchronizedList(new ArrayList<>());
        stage().plays("hold", (scope, input) -> scope.run(Work.of("body", running -> {
            together.add(inside.incrementAndGet());
            fences.add(running.fence().value());
            LockSupport.parkNanos(1);
            inside.decrementAndGet();
            return Json.NULL;
        }).holding("account")));
        StagedHost first = stage().open();
        StagedHost second = stage().open();
        List<ScopeId> scopes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            scopes.add((i % 2 == 0 ? first : second).submit("s" + i, "hold"));
        }

        for (ScopeId scope : scopes) {
            first.resultInTime(scope);
        }

        assertThat(together).hasSize(20).containsOnly(1);
        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void otherResourcesAreNotInTheWay() throws Exception {
        stage().plays("hold", (scope, input) -> scope.run(Work.of("body", running -> {
            stage().leave("running", input.value().asString());
            stage().take("go");
            return Json.NULL;
        }).holding(input.value().asString())));
        StagedHost host = stage().open();

        ScopeId a = host.submit("a", "hold", Json.string("a"));
        ScopeId b = host.submit("b", "hold", Json.string("b"));
        stage().take("running");
        stage().take("running");
        stage().leave("go", true);
        stage().leave("go", true);

        host.result(a);
        host.result(b);
    }

    @Test
    default void theDeathOfAHolderFreesItsResource() throws Exception {
        playsHolder();
        StagedHost first = stage().open();
        first.submit("a", "hold", Json.string("a"));
        stage().take("running");
        StagedHost second = stage().open();
        ScopeId waiter = second.submit("b", "hold", Json.string("b"));
        stage().time().advance(stage().parkAfter());
        assertThat(second.state(waiter).status()).isNotEqualTo(ScopeState.Status.ENDED);

        first.crash();
        stage().leave("go a", true);
        stage().leave("go b", true);

        assertThat(second.resultInTime(waiter).asLong()).isGreaterThan(1);
        assertThat(second.resultInTime(new ScopeId("a")).asLong()).isGreaterThan(1);
    }

    @Test
    default void aResourceMayBeKeptBeyondTheRecord() throws Exception {
        stage().plays("keeps", (scope, input) -> {
            scope.run(Work.of("body", running -> {
                stage().leave("release", running.keepResource());
                return Json.NULL;
            }).holding("account"));
            return Json.string("timed out");
        });
        playsHolder();
        StagedHost host = stage().open();
        ScopeId keeper = host.submit("keeper", "keeps");
        var release = (Runnable) stage().take("release");
        host.result(keeper);
        ScopeId next = host.submit("a", "hold", Json.string("a"));
        stage().leave("go a", true);
        stage().time().advance(java.time.Duration.ofMinutes(1));
        assertThat(host.state(next).status()).isNotEqualTo(ScopeState.Status.ENDED);

        release.run();

        assertThat(host.resultInTime(next).asLong()).isEqualTo(2);
    }

    @Test
    default void codeThatIsNoEffectMayHoldAResource() throws Exception {
        stage().plays("body", (scope, input) -> {
            var held = scope.hold(new EffectKey("body"), "account");
            try {
                stage().leave("running", input.value().asString());
                stage().takeInScope("go " + input.value().asString());
                return Json.number(held.fence().value());
            } finally {
                held.release().run();
            }
        });
        StagedHost host = stage().open();
        ScopeId first = host.submit("a", "body", Json.string("a"));
        assertThat(stage().take("running")).isEqualTo("a");
        ScopeId second = host.submit("b", "body", Json.string("b"));

        stage().leave("go b", true);
        stage().leave("go a", true);

        assertThat(host.resultInTime(first).asLong()).isEqualTo(1);
        assertThat(host.resultInTime(second).asLong()).isEqualTo(2);
    }

    @Test
    default void aWaiterThatIsCancelledDoesNotStart() throws Exception {
        playsHolder();
        StagedHost host = stage().open();
        ScopeId first = host.submit("a", "hold", Json.string("a"));
        stage().take("running");
        stage().plays("hold", (scope, input) -> {
            try {
                return scope.run(Work.of("body", running -> Json.string("ran")).holding("account"));
            } catch (dev.belay.tool.ToolException e) {
                return Json.string(e.failure().code() + ": " + e.failure().message());
            }
        });
        ScopeId second = host.submit("b", "hold", Json.string("b"));

        host.host().cancel(second, "enough");

        assertThat(host.resultInTime(second)).isEqualTo(Json.string("tool_cancelled: enough"));
        stage().leave("go a", true);
        host.result(first);
    }
}
