package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract L.4 for attachments: a store that fails while a body keeps something is not the outcome of the call. */
@Timeout(60)
class FailingStoreTest {

    private static final byte[] BYTES = {1};

    private final SharedMemory records = new SharedMemory();
    private final AtomicInteger runs = new AtomicInteger();

    /** A journal in which one method is answered by the given code, as often as there are failures; then it works. */
    private Store failing(String method, int failures, Callable<?> answer) {
        var left = new AtomicInteger(failures);
        return Intercepted.store(records.open(),
                (what, real) -> what.startsWith(method) && left.getAndDecrement() > 0
                        ? answer.call()
                        : real.call());
    }

    private DurableCalls open(Store journal, ToolDefinition definition, ToolBody<Json, ?> body) {
        return DurableCalls.open(JournalEffectHost.open(journal),
                StaticToolProvider.builder().raw(definition, (in, context) -> {
                    runs.incrementAndGet();
                    return body.run(in, context);
                }).build());
    }

    private static Object full() {
        throw new JournalException("the disk is full", null);
    }

    private static Object broken() {
        throw JournalException.corrupt("the page is torn", null);
    }

    @Test
    void aStoreThatFailsForAWhileHoldsUpTheBodyAndNoMore() throws Exception {
        for (String method : List.of("keep ", "read kept ")) {
            runs.set(0);
            try (var calls = open(failing(method, 2, FailingStoreTest::full), tool("work", ToolEffect.ONCE),
                    (in, context) -> context.attachments()
                            .get(context.attachments().put(BYTES, "a/b")).length)) {
                assertThat(calls.run("batch " + method, List.of(call("work"))).outcomes())
                        .containsExactly(new ToolOutcome.Success(Json.number(1)));
                assertThat(runs).as("a body that must not be repeated").hasValue(1);
            }
        }
    }

    @Test
    void whateverABodyMakesOfABrokenStoreIsNoOutcome() throws Exception {
        List<ToolBody<Json, ?>> bodies = List.of(
                (in, context) -> context.attachments().put(BYTES, "a/b").hash(), (in, context) -> {
                    try {
                        return context.attachments().put(BYTES, "a/b").hash();
                    } catch (RuntimeException e) {
                        return "fine";
                    }
                });
        for (boolean resumable : new boolean[]{false, true}) {
            for (ToolBody<Json, ?> body : bodies) {
                var scope = new ScopeId("batch " + runs);
                try (var calls = open(failing("keep ", 1, FailingStoreTest::broken),
                        tool("work", ToolEffect.READ).resumable(resumable), body)) {
                    calls.submit(scope.value(), List.of(call("work")));
                    awaitStuck(calls, scope);
                    assertThat(results(scope)).doesNotContain("fine", "tool_threw");
                    calls.retry(scope.value());
                    assertThat(calls.join(scope.value()).orElseThrow()).as("once the store works")
                            .allMatch(ToolOutcome.Success.class::isInstance);
                }
            }
        }
    }

    @Test
    void aStepThatSwallowsABrokenStoreIsNotRecorded() throws Exception {
        for (boolean says : new boolean[]{true, false}) {
            var scope = new ScopeId("batch " + says);
            try (var calls = open(failing("keep ", 1, FailingStoreTest::broken),
                    tool("work", ToolEffect.READ).resumable(true),
                    (in, context) -> context.durable().run("step", Json.NULL, input -> {
                        try {
                            return Json.string(context.attachments().put(BYTES, "a/b").mediaType());
                        } catch (RuntimeException e) {
                            if (says) {
                                throw new ToolException(ToolFailure.of(ToolFailure.Kind.IO, "tool_failed",
                                        "so be it"), e);
                            }
                            return Json.string("so be it");
                        }
                    }))) {
                calls.submit(scope.value(), List.of(call("work")));
                awaitStuck(calls, scope);
                assertThat(results(scope)).doesNotContain("so be it");
                calls.retry(scope.value());
                assertThat(calls.join(scope.value()).orElseThrow()).extracting(ToolOutcome::text)
                        .containsExactly("a/b");
            }
        }
    }

    @Test
    void aScopeThatCannotBeEnteredAgainIsStuckAndDoesNotTryForEver() {
        Store journal = Intercepted.store(records.open(),
                (what, real) -> switch (what.split(" ", -1)[0]) {
                    case "end" -> full();
                    case "reenter" -> broken();
                    default -> real.call();
                });
        try (var calls = open(journal, tool("work", ToolEffect.READ), (in, context) -> "done")) {
            calls.submit("batch", List.of(call("work")));
            awaitStuck(calls, new ScopeId("batch"));
        }
    }

    @Test
    void aBodyWhoseScopeWasTakenOverKeepsAndRecordsNothing() throws Exception {
        var scope = new ScopeId("batch");
        var begun = new CountDownLatch(1);
        try (var calls = open(failing("keep ", 1, () -> false), tool("work", ToolEffect.READ),
                (in, context) -> {
                    begun.countDown();
                    return context.attachments().put(BYTES, "a/b").hash();
                })) {
            calls.submit("batch", List.of(call("work")));
            begun.await();
        }
        assertThat(results(scope)).isEmpty();
    }

    /** A batch that ended after all has an outcome, which is what must not be. */
    private static void awaitStuck(DurableCalls calls, ScopeId scope) {
        assertThatThrownBy(() -> calls.join(scope.value())).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("scope_stuck")).hasMessageContaining("the page is torn");
    }

    /** What was recorded of a batch. */
    private String results(ScopeId scope) {
        try (var journal = new StoreDriver(records.open())) {
            return String.join(" ", journal.effects(scope)
                    .stream()
                    .map(EffectRow::result)
                    .map(String::valueOf)
                    .toList());
        }
    }
}
