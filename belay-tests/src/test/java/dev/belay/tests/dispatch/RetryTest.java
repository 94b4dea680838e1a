package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract G.3: attempts, delays, and who may be tried again. */
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are asserted through the batch
class RetryTest {

    private static final RetryPolicy THREE = new RetryPolicy(3, Duration.ofSeconds(10), 2,
            Duration.ofMinutes(5));

    private final Bench bench = Bench.parking();
    private final AtomicInteger attempts = new AtomicInteger();
    private final List<Instant> times = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Integer> tried = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private StaticToolProvider failing(ToolDefinition definition, ToolFailure failure, int times) {
        return StaticToolProvider.builder().raw(definition, (arguments, context) -> {
            int number = attempts.incrementAndGet();
            this.times.add(bench.time.now());
            tried.add(number);
            if (number <= times) {
                throw new ToolException(failure);
            }
            return "attempt " + number;
        }).build();
    }

    private static ToolFailure mayRetry() {
        return ToolFailure.of(ToolFailure.Kind.EXTERNAL, "tool_failed", "busy")
                .withRetry(RetryAdvice.ALLOWED);
    }

    private static ToolDefinition three(ToolEffect effect) {
        return tool("flaky", effect).retry(THREE);
    }

    @Test
    void aFailureThatAllowsItIsTriedAgain() throws Exception {
        var task = bench.open(failing(three(ToolEffect.READ), mayRetry(), 2)).start(call("flaky"));
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofSeconds(10));
        tried.take();
        tried.take();
        bench.awaitWrite("effect call/0/attempt/2 COMPLETED");
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.string("attempt 3")));
        assertThat(bench.effects()).containsExactly("effect call/0/attempt/1 COMPLETED",
                "effect call/0/attempt/2 COMPLETED", "effect call/0/attempt/3 COMPLETED");
    }

    @Test
    void theLastFailureSaysHowOften() throws Exception {
        var task = bench.open(failing(three(ToolEffect.IDEMPOTENT), mayRetry(), 9)).start(call("flaky"));
        for (int n = 1; n < 3; n++) {
            tried.take();
            bench.awaitWrite("effect call/0/attempt/" + n + " COMPLETED");
            bench.time.advance(Duration.ofMinutes(5));
        }
        assertThat(Bench.get(task).getFirst().text())
                .isEqualTo("Error (tool_failed): busy (after 3 attempts)");
        assertThat(attempts).hasValue(3);
    }

    @Test
    void otherFailuresAreNotTriedAgain() throws Exception {
        var never = ToolFailure.of("no such order");
        assertThat(bench.open(failing(three(ToolEffect.READ), never, 9)).run(call("flaky")))
                .containsExactly(new ToolOutcome.Failure(never));
        assertThat(attempts).hasValue(1);
    }

    @Test
    void withoutAPolicyNothingIsTriedAgain() throws Exception {
        assertThat(bench.open(failing(tool("flaky", ToolEffect.READ), mayRetry(), 9)).run(call("flaky")))
                .containsExactly(new ToolOutcome.Failure(mayRetry()));
        assertThat(attempts).hasValue(1);
    }

    @Test
    void readingThatFailsMayBeTriedAgain() throws Exception {
        var tools = StaticToolProvider.builder().raw(three(ToolEffect.READ), (arguments, context) -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IOException("reset");
            }
            return "read";
        }).build();
        var task = bench.open(tools).start(call("flaky"));
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofSeconds(10));
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.string("read")));
    }

    @Test
    void aServiceThatAsksForTimeGetsIt() throws Exception {
        var later = mayRetry().withRetry(RetryAdvice.after(Duration.ofMinutes(2)));
        var task = bench.open(failing(three(ToolEffect.READ), later, 1)).start(call("flaky"));
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofMinutes(2).minusNanos(1));
        assertThat(attempts).hasValue(1);
        bench.time.advance(Duration.ofSeconds(10));
        Bench.get(task);
        assertThat(Duration.between(times.get(0), times.get(1))).isBetween(Duration.ofMinutes(2),
                Duration.ofSeconds(130));
    }

    @Test
    void aRestartDoesNotBeginTheDelayAnew() throws Exception {
        var tools = failing(three(ToolEffect.READ),
                mayRetry().withRetry(RetryAdvice.after(Duration.ofHours(1))), 1);
        var first = bench.open(tools);
        first.start(call("flaky"));
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofMinutes(40));
        first.kill();
        var second = bench.open(tools);
        bench.time.advance(Duration.ofMinutes(21));
        assertThat(Bench.get(second.joined()))
                .containsExactly(new ToolOutcome.Success(Json.string("attempt 2")));
        assertThat(Duration.between(times.get(0), times.get(1))).isLessThanOrEqualTo(Duration.ofMinutes(61));
    }

    @Test
    void cancelEndsTheDelay() throws Exception {
        var process = bench.open(failing(three(ToolEffect.READ), mayRetry(), 9));
        var task = process.start(call("flaky"));
        bench.awaitWrite("park batch");
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Cancelled("enough"));
        assertThat(attempts).hasValue(1);
    }

    @Test
    void theTotalCoversAllAttempts() throws Exception {
        var definition = three(ToolEffect.READ).timeouts(new Timeouts(Duration.ofMinutes(1), null));
        BlockingQueue<Boolean> proceed = new LinkedBlockingQueue<>();
        var tools = StaticToolProvider.builder().raw(definition, (arguments, context) -> {
            tried.add(attempts.incrementAndGet());
            proceed.take();
            throw new ToolException(mayRetry());
        }).build();
        var task = bench.open(tools).start(call("flaky"));
        tried.take();
        bench.time.advance(Duration.ofSeconds(40));
        proceed.add(true);
        bench.awaitWrite("park batch");
        bench.time.advance(Duration.ofSeconds(10));
        tried.take();
        bench.time.advance(Duration.ofSeconds(20));
        assertThat(Bench.get(task).getFirst().code()).contains("tool_timeout");
    }
}
