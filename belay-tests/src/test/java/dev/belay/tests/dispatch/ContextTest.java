package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.ContextCarrier;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.tests.session.Tenants;
import dev.belay.tool.FromHost;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.HostValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract F.5 (a context after its call), G.4 (keys), G.5 (progress), G.6 (what threads know). */
class ContextTest {

    private final Bench bench = Bench.patient();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    @Test
    void everythingThrowsAfterTheEnd() throws Exception {
        List<ToolContext> kept = new CopyOnWriteArrayList<>();
        var tools = StaticToolProvider.builder()
                .raw(tool("keep", ToolEffect.IDEMPOTENT), (arguments, context) -> kept.add(context))
                .raw(tool("resume", ToolEffect.IDEMPOTENT).resumable(true),
                        (arguments, context) -> kept.add(context))
                .build();
        bench.open(tools).run(call("keep"), call("resume"));
        List<Consumer<ToolContext>> capabilities = List.of(ToolContext::callId, ToolContext::idempotencyKey,
                ToolContext::deadline, ToolContext::cancellation, ToolContext::progress,
                ToolContext::completionKey, ToolContext::attachments, ToolContext::model,
                ToolContext::durable,
                ToolContext::fence);
        assertThat(kept).hasSize(2);
        for (ToolContext context : kept) {
            for (Consumer<ToolContext> capability : capabilities) {
                assertThatThrownBy(() -> capability.accept(context)).isInstanceOfSatisfying(
                        ToolException.class,
                        e -> assertThat(e.code()).isEqualTo("call_ended"));
            }
        }
        assertThat(bench.effects()).hasSize(3);
    }

    @Test
    void stepsThrowAfterTheEnd() throws Exception {
        var kept = new CopyOnWriteArrayList<dev.belay.tool.context.DurableEffects>();
        var tools = StaticToolProvider.builder()
                .raw(tool("resume", ToolEffect.IDEMPOTENT).resumable(true),
                        (arguments, context) -> kept.add(context.durable()))
                .build();
        bench.open(tools).run(call("resume"));
        assertThatThrownBy(() -> kept.getFirst().random("late")).isInstanceOfSatisfying(ToolException.class,
                e -> assertThat(e.code()).isEqualTo("call_ended"));
    }

