package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract G.1 and G.2: deadlines, grace, late results, cancellation. No sibling runs on after an error. */
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are asserted through the batch
class TimeTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Bench bench = Bench.patient();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    private static ToolDefinition limited(ToolEffect effect) {
        return tool("slow", effect).timeouts(new Timeouts(MINUTE, null));
    }

    private static StaticToolProvider tools(ToolDefinition definition, ToolBody<Json, ?> body) {
        return StaticToolProvider.builder()
                .raw(definition, body)
                .raw(tool("quick", ToolEffect.READ), (arguments, context) -> "quick")
                .raw(tool("after", ToolEffect.ONCE).scheduling(Scheduling.SERIAL),
                        (arguments, context) -> "after")
                .build();
    }

    /** Ends when it is interrupted. */
    private Object obedient() throws InterruptedException {
        entered.countDown();
        new CountDownLatch(1).await();
        return "never";
    }

    /** Goes on when it is interrupted. */
    private String deaf() {
        entered.countDown();
        boolean done = false;
        while (!done) {
            try {
                released.await();
                done = true;
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        }
        return "late";
    }

    @Test
    void aBodyPastItsDeadlineIsInterrupted() throws Exception {
        var task = bench.open(tools(limited(ToolEffect.READ), (arguments, context) -> obedient()))
                .start(call("slow"), call("quick"), call("after"));
        entered.await();
        bench.time.advance(MINUTE);
        List<ToolOutcome> outcomes = Bench.get(task);
        assertThat(outcomes.get(0)).isEqualTo(new ToolOutcome.Failure(ToolFailure.ofRuntime(
                ToolFailure.Kind.TIMEOUT, "tool_timeout", "tool slow did not finish within PT1M")));
        assertThat(outcomes.subList(1, 3)).extracting(ToolOutcome::text).containsExactly("quick", "after");
    }

    @Test
    void theTokenIsSetAndTheDeadlineIsKnown() throws Exception {
        BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
        var task = bench.open(tools(limited(ToolEffect.READ), (arguments, context) -> {
            seen.add(context.deadline().orElseThrow());
            var token = context.cancellation();
            seen.add(token.isRequested());
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                seen.add(token.reason());
            }
            return "never";
        })).start(call("slow"));
        entered.await();
        var deadline = bench.time.now().plus(MINUTE);
        bench.time.advance(MINUTE);
        Bench.get(task);
        assertThat(seen).containsExactly(deadline, false, Optional.of("did not finish within PT1M"));
    }

    @Test
    void theDefaultIsTenMinutes() throws Exception {
        var task = bench.open(tools(tool("slow", ToolEffect.READ), (arguments, context) -> obedient()))
                .start(call("slow"));
        entered.await();
        bench.time.advance(Duration.ofMinutes(10).minusNanos(1));
        assertThat(task.isDone()).isFalse();
        bench.time.advance(Duration.ofNanos(1));
        assertThat(Bench.get(task).getFirst().code()).contains("tool_timeout");
    }

    @Test
    void progressResetsTheIdleDeadline() throws Exception {
        BlockingQueue<String> say = new LinkedBlockingQueue<>();
        var said = new LinkedBlockingQueue<String>();
        var task = bench.open(tools(tool("slow", ToolEffect.READ).timeouts(new Timeouts(null, MINUTE)),
                (arguments, context) -> {
                    entered.countDown();
                    while (true) {
                        String word = say.take();
                        context.progress().report(word);
                        said.add(word);
                    }
                })).start(call("slow"));
        entered.await();
        for (int n = 0; n < 3; n++) {
            bench.time.advance(Duration.ofSeconds(59));
            say.add("on");
            assertThat(said.poll(30, TimeUnit.SECONDS)).isEqualTo("on");
        }
        bench.time.advance(Duration.ofSeconds(59));
        assertThat(task.isDone()).isFalse();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(Bench.get(task).getFirst().text()).contains("showed no progress for PT1M");
    }

    @Test
    void anAnswerWithinTheGraceCounts() throws Exception {
        var task = bench.open(tools(limited(ToolEffect.ONCE), (arguments, context) -> {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                return "just in time";
            }
            return "never";
        })).start(call("slow"));
        entered.await();
        bench.time.advance(MINUTE);
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Success(Json.string("just in time")));
    }

    @Test
    void aBodyThatGoesOnDoesNotHoldUpTheCallAndItsResultIsKept() throws Exception {
        var process = bench.open(tools(limited(ToolEffect.READ), (arguments, context) -> deaf()));
        var task = process.start(call("slow"), call("after"));
        entered.await();
        bench.time.advance(MINUTE);
        interrupted.await();
        assertThat(task.isDone()).isFalse();
        bench.time.advance(GRACE);
        assertThat(Bench.get(task)).extracting(outcome -> outcome.code().orElse("ok"))
                .containsExactly("tool_timeout", "ok");
        assertThat(process.host.lateResults(new ScopeId("batch"))).isEmpty();
        released.countDown();
        bench.awaitWrite("late call/0/attempt/1");
        assertThat(process.host.lateResults(new ScopeId("batch"))).singleElement()
                .satisfies(late -> assertThat(late.result()).isEqualTo(Json.of("{\"ok\":\"late\"}")));
        assertThat(process.calls.join("batch").orElseThrow().getFirst().code()).contains("tool_timeout");
    }

    @Test
    void aResourceIsHeldUntilTheThreadHasEnded() throws Exception {
        var account = ToolDefinition.raw("slow", "Works on an account.", Json.of(
                "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"required\":[\"id\"]}"))
                .effect(ToolEffect.READ)
                .timeouts(new Timeouts(MINUTE, null))
                .exclusive("account:{id}");
        var second = new CountDownLatch(1);
        var process = bench.open(tools(account, (arguments, context) -> {
            if (entered.getCount() == 0) {
                second.countDown();
                return "second";
            }
            return deaf();
        }));
        var request = new CallRequest("slow", "{\"id\":\"a\"}");
        process.calls.submit("batch", List.of(request));
        entered.await();
        var other = Bench.beside(() -> process.calls.run("other", List.of(request)).outcomes());
        bench.time.advance(MINUTE);
        interrupted.await();
        bench.time.advance(GRACE);
        assertThat(process.calls.join("batch").orElseThrow().getFirst().code()).contains("tool_timeout");
        assertThat(second.getCount()).isEqualTo(1);
        released.countDown();
        assertThat(Bench.get(other)).containsExactly(new ToolOutcome.Success(Json.string("second")));
    }

    @Test
    void onceThatTimesOutMayHaveHappened() throws Exception {
        var task = bench.open(tools(limited(ToolEffect.ONCE), (arguments, context) -> obedient()))
                .start(call("slow"));
        entered.await();
        bench.time.advance(MINUTE);
        assertThat(Bench.get(task).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("tool_timeout");
            assertThat(failed.failure().mayHaveHappened()).isTrue();
            assertThat(failed.text()).contains("may have happened");
        });
    }

    @Test
    void onceThatTimesOutAsksItsReconciler() throws Exception {
        var known = new ToolOutcome.Success(Json.string("it was paid"));
        var task = bench
                .open(tools(limited(ToolEffect.ONCE).reconciler(recorded -> Reconciliation.happened(known)),
                        (arguments, context) -> obedient()))
                .start(call("slow"));
        entered.await();
        bench.time.advance(MINUTE);
        assertThat(Bench.get(task)).containsExactly(known);
    }

    @Test
    void onceThatTimesOutAndDidNotHappenSaysSoAndDoesNotRunAgain() throws Exception {
        var runs = new AtomicInteger();
        var task = bench.open(tools(limited(ToolEffect.ONCE)
                .reconciler(recorded -> Reconciliation.didNotHappen("nothing came")),
                (arguments, context) -> {
                    runs.incrementAndGet();
                    return deaf();
                })).start(call("slow"));
        entered.await();
        bench.time.advance(MINUTE);
        interrupted.await();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(Bench.get(task).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("tool_timeout");
            assertThat(failed.failure().mayHaveHappened()).isFalse();
            assertThat(failed.text()).contains("it did not happen: nothing came");
        });
        assertThat(runs).as("its first body still runs").hasValue(1);
        released.countDown();
    }

    @Test
    void cancelKeepsWhatHasFinishedAndStopsTheRest() throws Exception {
        var process = bench.open(tools(limited(ToolEffect.READ), (arguments, context) -> obedient()));
        var task = process.start(call("quick"), call("slow"), call("after"));
        entered.await();
        bench.awaitWrite("effect call/0/attempt/1 COMPLETED");
        assertThat(process.calls.cancel("batch", "enough")).isInstanceOf(CancelReceipt.Requested.class);
        List<ToolOutcome> outcomes = Bench.get(task);
        assertThat(outcomes).containsExactly(new ToolOutcome.Success(Json.string("quick")),
                new ToolOutcome.Cancelled("enough"), new ToolOutcome.Cancelled("enough"));
        assertThat(outcomes.get(2).code()).contains("tool_cancelled");
        assertThat(process.calls.cancel("batch", "again")).isInstanceOf(CancelReceipt.AlreadyEnded.class);
    }

    @Test
    void whatHasNotStartedIsNotEvenDecidedAfterACancel() throws Exception {
        List<String> decided = new CopyOnWriteArrayList<>();
        var tools = StaticToolProvider.builder()
                .raw(tool("slow", ToolEffect.READ), (arguments, context) -> obedient())
                .raw(tool("after", ToolEffect.READ).resumable(true).scheduling(Scheduling.SERIAL),
                        (arguments, context) -> decided.add("entered"))
                .build();
        var process = bench.open(tools, builder -> builder.policy(call -> {
            decided.add(call.tool());
            return PolicyDecision.ALLOW;
        }));
        var task = process.start(call("slow"), call("after"));
        entered.await();
        process.calls.cancel("batch", "enough");
        assertThat(Bench.get(task)).containsOnly(new ToolOutcome.Cancelled("enough"));
        assertThat(decided).containsExactly("slow");
    }

    @Test
    void aBodyThatIgnoresCancellationIsLeftAfterTheGrace() throws Exception {
        var process = bench.open(tools(limited(ToolEffect.ONCE), (arguments, context) -> deaf()));
        var task = process.start(call("slow"));
        entered.await();
        process.calls.cancel("batch", "enough");
        interrupted.await();
        bench.time.advance(GRACE);
        assertThat(Bench.get(task).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
            assertThat(failed.failure().code()).isEqualTo("tool_cancelled");
            assertThat(failed.failure().source()).isEqualTo(ToolFailure.Source.CANCELLATION);
            assertThat(failed.failure().mayHaveHappened()).isTrue();
        });
    }

    @Test
    void closingTheHostInterruptsBodiesAndRecordsNothing() throws Exception {
        var process = bench.open(tools(limited(ToolEffect.READ), (arguments, context) -> obedient()));
        process.start(call("slow"));
        entered.await();
        process.close();
        assertThat(bench.effects()).isEmpty();
        assertThat(bench.open(tools(limited(ToolEffect.READ), (arguments, context) -> "second"))
                .joined()
                .get(30, TimeUnit.SECONDS)).containsExactly(new ToolOutcome.Success(Json.string("second")));
    }
}
