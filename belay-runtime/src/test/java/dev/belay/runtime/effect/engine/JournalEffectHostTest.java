package dev.belay.runtime.effect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine from end to end on records in memory; the contract in the test kit says the rest. */
@Timeout(120)
class JournalEffectHostTest {

    private static final ScopeId SCOPE = new ScopeId("s");
    private static final ScopeInput INPUT = new ScopeInput("root/1", Json.string("in"));

    private final SharedMemory records = new SharedMemory();

    private JournalEffectHost host(Duration parkAfter) {
        return JournalEffectHost.open(records.open(),
                HostOptions.DEFAULT.withParkAfter(parkAfter));
    }

    private static Effect<Json> effect(String key, ToolEffect effect,
            java.util.function.Supplier<Json> body) {
        return new Effect<>() {
            @Override
            public EffectKey key() {
                return new EffectKey(key);
            }

            @Override
            public Json identity() {
                return Json.string(key);
            }

            @Override
            public Plan plan() {
                return Plan.of(effect, Json.string("input"));
            }

            @Override
            public Json run(Running running) {
                return body.get();
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
                return Json.string("doubt");
            }
        };
    }

    @Test
    void aScopeRunsAndEnds() throws Exception {
        try (var host = host(Duration.ofSeconds(1))) {
            host.serve((scope, input) -> scope.run(effect("a", ToolEffect.READ, () -> Json.number(1))));
            host.submit(SCOPE, INPUT);
            assertThat(host.join(SCOPE).orElseThrow().result()).isEqualTo(Json.number(1));
        }
    }

    @Test
    void parkedChildrenAreWokenTogetherAndEndOnce() throws Exception {
        var keys = new LinkedBlockingQueue<CompletionKey>();
        var runs = new AtomicInteger();
        try (var host = host(Duration.ZERO)) {
            var child = new ChildCommand.Child() {
                @Override
                public ScopeInput input() {
                    return new ScopeInput("call/1", Json.NULL);
                }

                @Override
                public ToolOutcome run(EffectScope scope) {
                    scope.run(effect("started", ToolEffect.ONCE, () -> {
                        runs.incrementAndGet();
                        return Json.NULL;
                    }));
                    CompletionKey key = scope.completionKey(new WaitName("done"));
                    keys.add(key);
                    return switch (scope.await(key, Deadline.NONE)) {
                        case Resolution.Ok(Json value) -> new ToolOutcome.Success(value);
                        default -> new ToolOutcome.Cancelled("no");
                    };
                }
            };
            host.serve(new ScopeRunner() {
                @Override
                public Json run(EffectScope scope, ScopeInput input) {
                    List<ChildCommand> commands = new ArrayList<>();
                    for (int i = 0; i < 3; i++) {
                        commands.add(new ChildCommand(new EffectKey("call/" + i), child));
                    }
                    List<ToolOutcome> outcomes = scope.children(commands);
                    return Json.array(outcomes.stream().map(OutcomeJson::of).toList());
                }

                @Override
                public ToolOutcome child(EffectScope scope, ScopeInput input) {
                    return child.run(scope);
                }
            });
            host.submit(SCOPE, INPUT);
            List<CompletionKey> three = List.of(keys.take(), keys.take(), keys.take());
            for (CompletionKey key : three) {
                assertThat(host.resolve(key, Resolution.ok(Json.string(key.id()))))
                        .isEqualTo(new Delivery.Accepted());
                assertThat(host.resolve(key, Resolution.ok(Json.string(key.id()))))
                        .isEqualTo(new Delivery.Same());
            }
            assertThat(java.util.Objects.requireNonNull(host.join(SCOPE).orElseThrow().result()).items())
                    .hasSize(3);
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void aClosedHostLeavesItsScopesToTheNext() throws Exception {
        var runs = new AtomicInteger();
        ScopeRunner runner = (scope, input) -> {
            Json first = scope.run(effect("a", ToolEffect.READ, () -> Json.number(runs.incrementAndGet())));
            scope.sleep(new EffectKey("nap"), Duration.ofMillis(20));
            return first;
        };
        try (var host = host(Duration.ZERO)) {
            host.serve(runner);
            host.submit(SCOPE, INPUT);
        }
        try (var host = host(Duration.ZERO)) {
            host.serve(runner);
            assertThat(host.join(SCOPE).orElseThrow().result()).isEqualTo(Json.number(1));
        }
    }
}
