package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.testkit.FakeTime;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** An approval has an age: a call that begins later asks again. */
@ApprovalCase.Everywhere
class AgedApprovalsTest extends ApprovalCase {

    private static final Pause.Target REFUNDS = Pause.Target.tool("refund");
    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeTime time = new FakeTime();

    private Belay worker(UnaryOperator<BelayBuilder> with) {
        return bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> with.apply(builder.policy(ASKING).time(time)));
    }

    /** Approves a call that is held back, and lets it begin so much later. */
    private InputHandle begunAfter(Belay belay, ApprovalAnswer answer, Duration later) {
        InputHandle input = bench.ask(belay);
        belay.pause(REFUNDS, "later");
        assertThat(decide(belay, answer)).isEqualTo(VerbResult.DONE);
        time.advance(later);
        assertThat(bench.refunds).isEmpty();
        belay.unpause(REFUNDS, "now");
        return input;
    }

    @Test
    void anApprovalThatIsTooOldAsksAgain() throws Exception {
        Belay belay = worker(builder -> builder.approvalsHold(HOUR));
        InputHandle input = begunAfter(belay, ApprovalAnswer.once(), HOUR.plusNanos(1));
        OpenApproval again = asked(belay, 1).getFirst();
        assertThat(again.request().shown()).contains("""
                asked by: rule "big": over 100
                asked again: it was approved more than PT1H before it could begin
                """);
        assertThat(bench.refunds).isEmpty();
        decide(belay, ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 250");
        assertThat(bench.keys).hasSize(1);
    }

    @Test
    void anApprovalThatIsNotTooOldRuns() throws Exception {
        Belay belay = worker(builder -> builder.approvalsHold(HOUR));
        assertThat(begunAfter(belay, ApprovalAnswer.once(), HOUR).awaitCommit().text())
                .isEqualTo("done: refunded 250");
    }

    @Test
    void anApprovalHoldsAsLongAsRequestsWaitUnlessItIsSaid() throws Exception {
        Belay belay = worker(builder -> builder.approvalsExpire(HOUR));
        begunAfter(belay, ApprovalAnswer.once(), HOUR.plusNanos(1));
        assertThat(asked(belay, 1)).hasSize(1);
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void argumentsThatAPersonHasSentAreAskedAboutAgain() throws Exception {
        Belay belay = worker(builder -> builder.approvalsHold(HOUR));
        begunAfter(belay, ApprovalAnswer.edit(Json.of("{\"amount\":300}")), HOUR.plusNanos(1));
        assertThat(asked(belay, 1).getFirst().request().shown()).contains("/amount = 300\n");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void whatWasApprovedForTheSessionHolds() throws Exception {
        Belay belay = worker(builder -> builder.approvalsHold(HOUR));
        assertThat(begunAfter(belay, ApprovalAnswer.forSession(), HOUR.multipliedBy(2)).awaitCommit().text())
                .isEqualTo("done: refunded 250");
    }
}
