package dev.belay.tests.stopping;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.event.Level;

/** Contract V.2: while a runtime drains no attempt, step and retry begins, except in scopes that a running body waits for. */
@Timeout(60)
class DrainEffectsTest {

    private final SharedMemory memory = new SharedMemory();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    private Belay open(Model model, StaticToolProvider tools) {
        return Belay.builder()
                .model(model)
                .tools(tools)
                .store(memory.open())
                .drain(Duration.ofMinutes(1))
                .build();
    }

    /** What runs first, until the test lets it end. */
    private void hold() throws InterruptedException {
        first.incrementAndGet();
        running.countDown();
        mayEnd.await();
    }

    private static FutureTask<Boolean> closing(Belay belay) {
        var closing = new FutureTask<>(belay::close, true);
        Thread.ofPlatform().daemon().start(closing);
        while (belay.health().life() == Health.Life.WORKING) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        return closing;
    }

    /** Closes the runtime while its first body runs, and goes on in another. */
    private String acrossADrain(Model model, StaticToolProvider tools) throws Exception {
        Belay belay = open(model, tools);
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown();
        closed.get();
        assertThat(first).hasValue(1);
        assertThat(second).as("does not begin while it drains").hasValue(0);
        try (Belay next = open(model, tools)) {
            String said = next.session("s").input("i").orElseThrow().awaitCommit().text();
            assertThat(next.doubts().open(0, 9)).isEmpty();
            return said;
        }
    }

    @Test
    void attemptOfTheNextCallBeginsElsewhere() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("one", ToolEffect.ONCE).scheduling(Scheduling.SERIAL), (in, context) -> {
                    hold();
                    return "one";
                })
                .raw(tool("two", ToolEffect.ONCE).scheduling(Scheduling.SERIAL), (in, context) -> {
                    second.incrementAndGet();
                    return "two";
                })
                .build();
        assertThat(acrossADrain(calling(List.of(call("a", "one"), call("b", "two"))), tools))
                .isEqualTo("done: one, two");
        assertThat(first).as("is not repeated").hasValue(1);
        assertThat(second).hasValue(1);
    }

    @Test
    void nextStepOfABodyBeginsElsewhereAndThoseBeforeAreNotRepeated() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("flow", ToolEffect.ONCE).resumable(true), (in, context) -> {
                    context.durable().run("one", Json.NULL, input -> {
                        hold();
                        return Json.TRUE;
                    });
                    return context.durable().run("two", Json.NULL, input -> {
                        second.incrementAndGet();
                        return Json.string("both");
                    }).asString();
                })
                .build();
        assertThat(acrossADrain(calling(List.of(call("a", "flow"))), tools)).isEqualTo("done: both");
        assertThat(first).as("is not repeated").hasValue(1);
        assertThat(second).hasValue(1);
    }

    @Test
    void retryBeginsElsewhere() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("flaky", ToolEffect.IDEMPOTENT)
                        .retry(new RetryPolicy(3, Duration.ofMillis(1), 1, Duration.ofMillis(1))),
                        (in, context) -> {
                            if (first.get() == 0) {
                                hold();
                                throw new ToolException(
                                        ToolFailure.of(ToolFailure.Kind.EXTERNAL, "tool_failed", "busy")
                                                .withRetry(RetryAdvice.ALLOWED));
                            }
                            second.incrementAndGet();
                            return "after all";
                        })
                .build();
        assertThat(acrossADrain(calling(List.of(call("a", "flaky"))), tools)).isEqualTo("done: after all");
        assertThat(second).hasValue(1);
    }

    @Test
    void batchThatABodyWaitsForGoesOn() throws Exception {
        var runtime = new AtomicReference<Belay>();
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.ONCE), (in, context) -> {
                    var calls = runtime.get().calls();
                    calls.submit("b", List.of(new CallRequest("one", "{}"), new CallRequest("two", "{}")));
                    return calls.join("b").orElseThrow().getLast().text();
                })
                .raw(tool("one", ToolEffect.ONCE).scheduling(Scheduling.SERIAL), (in, context) -> {
                    hold();
                    return "one";
                })
                .raw(tool("two", ToolEffect.ONCE).scheduling(Scheduling.SERIAL), (in, context) -> {
                    second.incrementAndGet();
                    return "two";
                })
                .build();
        Model model = calling(List.of(call("a", "delegate")));
        Belay belay = open(model, tools);
        runtime.set(belay);
        belay.session("s").turn("Go.").id("i").submit();
        running.await();
        FutureTask<Boolean> closed = closing(belay);
        mayEnd.countDown();
        closed.get();
        assertThat(second).as("begins while it drains, because a body waits for it").hasValue(1);
        try (Belay next = open(model, tools)) {
            assertThat(next.session("s").input("i").orElseThrow().awaitCommit().text())
                    .isEqualTo("done: two");
        }
    }

    /** Five entries without a new record make a turn stuck; entries that the end of a drain cuts do not count. */
    @Test
    void turnThatIsCutInEachOfManyRestartsIsNotStuck() throws Exception {
        Model model = calling(List.of(call("a", "look")));
        for (int restart = 0; restart < 8; restart++) {
            var begun = new CountDownLatch(1);
            Belay belay = open(model, StaticToolProvider.builder()
                    .raw(tool("look", ToolEffect.READ), (in, context) -> {
                        begun.countDown();
                        new CountDownLatch(1).await();
                        return "never";
                    })
                    .build());
            belay.session("s").turn("Go.").id("i").submit();
            begun.await();
            belay.close(Duration.ZERO);
        }
        try (Belay last = open(model, StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (in, context) -> "seen")
                .build())) {
            assertThat(last.stuck()).isEmpty();
            assertThat(last.session("s").input("i").orElseThrow().awaitCommit().text())
                    .isEqualTo("done: seen");
        }
    }

    @Test
    void drainSaysOnceForWhatItWaits() throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("pay", ToolEffect.ONCE), (in, context) -> {
            hold();
            return "paid";
        }).build();
        Belay belay = open(calling(List.of(call("a", "pay"))), tools);
        belay.session("s").turn("Go.").submit();
        running.await();
        try (var log = HeardLog.of("dev.belay.runtime", Level.INFO)) {
            FutureTask<Boolean> closed = closing(belay);
            FutureTask<Boolean> again = closing(belay);
            mayEnd.countDown();
            closed.get();
            again.get();
            belay.close();
            assertThat(log.from("Stops, and waits")).containsExactly(
                    "Stops, and waits up to PT1M for what runs. Turns (session/turn): s/1; other work: none; tools: pay");
        }
    }

    @Test
    void drainIs25SecondsUnlessSaidOtherwise() throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("pay", ToolEffect.READ), (in, context) -> {
            hold();
            return "paid";
        }).build();
        Belay belay = Belay.builder()
                .model(calling(List.of(call("a", "pay"))))
                .tools(tools)
                .store(memory.open())
                .build();
        belay.session("s").turn("Go.").submit();
        running.await();
        try (var log = HeardLog.of("dev.belay.runtime", Level.INFO)) {
            FutureTask<Boolean> closed = closing(belay);
            mayEnd.countDown();
            closed.get();
            assertThat(log.from("Stops, and waits")).singleElement().asString().contains("up to PT25S");
        }
    }
}
