package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that its sender was told is accepted is the outcome of the call, whichever attempt has handed out the key. */
@Timeout(120)
class AcceptedAnswersTest {

    private static final RetryPolicy TWO = new RetryPolicy(2, Duration.ofSeconds(10), 2,
            Duration.ofMinutes(5));
    private static final RetryPolicy AT_ONCE = new RetryPolicy(2, Duration.ZERO, 2, Duration.ZERO);
    private static final Resolution ANSWER = Resolution.ok(Json.string("accepted"));

    private final Bench bench = Bench.parking();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        bench.close();
    }

    /** The first run takes the key and fails, the second one answers. */
    private String flaky(ToolContext context) {
        if (runs.incrementAndGet() == 1) {
            tokens.add(context.completionKey().token());
            throw busy();
        }
        return "attempt 2";
    }

    private static ToolException busy() {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "tool_failed", "busy")
                .withRetry(RetryAdvice.ALLOWED));
    }

    private StaticToolProvider flaky(ToolEffect effect, boolean resumable, RetryPolicy retry) {
        return StaticToolProvider.builder()
                .raw(tool("flaky", effect).resumable(resumable).retry(retry),
                        (arguments, context) -> flaky(context))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"READ, false", "IDEMPOTENT, false", "READ, true"})
    void anAnswerThatIsAcceptedInTheBackoffIsTakenBeforeAFurtherAttempt(ToolEffect effect,
            boolean resumable) throws Exception {
        var process = bench.open(flaky(effect, resumable, TWO));
        var task = process.start(call("flaky"));
        bench.awaitWrite("park batch");
        String token = tokens.take();
        assertThat(process.calls.resolve(token, ANSWER)).isEqualTo(new Delivery.Accepted());
        assertThat(Bench.get(task)).as("without waiting for the second attempt")
                .extracting(ToolOutcome::text)
                .containsExactly("accepted");
        assertThat(runs).as("no body runs again, but for one that is entered anew to get there")
                .hasValue(resumable ? 2 : 1);
        assertThat(process.calls.resolve(token, Resolution.ok(Json.string("too late"))))
                .isEqualTo(new Delivery.Lost(ANSWER));
    }

    @Test
    void anAnswerWithAFailureThatAllowsItIsNotTriedAgain() throws Exception {
        var go = new CountDownLatch(1);
        var process = bench.open(StaticToolProvider.builder()
                .raw(tool("flaky", ToolEffect.READ).retry(TWO), (arguments, context) -> {
                    runs.incrementAndGet();
                    tokens.add(context.completionKey().token());
                    go.await();
                    return "my own";
                })
                .build());
        var task = process.start(call("flaky"));
        assertThat(process.calls.resolve(tokens.take(), new Resolution.Failed(busy().failure())))
                .isEqualTo(new Delivery.Accepted());
        go.countDown();
        assertThat(Bench.get(task)).containsExactly(new ToolOutcome.Failure(busy().failure()));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aKeyIsClosedWhenAFurtherAttemptEndsTheCall() throws Exception {
        var process = bench.open(flaky(ToolEffect.READ, false, AT_ONCE));
        assertThat(process.run(call("flaky"))).extracting(ToolOutcome::text).containsExactly("attempt 2");
        assertThat(process.calls.resolve(tokens.take(), ANSWER)).isInstanceOf(Delivery.Lost.class);
    }

    @Test
    void aCallThatMustNotParkEndsWithWhatWasAcceptedForItsKey() throws Exception {
        var process = new Bench.OneProcess[1];
        ToolDefinition must = tool("ask", ToolEffect.READ).mayDefer(false);
        process[0] = bench.open(StaticToolProvider.builder().raw(must, (arguments, context) -> {
            assertThat(process[0].calls.resolve(context.completionKey().token(), ANSWER))
                    .isEqualTo(new Delivery.Accepted());
            return ToolResult.pending();
        }).build());
        assertThat(process[0].run(call("ask"))).extracting(ToolOutcome::text).containsExactly("accepted");
    }

    @Test
    void anAnswerThatIsAcceptedInTheBackoffCountsForACallThatIsCancelledThen() throws Exception {
        var process = bench.open(flaky(ToolEffect.IDEMPOTENT, false, TWO));
        process.calls.submit("batch", List.of(call("flaky")));
        bench.awaitWrite("park batch");
        process.kill();
        var second = bench.open(StaticToolProvider.builder().build()); // the tool is gone, too
        assertThat(second.calls.resolve(tokens.take(), ANSWER)).isEqualTo(new Delivery.Accepted());
        second.calls.cancel("batch", "enough");
        assertThat(Bench.get(second.joined())).extracting(ToolOutcome::text).containsExactly("accepted");
        assertThat(runs).hasValue(1);
    }

    /**
     * Three writes of a call (an attempt starts, fails, and another one ends), an answer and a cancellation, in one of their twenty orders.
     * Another process makes the answer and the cancellation: the runtime hears of them by its own writes only.
     */
    private final class Order {

        private final List<Character> order;
        private final SharedMemory records = new SharedMemory(new Random(7));
        private final StoreDriver real = new StoreDriver(records.open());
        private final ScopeId scope = new ScopeId("batch");
        private @Nullable Claim claim;
        private int next;
        private boolean accepted;

        Order(List<Character> order) {
            this.order = order;
        }

        /** What the others do before the next write of the call. */
        private void others() {
            while (next < order.size() && order.get(next) != 'C') {
                Claim held = Objects.requireNonNull(claim);
                if (order.get(next) == 'R') {
                    accepted = real.resolve(scope, held.incarnation(), new WaitName("call/0/completion"),
                            ANSWER, false, time().now()) instanceof Settlement.Accepted;
                } else {
                    real.cancel(scope, "enough", false, time().now());
                }
                next++;
            }
        }

        private FakeTime time() {
            return bench.time;
        }

        private @Nullable Object between(String what, Intercepted.Real work) throws Throwable {
            if (what.startsWith("end ")) {
                while (next < order.size()) { // writes of the call that are not needed any more
                    next += order.get(next) == 'C' ? 1 : 0;
                    others();
                }
            }
            if (what.startsWith("submit ")) {
                var made = (Submission.Created) Objects.requireNonNull(work.call());
                claim = made.claim();
                return made;
            }
            if (!what.startsWith("effect call/0/")) {
                return work.call();
            }
            others();
            Object written = work.call();
            if (written instanceof Written done && done.refusal() == null) {
                next++;
            }
            return written;
        }

        List<ToolOutcome> run(StaticToolProvider tools) throws InterruptedException {
            Store journal = Intercepted.store(real.store(), this::between);
            var host = JournalEffectHost.open(journal, HostOptions.DEFAULT.withTime(time()));
            try (DurableCalls calls = DurableCalls.open(host,
                    ToolDispatcher.builder(tools).time(time()).build())) {
                return calls.run(scope.value(), List.of(call("flaky"))).outcomes();
            }
        }
    }

    private static void orders(String left, List<Character> before, List<List<Character>> all) {
        if (left.isEmpty()) {
            all.add(List.copyOf(before));
            return;
        }
        left.chars().distinct().forEach(one -> {
            var more = new ArrayList<>(before);
            more.add((char) one);
            orders(left.replaceFirst(Character.toString(one), ""), more, all);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noOrderOfWritesLosesAnAcceptedAnswer(boolean resumable) throws Exception {
        var all = new ArrayList<List<Character>>();
        orders("CCCRX", List.of(), all);
        assertThat(all).hasSize(20);
        int taken = 0;
        for (List<Character> one : all) {
            runs.set(0);
            var order = new Order(one);
            List<ToolOutcome> outcomes = order
                    .run(flaky(ToolEffect.IDEMPOTENT, resumable, AT_ONCE));
            assertThat(order.next).as("%s was carried out", one).isEqualTo(one.size());
            assertThat(outcomes.getFirst().text().equals("accepted")).as("%s: %s", one, outcomes)
                    .isEqualTo(order.accepted);
            taken += order.accepted ? 1 : 0;
        }
        assertThat(taken).as("an answer before the last write is accepted").isEqualTo(15);
    }
}
