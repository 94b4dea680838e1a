package dev.belay.toolset.budget;

import static dev.belay.toolset.DeskTools.asked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.toolset.StepException;
import dev.belay.toolset.StepRequest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BudgetPoolTest {

    private static final Usage TEN = Usage.of(8, 2);
    private static final Usage NOTHING = Usage.of(0, 0);

    @Test
    void requestsAtOneTimeNeverReserveMoreThanThePoolHas() throws Exception {
        var pool = BudgetPool.of(SpendLimit.tokens(35));
        var inside = new CountDownLatch(3);
        var refused = new CountDownLatch(5);
        var release = new CountDownLatch(1);
        var model = new Waiting(inside, release);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                Future<?> unused = threads.submit(() -> {
                    try {
                        step(pool, model).answer();
                    } catch (StepException e) {
                        assertThat(e.code()).isEqualTo("resource_limit");
                        refused.countDown();
                    }
                });
            }
            try {
                assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(pool.reserved()).isEqualTo(Usage.of(24, 6));
            } finally {
                release.countDown();
            }
        }
        assertThat(model.asked).hasValue(3);
        assertThat(pool.reserved()).isEqualTo(NOTHING);
        assertThat(pool.spent()).isEqualTo(Usage.of(3, 3));
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        var pool = BudgetPool.of(SpendLimit.tokens(1_000_000));
        var answered = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> {
                    for (int j = 0; j < 200; j++) {
                        step(pool, new ScriptedModel().then(ScriptStep.text("a").usage(Usage.of(1, 1))))
                                .answer();
                        answered.incrementAndGet();
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get(30, TimeUnit.SECONDS);
            }
        }
        assertThat(answered).hasValue(1_600);
        assertThat(pool.spent()).isEqualTo(Usage.of(1_600, 1_600));
        assertThat(pool.reserved()).isEqualTo(NOTHING);
    }

    /** Two leases fit; eight threads that try all the time must never hold a third. */
    @Test
    void leasesAreTakenOneAtATime() throws Exception {
        var pool = BudgetPool.of(SpendLimit.tokens(2));
        var held = new AtomicLong();
        var most = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> {
                    for (int j = 0; j < 40_000; j++) {
                        try {
                            BudgetPool.Lease lease = pool.reserve(Usage.of(1, 0));
                            most.accumulateAndGet(held.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            held.decrementAndGet();
                            lease.settle(NOTHING);
                        } catch (StepException full) {
                            Thread.onSpinWait();
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(most).hasValueLessThanOrEqualTo(2).hasValueGreaterThan(0);
        assertThat(pool.reserved()).isEqualTo(NOTHING);
    }

    @Test
    void aLeaseIsSettledOnce() {
        var pool = BudgetPool.of(SpendLimit.tokens(100));
        BudgetPool.Lease lease = pool.reserve(TEN);
        lease.settle(Usage.of(5, 0));
        lease.settle(Usage.of(5, 0));
        assertThat(pool.spent()).isEqualTo(Usage.of(5, 0));
    }

    @Test
    void settlingOneLeaseLeavesTheOthersAsTheyWere() {
        var pool = BudgetPool.of(SpendLimit.tokens(1_000));
        BudgetPool.Lease cached = pool.reserve(Usage.of(100, 5).withCacheRead(90));
        BudgetPool.Lease plain = pool.reserve(TEN);
        plain.settle(NOTHING);
        assertThat(pool.reserved()).isEqualTo(Usage.of(100, 5).withCacheRead(90));
        cached.settle(NOTHING);
        assertThat(pool.reserved()).isEqualTo(NOTHING);
    }

    @Test
    void moneyIsCountedByPrices() {
        var prices = new Prices(new BigDecimal("3"), new BigDecimal("15"), new BigDecimal("0.30"),
                new BigDecimal("3.75"));
        assertThat(prices.cost(Usage.of(1_000_000, 1_000_000))).isEqualByComparingTo("18");
        assertThat(prices.cost(Usage.of(1_000, 10).withCacheRead(600).withCacheWrite(300)))
                .isEqualByComparingTo("0.001755");
        assertThat(prices.cost(Usage.of(1, 0))).isEqualByComparingTo("0.000003");
        assertThat(prices.cost(Usage.NONE)).isEqualByComparingTo("0");
        assertThat(prices.cost(Usage.of(10, 0).withCacheRead(20))).isEqualByComparingTo("0.000006");
        assertThat(Prices.of("3", "15").cost(Usage.of(1_000, 0).withCacheRead(600)))
                .isEqualByComparingTo("0.003");
    }

    @Test
    void aPoolOfMoneyRefusesWhatItCannotPay() {
        var pool = BudgetPool.of(SpendLimit.cost("0.000030", Prices.of("3", "3")));
        var model = new ScriptedModel().then(ScriptStep.text("a").usage(TEN)).reply("b");
        step(pool, model).answer();
        assertThatThrownBy(() -> step(pool, model).answer()).isInstanceOf(StepException.class)
                .hasMessageContaining("cost of 0.00006")
                .hasMessageContaining("of 0.000030");
        assertThat(model.requests()).hasSize(1);
    }

    @Test
    void cheapTokensFromACacheLeaveMoreMoney() {
        var prices = new Prices(new BigDecimal("3"), new BigDecimal("3"), new BigDecimal("0"),
                new BigDecimal("3"));
        var pool = BudgetPool.of(SpendLimit.cost("0.000036", prices));
        var model = new ScriptedModel().then(ScriptStep.text("a").usage(TEN.withCacheRead(8))).reply("b");
        step(pool, model).answer();
        step(pool, model).answer();
        assertThat(model.requests()).hasSize(2);
    }

    @Test
    void bothLimitsHold() {
        var limit = SpendLimit.cost("1", Prices.of("3", "3")).andTokens(10);
        assertThat(limit.exceededBy(TEN)).isNull();
        assertThat(limit.exceededBy(Usage.of(11, 0))).isEqualTo("11 tokens of 10");
        assertThat(limit.andTokens(10_000_000).exceededBy(Usage.of(400_000, 0)))
                .isEqualTo("cost of 1.2 of 1");
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> SpendLimit.tokens(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> SpendLimit.cost("-0.1", Prices.of("1", "1"))).hasMessageContaining("-0.1");
        assertThatThrownBy(() -> new SpendLimit(null, BigDecimal.ONE, null)).hasMessageContaining("prices");
        assertThatThrownBy(() -> Prices.of("1", "-2")).hasMessageContaining("must not be negative")
                .hasMessageContaining("-2");
    }

    @Test
    void theDefaultEstimateGoesByLength() {
        var request = ModelRequest.builder(List.of(Message.system("12345678"), Message.user("1234"),
                Message.assistant(new ReasoningPart("1234"), new TextPart("1234"), new RefusalPart("1234"),
                        new CallPart("c", "ring", "{  }")),
                Message.replies(new ReplyPart("c", "ring", ReplyPart.Status.OK, "12345678")))).build();
        assertThat(UsageEstimator.BY_LENGTH.estimate(request)).isEqualTo(Usage.of(10, 256));
        var bounded = request.toBuilder()
                .generation(Generation.PROVIDER_DECIDES.withMaxOutputTokens(40))
                .tools(List.of(new ToolSpec("ring", "Rings a.", Json.of("{\"type\":\"object\"}"))))
                .output(OutputSpec.schema("answer", Json.of("{\"type\":\"object\"}")))
                .build();
        assertThat(UsageEstimator.BY_LENGTH.estimate(bounded)).isEqualTo(Usage.of(21, 40));
        assertThat(UsageEstimator.tokens(0)).isZero();
        assertThat(UsageEstimator.tokens(1)).isEqualTo(1);
        assertThat(UsageEstimator.tokens(5)).isEqualTo(2);
    }

    @Test
    void whatTheEstimateSaysIsWhatIsReserved() {
        var pool = BudgetPool.of(SpendLimit.tokens(259));
        var model = new ScriptedModel().reply("Room 7.");
        assertThatThrownBy(() -> asked().step(model).budget(pool).answer())
                .isInstanceOf(StepException.class)
                .hasMessageContaining("260 tokens of 259");
        asked().step(model)
                .budget(pool)
                .generation(Generation.PROVIDER_DECIDES.withMaxOutputTokens(100))
                .answer();
        assertThat(model.requests()).hasSize(1);
    }

    private static StepRequest<String> step(BudgetPool pool, Model model) {
        return asked().step(model).budget(pool).estimator(request -> TEN);
    }

    /** Answers when it is let. */
    private record Waiting(CountDownLatch inside, CountDownLatch release, AtomicLong asked) implements Model {

        Waiting(CountDownLatch inside, CountDownLatch release) {
            this(inside, release, new AtomicLong());
        }

        @Override
        public String id() {
            return "waiting";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            asked.incrementAndGet();
            inside.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new ScriptedModel().then(ScriptStep.text("a").usage(Usage.of(1, 1)))
                    .complete(request, listener);
        }
    }
}
