package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract E: who runs when. */
@SuppressWarnings("ThreadPriorityCheck") // gives other bodies a chance to do what must not happen
class SchedulingTest {

    private static final ToolDefinition ACCOUNT = ToolDefinition.raw("account", "Works on an account.",
            Json.of("{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"}},"
                    + "\"required\":[\"id\"]}"))
            .effect(ToolEffect.IDEMPOTENT)
            .exclusive("account:{id}");

    private final Bench bench = Bench.patient();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void parallelCallsRunTogetherAndSerialOnesAfterThemInOrder() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        var together = new CyclicBarrier(3);
        var tools = StaticToolProvider.builder()
                .raw(tool("parallel", ToolEffect.READ), (arguments, context) -> {
                    together.await();
                    log.add("parallel");
                    return "p";
                })
                .raw(tool("serial", ToolEffect.READ).scheduling(Scheduling.SERIAL), (arguments, context) -> {
                    log.add("begin " + context.callId());
                    Thread.yield();
                    log.add("end " + context.callId());
                    return context.callId().value();
                })
                .build();
        List<ToolOutcome> outcomes = bench.open(tools)
                .run(call("serial"), call("parallel"), call("nobody"), call("serial"), call("parallel"),
                        call("parallel"));
        assertThat(log).containsExactly("parallel", "parallel", "parallel", "begin call_0_0", "end call_0_0",
                "begin call_0_3", "end call_0_3");
        assertThat(outcomes).extracting(outcome -> outcome.code().orElse(outcome.text()))
                .containsExactly("call_0_0", "p", "unknown_tool", "call_0_3", "p", "p");
    }

    @Test
    void bodiesWithOneResourceDoNotOverlapAndFollowTheModelsOrder() throws Exception {
        List<Json> order = new CopyOnWriteArrayList<>();
        List<Long> fences = new CopyOnWriteArrayList<>();
        var running = new AtomicInteger();
        var tools = StaticToolProvider.builder().raw(ACCOUNT, (arguments, context) -> {
            int others = running.getAndIncrement();
            order.add(arguments.get("n").orElseThrow());
            fences.add(context.fence().value());
            Thread.yield();
            running.decrementAndGet();
            return others;
        }).build();
        CallRequest[] calls = new CallRequest[40];
        for (int n = 0; n < calls.length; n++) {
            calls[n] = new CallRequest("account", "{\"id\":\"a\",\"n\":" + n + "}");
        }
        List<ToolOutcome> outcomes = bench.open(tools).run(calls);
        assertThat(outcomes).containsOnly(new ToolOutcome.Success(Json.number(0)));
        assertThat(order).hasSize(40).isSortedAccordingTo((a, b) -> Long.compare(a.asLong(), b.asLong()));
        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void bodiesWithOtherResourcesOverlap() throws Exception {
        var together = new CyclicBarrier(2);
        var tools = StaticToolProvider.builder()
                .raw(ACCOUNT, (arguments, context) -> together.await())
                .build();
        assertThat(bench.open(tools)
                .run(new CallRequest("account", "{\"id\":\"a\"}"),
                        new CallRequest("account", "{\"id\":\"b\"}")))
                .allSatisfy(outcome -> assertThat(outcome.code()).isEmpty());
    }

    @Test
    void resumableBodiesWithOneResourceDoNotOverlapAndFollowTheModelsOrder() throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        List<Json> order = new CopyOnWriteArrayList<>();
        var tools = StaticToolProvider.builder().raw(ACCOUNT.resumable(true), (arguments, context) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            order.add(arguments.get("n").orElseThrow());
            context.durable().run("step", Json.NULL, input -> Json.TRUE);
            Thread.yield();
            running.decrementAndGet();
            return context.fence().value();
        }).build();
        CallRequest[] calls = new CallRequest[20];
        for (int n = 0; n < calls.length; n++) {
            calls[n] = new CallRequest("account", "{\"id\":\"a\",\"n\":" + n + "}");
        }
        assertThat(bench.open(tools).run(calls))
                .allSatisfy(outcome -> assertThat(outcome.code()).isEmpty())
                .doesNotHaveDuplicates();
        assertThat(most).hasValue(1);
        assertThat(order).hasSize(20).isSortedAccordingTo((a, b) -> Long.compare(a.asLong(), b.asLong()));
    }

    @Test
    void aCapHoldsAndWaitingTakesNoTime() throws Exception {
        var entered = new Semaphore(0);
        var proceed = new Semaphore(0);
        var running = new AtomicInteger();
        var tools = StaticToolProvider.builder()
                .raw(tool("slow", ToolEffect.READ).timeouts(new Timeouts(Duration.ofMinutes(1), null)),
                        (arguments, context) -> {
                            int now = running.incrementAndGet();
                            entered.release();
                            proceed.acquire();
                            running.decrementAndGet();
                            return now;
                        })
                .build();
        var task = bench.open(tools, builder -> builder.caps(CallCaps.NONE.withTool("slow", 1)))
                .start(call("slow"), call("slow"), call("slow"));
        for (int n = 0; n < 3; n++) {
            entered.acquire();
            bench.time.advance(Duration.ofSeconds(50));
            proceed.release();
        }
        assertThat(Bench.get(task)).containsOnly(new ToolOutcome.Success(Json.number(1)));
    }

    @Test
    void waitingForAPlaceCanBeCancelled() throws Exception {
        var entered = new CountDownLatch(1);
        var tools = StaticToolProvider.builder().raw(tool("slow", ToolEffect.READ), (arguments, context) -> {
            entered.countDown();
            new CountDownLatch(1).await();
            return "never";
        }).build();
        var process = bench.open(tools, builder -> builder.caps(CallCaps.NONE.withBatch(1)));
        var task = process.start(call("slow"), call("slow"), call("slow"));
        entered.await();
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).containsOnly(new ToolOutcome.Cancelled("enough"));
    }
}
