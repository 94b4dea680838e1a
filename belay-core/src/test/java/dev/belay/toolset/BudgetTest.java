package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.BelayException;
import dev.belay.model.InvalidRequestException;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.toolset.DeskTools.Guest;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever ends a step, what it really spent is in the pool and nothing stays reserved. */
class BudgetTest {

    private static final Usage NOTHING = Usage.of(0, 0);
    private static final Usage TEN = Usage.of(8, 2);

    private final ModelException down = new ModelException(ModelException.Kind.UNAVAILABLE, "down");
    private final BudgetPool pool = BudgetPool.of(SpendLimit.tokens(100));
    private final Transcript transcript = asked();

    @AfterEach
    void nothingStaysReserved() {
        assertThat(pool.reserved()).isEqualTo(NOTHING);
        assertThat(pool.spent()).isEqualTo(transcript.usage());
    }

    /** Row 54. */
    @Test
    void anAnswerIsSettledWithItsRealUsage() {
        step(ScriptStep.text("Room 7.").usage(Usage.of(30, 4))).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 4));
    }

    @Test
    void theEstimateIsReservedWhileTheModelIsAsked() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(30, 4)));
        transcript.step(model).budget(pool).estimator(request -> TEN).listener(event -> {
            assertThat(pool.reserved()).isEqualTo(TEN);
            assertThat(pool.spent()).isEqualTo(NOTHING);
        }).answer();
    }

    @Test
    void aRoundIsPaidWhenItIsAskedForAndNotWhenItIsCommitted() {
        var round = round(
                step(ScriptStep.call("find_guest", FIND_ANN).usage(Usage.of(30, 4))).tools(DeskTools.SET)
                        .run());
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 4));
        round.discard();
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 4));
    }

    /** Row 54. */
    @Test
    void anAnswerWithoutReportedUsageIsGuessed() {
        step(ScriptStep.text("Room seven.")).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(8, 3));
    }

    @Test
    void whatWasNotReportedIsGuessedBesideWhatWas() {
        step(ScriptStep.text("Room seven.").usage(Usage.NONE.withInput(30).withCacheRead(20))).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 3).withCacheRead(20));
    }

    @Test
    void aRefusalIsPaid() {
        step(ScriptStep.refusal("Not that.")).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(8, 3));
    }

    @Test
    void anErrorBeforeAnythingCostsNothing() {
        assertThatThrownBy(() -> step(ScriptStep.error(down)).answer()).isSameAs(down);
        assertThat(pool.spent()).isEqualTo(NOTHING);
    }

    /** Row 54. */
    @Test
    void anErrorInTheMiddleCostsWhatWasReported() {
        assertThatThrownBy(() -> step(
                ScriptStep.text("Room").usage(Usage.of(30, 1)).thenError(down)).answer())
                .isInstanceOf(ModelException.class);
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 1));
    }

    /** Row 54. */
    @Test
    void anErrorInTheMiddleCostsAGuessIfNothingWasReported() {
        assertThatThrownBy(() -> step(
                ScriptStep.reasoning("Hmmm").andText("Room").andCall("ring", "{\"ti").thenError(down))
                .tools(DeskTools.SET)
                .run()).isInstanceOf(ModelException.class);
        assertThat(pool.spent()).isEqualTo(Usage.of(8, 3));
    }

    /** Row 54: providers report the input at the start and the output at the end. */
    @Test
    void anErrorInTheMiddleGuessesTheOutputIfOnlyTheInputWasReported() {
        var model = new PlayedModel(
                List.of(new ModelEvent.Started("m", ""),
                        new ModelEvent.UsageReported(Usage.NONE.withInput(30)),
                        new ModelEvent.TextDelta("Room seven.")),
                () -> {
                    throw down;
                });
        assertThatThrownBy(() -> paid(model).answer()).isSameAs(down);
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 3));
    }

    /** A model that does not stream tells in its exception what had arrived. */
    @Test
    void whatAnErrorCarriesIsPaid() {
        var said = new ScriptedModel().then(ScriptStep.text("Room").usage(Usage.of(30, 1)))
                .complete(ModelRequest.of(Message.user("?")));
        var model = new PlayedModel(List.of(), () -> {
            throw down.withPartial(said);
        });
        assertThatThrownBy(() -> paid(model).answer()).isInstanceOf(ModelException.class);
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 1));
    }

    @Test
    void interruptionIsPaidAndLeavesTheFlag() {
        var model = new ScriptedModel().then(ScriptStep.text("Room seven.").chunks(4));
        try {
            ModelException interrupted = catchThrowableOfType(
                    ModelException.class,
                    () -> paid(model).listener(event -> {
                        if (event instanceof StepEvent.Streamed(ModelEvent.TextDelta text)) {
                            Thread.currentThread().interrupt();
                        }
                    }).answer());
            assertThat(interrupted.kind()).isEqualTo(ModelException.Kind.INTERRUPTED);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(pool.spent()).isEqualTo(Usage.of(8, 1));
    }

    @Test
    void aBrokenModelIsPaidForWhatItSaid() {
        var broken = new IllegalStateException("bug");
        for (Throwable thrown : List.of(broken, new StackOverflowError(), new IOException("Kotlin does"))) {
            var before = pool.spent().total().orElseThrow();
            var model = new PlayedModel(
                    List.of(new ModelEvent.Started("m", ""), new ModelEvent.TextDelta("Room")), () -> {
                        BudgetTest.<RuntimeException>sneaky(thrown);
                        throw new AssertionError("must not come to this");
                    });
            assertThatThrownBy(() -> paid(model).answer()).isSameAs(thrown);
            assertThat(pool.spent().total()).as("%s", thrown).hasValue(before + 9);
        }
    }

    @Test
    void aModelThatBreaksTheProtocolIsPaidForWhatItSaid() {
        var model = new PlayedModel(
                List.of(new ModelEvent.Started("m", ""), new ModelEvent.TextDelta("Room"),
                        new ModelEvent.CallArguments(3, "{}")),
                () -> {
                    throw new AssertionError("must not come to this");
                });
        assertThatThrownBy(() -> paid(model).answer()).isInstanceOf(ModelException.class)
                .hasMessageContaining("arguments for call 3");
        assertThat(pool.spent()).isEqualTo(Usage.of(8, 1));
    }

    @Test
    void aRequestThatCannotBeSentReservesNothing() {
        var empty = new Transcript();
        var estimates = new AtomicInteger();
        assertThatThrownBy(() -> empty.step(new ScriptedModel())
                .budget(pool)
                .estimator(request -> Usage.of(estimates.incrementAndGet(), 0))
                .answer()).isInstanceOf(InvalidRequestException.class);
        assertThat(estimates).hasValue(0);
        assertThat(pool.spent()).isEqualTo(NOTHING);
    }

    /** Rows 17 and 18, as far as they are about money. */
    @Test
    void anImpossibleDemandReservesNothing() {
        var model = new ScriptedModel();
        assertThatThrownBy(() -> paid(model).tools(DeskTools.SET).require(DeskTools.OpenSafe.class).run())
                .isInstanceOf(BelayException.class)
                .hasMessageContaining("open_safe");
        assertThat(model.requests()).isEmpty();
        assertThat(pool.spent()).isEqualTo(NOTHING);
    }

    /** Row 53. */
    @Test
    void aPoolRefusesBeforeTheModelIsAsked() {
        step(ScriptStep.text("Room 7.").usage(Usage.of(90, 1))).answer();
        var model = new ScriptedModel().reply("Room 7.");
        StepException refused = failureOf(() -> paid(model).answer());
        assertThat(refused.code()).isEqualTo("resource_limit");
        assertThat(refused).hasMessageContaining("101 tokens of 100");
        assertThat(refused.partial()).isEmpty();
        assertThat(model.requests()).isEmpty();
        assertThat(pool.spent()).isEqualTo(Usage.of(90, 1));
    }

    /** Row 53. */
    @Test
    void aPoolAllowsExactlyItsLimit() {
        step(ScriptStep.text("Room 7.").usage(Usage.of(90, 0))).answer();
        step(ScriptStep.text("Room 7.").usage(TEN)).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(98, 2));
    }

    /** Row 53. */
    @Test
    void spendingBeyondAPoolIsRecordedAndRefusesTheNext() {
        step(ScriptStep.text("Room 7.").usage(Usage.of(500, 50))).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(500, 50));
        var model = new ScriptedModel().reply("Room 7.");
        assertThat(failureOf(() -> paid(model).answer()).code()).isEqualTo("resource_limit");
        assertThat(model.requests()).isEmpty();
    }

    /** Row 53. */
    @Test
    void spendingBeyondTheLimitOfAStepIsRecordedAndThenRaised() {
        StepException beyond = failureOf(() -> step(ScriptStep.text("Room 7.").usage(Usage.of(30, 4)))
                .limit(SpendLimit.tokens(33))
                .answer());
        assertThat(beyond.code()).isEqualTo("resource_limit");
        assertThat(beyond).hasMessageContaining("34 tokens of 33");
        assertThat(beyond.text()).isEqualTo("Room 7.");
        assertThat(pool.spent()).isEqualTo(Usage.of(30, 4));
        assertThat(transcript.messages()).hasSize(1);
    }

    /** Row 53. */
    @Test
    void theLimitOfAStepIsCheckedBeforeTheModelIsAsked() {
        var model = new ScriptedModel().reply("Room 7.");
        StepException refused = failureOf(() -> paid(model).limit(SpendLimit.tokens(9)).answer());
        assertThat(refused.code()).isEqualTo("resource_limit");
        assertThat(model.requests()).isEmpty();
        assertThat(pool.spent()).isEqualTo(NOTHING);
    }

    /** Row 53. */
    @Test
    void theLimitOfAStepCountsTheCorrectionToo() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(TEN))
                .then(ScriptStep.text("{\"name\":\"Ann\",\"room\":7}").usage(TEN));
        StepException beyond = failureOf(
                () -> paid(model).limit(SpendLimit.tokens(19)).as(Guest.class).answer());
        assertThat(beyond.code()).isEqualTo("resource_limit");
        assertThat(beyond.text()).isEqualTo("Room 7.");
        assertThat(model.requests()).hasSize(1);
        paid(model).limit(SpendLimit.tokens(20)).as(Guest.class).answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(16, 4));
    }

    /** Row 53: neither request alone goes beyond the limit, both together do. */
    @Test
    void whatTheCorrectionReallySpendsIsAddedToTheFirst() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(TEN))
                .then(ScriptStep.text("{\"name\":\"Ann\",\"room\":7}").usage(Usage.of(10, 6)));
        StepException beyond = failureOf(
                () -> paid(model).limit(SpendLimit.tokens(25)).as(Guest.class).answer());
        assertThat(beyond).hasMessageContaining("26 tokens of 25");
        assertThat(pool.spent()).isEqualTo(Usage.of(18, 8));
        assertThat(transcript.messages()).hasSize(1);
    }

    /** Row 53: each step has a limit of its own. */
    @Test
    void theLimitOfAStepStartsAnewWithEachRun() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(TEN))
                .then(ScriptStep.text("Room 7.").usage(TEN));
        var request = paid(model).limit(SpendLimit.tokens(10));
        request.answer();
        request.answer();
        assertThat(pool.spent()).isEqualTo(Usage.of(16, 4));
    }

    @Test
    void aPoolMayRefuseTheCorrection() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(90, 1)));
        StepException refused = failureOf(() -> paid(model).as(Guest.class).answer());
        assertThat(refused.code()).isEqualTo("resource_limit");
        assertThat(refused.text()).isEqualTo("Room 7.");
        assertThat(pool.spent()).isEqualTo(Usage.of(90, 1));
    }

    @Test
    void aSecondPoolThatRefusesReleasesTheFirst() {
        var poor = BudgetPool.of(SpendLimit.tokens(9));
        var model = new ScriptedModel().reply("Room 7.");
        assertThat(failureOf(() -> paid(model).budget(poor).answer()).code()).isEqualTo("resource_limit");
        assertThat(model.requests()).isEmpty();
        assertThat(pool.reserved()).isEqualTo(NOTHING);
        assertThat(poor.reserved()).isEqualTo(NOTHING);
    }

    @Test
    void aUsageBeyondAnyNumberUsesUpThePool() {
        step(ScriptStep.text("a").usage(Usage.of(Long.MAX_VALUE, Long.MAX_VALUE))).answer();
        assertThat(failureOf(() -> step(ScriptStep.text("b")).answer()).code()).isEqualTo("resource_limit");
    }

    @Test
    void aRequestThatTimedOutIsPaidForWhatItSent() {
        var late = new ModelException(ModelException.Kind.TIMEOUT, "too late");
        assertThatThrownBy(() -> step(ScriptStep.error(late)).answer()).isSameAs(late);
        assertThat(pool.spent()).isEqualTo(Usage.of(8, 0));
    }

    @Test
    void theSamePoolTwiceIsPaidOnce() {
        step(ScriptStep.text("Room 7.").usage(TEN)).budget(pool).answer();
        assertThat(pool.spent()).isEqualTo(TEN);
    }

    @Test
    void allPoolsArePaid() {
        var other = BudgetPool.of(SpendLimit.tokens(1_000));
        step(ScriptStep.text("Room 7.").usage(TEN)).budget(other).answer();
        assertThat(other.spent()).isEqualTo(TEN);
        assertThat(other.reserved()).isEqualTo(NOTHING);
    }

    private StepRequest<String> step(ScriptStep answer) {
        return paid(new ScriptedModel().then(answer));
    }

    private StepRequest<String> paid(Model model) {
        return transcript.step(model).budget(pool).estimator(request -> TEN);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
