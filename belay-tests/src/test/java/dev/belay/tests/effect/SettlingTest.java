package dev.belay.tests.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import dev.belay.tests.LateWriting;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** After work that ran ahead, every operation of a scope waits until that work is recorded (decision 0016). */
@Timeout(120)
class SettlingTest {

    private static final Instant PAST = Instant.EPOCH;

    /** Work that runs ahead. */
    private record Look() implements Effect<Json> {

        @Override
        public EffectKey key() {
            return new EffectKey("look");
        }

        @Override
        public Json identity() {
            return Json.NULL;
        }

        @Override
        public boolean runsAhead() {
            return true;
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, Json.NULL);
        }

        @Override
        public Json run(Running running) {
            return Json.string("seen");
        }

        @Override
        public Json encode(Json value) {
            return value;
        }

        @Override
        public Json decode(Json recorded) {
            return recorded;
        }

        @Override
        public Json doubt(Running started) {
            throw new IllegalStateException("it was never started");
        }
    }

    /** The writes and answers of a scope that runs this root, in their order. */
    private static List<String> order(Function<EffectScope, Json> root) throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        var over = new CountDownLatch(1);
        var thread = new AtomicReference<@Nullable Thread>();
        Store real = new SharedMemory().open();
        Store late = Intercepted.store(real, (what, further) -> {
            String verb = what.split(" ", -1)[0];
            if (what.startsWith("begin effect ")) {
                return LateWriting.of(Objects.requireNonNull(thread.get()), order, () -> {
                    order.add("recorded");
                    return LateWriting.written(further);
                });
            }
            if (List.of("hold", "resolve", "park", "end").contains(verb)) {
                order.add(verb);
            }
            Object answer = further.call();
            if (verb.equals("park") || verb.equals("end")) {
                over.countDown();
            }
            return answer;
        });
        try (var host = JournalEffectHost.open(late)) {
            host.serve(new ScopeRunner() {
                @Override
                public Json run(EffectScope scope, ScopeInput input) {
                    thread.set(Thread.currentThread());
                    return root.apply(told(scope, order));
                }

                @Override
                public ToolOutcome child(EffectScope scope, ScopeInput input) {
                    return new LookingChild().run(scope);
                }
            });
            host.submit(new ScopeId("s"), new ScopeInput("root", Json.NULL));
            over.await();
        }
        return order;
    }

    /** The same scope, which notes each of its answers. */
    private static EffectScope told(EffectScope scope, List<String> order) {
        return Intercepted.of(ClaimedScope.class, ClaimedScope.of(scope), (method, real) -> {
            Object answer = real.call();
            if (!method.equals("run") && !method.equals("id") && !method.equals("completionKey")) {
                order.add("told");
            }
            return answer;
        });
    }

    private record LookingChild() implements ChildCommand.Child {

        @Override
        public ScopeInput input() {
            return new ScopeInput("child", Json.NULL);
        }

        @Override
        public ToolOutcome run(EffectScope scope) {
            return new ToolOutcome.Success(scope.run(new Look()));
        }
    }

    private static List<ChildCommand> two() {
        return Stream.of("a", "b")
                .map(name -> new ChildCommand(new EffectKey(name), new LookingChild()))
                .toList();
    }

    @Test
    void aScopeEndsOrParksWhenAllIsRecorded() throws Exception {
        assertThat(order(scope -> scope.run(new Look()))).containsExactly("recorded", "end");
        assertThat(order(scope -> {
            scope.run(new Look());
            scope.rest();
            return Json.NULL;
        })).containsExactly("recorded", "park");
    }

    @Test
    void whatChildrenCameToIsToldWhenItIsRecorded() throws Exception {
        assertThat(order(scope -> {
            scope.children(two());
            return Json.NULL;
        })).containsExactly("recorded", "recorded", "told", "end");
        assertThat(order(scope -> {
            scope.childrenInTurn(two());
            return Json.NULL;
        })).containsExactly("recorded", "recorded", "told", "end");
        assertThat(order(scope -> {
            scope.child(two().getFirst());
            return Json.NULL;
        })).containsExactly("recorded", "told", "end");
    }

    @TestFactory
    Stream<DynamicTest> allElseWaits() {
        Map<String, Consumer<EffectScope>> ways = Map.of(
                "write", scope -> ClaimedScope.of(scope).write(Claim::fence),
                "hold", scope -> scope.hold(new EffectKey("h"), "resource").release().run(),
                "settle", scope -> scope.settle(new WaitName("w"), Resolution.ok(Json.NULL)),
                "await",
                scope -> scope.await(scope.completionKey(new WaitName("w")), new Deadline(PAST)),
                "sleepUntil", scope -> scope.sleepUntil(PAST));
        return ways.entrySet()
                .stream()
                .map(way -> DynamicTest.dynamicTest(way.getKey(), () -> assertThat(
                        order(scope -> {
                            scope.run(new Look());
                            way.getValue().accept(scope);
                            return Json.NULL;
                        })).startsWith("recorded").contains("told")));
    }
}