    @Test
    void whatNeedsASessionIsUnavailable() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("ask", ToolEffect.READ), (arguments, context) -> context.model())
                .build();
        assertThat(bench.open(tools).run(call("ask")))
                .allSatisfy(outcome -> assertThat(outcome.code()).contains("capability_unavailable"));
    }

    @Test
    void progressKeepsItsOrderAndStandsBetweenStartAndFinish() throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("tell", ToolEffect.READ), (arguments, context) -> {
            for (int n = 0; n < 100; n++) {
                context.progress().report("step " + n);
            }
            return "done";
        }).build();
        bench.open(tools).run(call("tell"));
        assertThat(bench.event()).isInstanceOf(CallEvent.Started.class);
        for (int n = 0; n < 100; n++) {
            String message = "step " + n;
            assertThat(bench.event()).isInstanceOfSatisfying(CallEvent.Progress.class,
                    progress -> assertThat(progress.message()).isEqualTo(message));
        }
        assertThat(bench.event()).isInstanceOf(CallEvent.Finished.class);
        assertThat(bench.effects()).hasSize(1);
    }

    @Test
    void aListenerThatBlocksMissesTheOldestProgressAndHoldsUpNobody() throws Exception {
        BlockingQueue<CallEvent> heard = new LinkedBlockingQueue<>();
        DispatchListener blocked = event -> {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            heard.add(event);
        };
        var tools = StaticToolProvider.builder().raw(tool("tell", ToolEffect.READ), (arguments, context) -> {
            for (int n = 0; n < 5_000; n++) {
                context.progress().report(String.valueOf(n));
            }
            return "done";
        }).build();
        assertThat(bench.open(tools, builder -> builder.listener(blocked)).run(call("tell")))
                .containsExactly(new ToolOutcome.Success(Json.string("done")));
        released.countDown();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOf(CallEvent.Started.class);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(CallEvent.Progress.class,
                first -> {
                    assertThat(first.message()).isEqualTo("4000");
                    assertThat(first.dropped()).isEqualTo(4_000);
                });
        for (int n = 4_001; n < 5_000; n++) {
            String message = String.valueOf(n);
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(CallEvent.Progress.class,
                    next -> assertThat(next.message()).isEqualTo(message));
        }
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOf(CallEvent.Finished.class);
    }

    @Test
    void aListenerThatThrowsHarmsNobody() throws Exception {
        BlockingQueue<CallEvent> heard = new LinkedBlockingQueue<>();
        var tools = StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.READ),
                        (arguments, context) -> "done")
                .build();
        assertThat(bench.open(tools, builder -> builder.listener(event -> {
            heard.add(event);
            throw new IllegalStateException("deaf");
        })).run(call("work"))).containsExactly(new ToolOutcome.Success(Json.string("done")));
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOf(CallEvent.Started.class);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOf(CallEvent.Finished.class);
    }

    @Test
    void whatTheSubmittersThreadKnowsReachesHooksAndBodies() throws Exception {
        ThreadLocal<String> tenant = new ThreadLocal<>();
        ContextCarrier carrier = new Tenants(tenant);
        List<String> seen = new CopyOnWriteArrayList<>();
        var tools = StaticToolProvider.builder()
                .raw(tool("who", ToolEffect.READ),
                        (arguments, context) -> String.valueOf(tenant.get()))
                .build();
        var process = bench.open(tools, builder -> builder.carrier(carrier).policy(call -> {
            seen.add(String.valueOf(tenant.get()));
            return PolicyDecision.ALLOW;
        }));
        tenant.set("acme");
        try {
            process.calls.submit("batch", List.of(call("who")));
        } finally {
            tenant.remove();
        }
        assertThat(Bench.get(process.joined())).containsExactly(new ToolOutcome.Success(Json.string("acme")));
        assertThat(seen).containsExactly("acme");
    }

    @Test
    void aCarrierThatThrowsIsLeftOut() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.READ),
                        (arguments, context) -> "done")
                .build();
        assertThat(bench.open(tools, builder -> builder.carrier(new ContextCarrier() {
            @Override
            public String name() {
                return "trace";
            }

            @Override
            public Map<String, String> capture() {
                throw new IllegalStateException("no trace");
            }

            @Override
            public Restored restore(Map<String, String> captured) {
                throw new IllegalStateException("no trace");
            }
        })).run(call("work"))).containsExactly(new ToolOutcome.Success(Json.string("done")));
    }

    /** Methods that ask the host. */
    public static final class Greeter {

        /** Greets. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public String greet(@FromHost StringBuilder tenant) {
            return "hello " + tenant;
        }
    }

    @Test
    void valuesOfTheHostReachTheBody() throws Exception {
        var values = HostValues.NONE.with(StringBuilder.class, () -> new StringBuilder("acme"));
        assertThat(bench.open(ToolMethods.of(new Greeter()), builder -> builder.hostValues(values))
                .run(call("greet"))).extracting(ToolOutcome::text).containsExactly("hello acme");
    }

    @Test
    void keysDifferBetweenStoresAndNotBetweenProcesses() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("key", ToolEffect.READ),
                        (arguments, context) -> context.idempotencyKey().value())
                .build();
        var keys = new ArrayList<String>();
        for (int seed = 1; seed < 3; seed++) {
            int own = seed;
            try (var store = Bench.patient()) {
                keys.add(store.open(tools, builder -> builder.random(new java.util.Random(own)))
                        .run(call("key"))
                        .getFirst()
                        .text());
            }
        }
        assertThat(keys).doesNotHaveDuplicates();
    }
}
