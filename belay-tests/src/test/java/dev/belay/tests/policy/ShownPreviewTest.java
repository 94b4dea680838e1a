package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.tests.operate.OperatorBench;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a tool says about a call is a part of what a person approves: if it says something else before the start, it asks again. */
@ApprovalCase.Everywhere
class ShownPreviewTest extends ApprovalCase {

    private static final String BIG = "{\"amount\":250}";

    private Belay worker() {
        return bench.worker(once(call("a", BIG)), builder -> builder.policy(ASKING));
    }

    private void says(String preview) {
        bench.refund = bench.refund.preview(in -> preview);
    }

    /** Approves what is asked while no process runs, then changes what the tool says. */
    private OpenApproval approvedWhileDown(Belay belay) {
        OpenApproval open = asked(belay, 1).getFirst();
        belay.close();
        assertThat(decide(bench.stores.client(), ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        return open;
    }

    private String end(Belay belay) throws InterruptedException {
        return belay.session("s").input("in-1").orElseThrow().awaitCommit().text();
    }

    @Test
    void aPreviewThatIsAnotherOneAfterTheApprovalAsksAgain() throws Exception {
        says("runs deploy --dry-run");
        Belay first = worker();
        bench.submit(first);
        OpenApproval shown = approvedWhileDown(first);
        says("runs deploy --prod");
        Belay second = worker();
        OpenApproval again = asked(second, 1).getFirst();
        assertThat(bench.refunds).isEmpty();
        assertThat(again.keyId()).isNotEqualTo(shown.keyId());
        assertThat(again.request().digest()).isNotEqualTo(shown.request().digest());
        assertThat(again.request().shown()).contains("  runs deploy --prod\n")
                .contains(
                        "asked by: rule \"big\": over 100\nasked again: what the tool says about the call has"
                                + " changed since it was approved\n");
        assertThat(again.request().allowed()).containsExactlyInAnyOrder(Choice.values());
        assertThat(reason(second.approvals()
                .decide(again.keyId(), shown.request().digest(), ApprovalAnswer.once())))
                .contains("is not that of this request");
        decide(second, ApprovalAnswer.once());
        assertThat(end(second)).isEqualTo("done: refunded 250");
        assertThat(bench.refunds).containsExactly(BIG);
        assertThat(bench.keys).hasSize(1);
    }

    @Test
    void aPreviewThatIsTheSameAfterTheApprovalRuns() throws Exception {
        says("runs deploy --dry-run");
        Belay first = worker();
        bench.submit(first);
        approvedWhileDown(first);
        says("runs deploy " + "--dry-run");
        assertThat(end(worker())).isEqualTo("done: refunded 250");
    }

    @Test
    void aPreviewThatDiffersForTheThirdTimeEndsTheCall() throws Exception {
        var looks = new AtomicInteger();
        bench.refund = bench.refund.preview(in -> "runs deploy number " + looks.incrementAndGet());
        Belay belay = worker();
        bench.submit(belay);
        for (int time = 1; time <= 3; time++) {
            OpenApproval open = asked(belay, 1).getFirst();
            decide(belay, ApprovalAnswer.once());
            OperatorBench.until(() -> belay.approvals().find(open.keyId()).isEmpty());
        }
        assertThat(end(belay))
                .startsWith("done: Error (prepared_tool_mismatch): tool refund was not run: 3 times");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aPreviewThatThrowsAfterTheApprovalAsksAgain() throws Exception {
        says("runs deploy");
        Belay first = worker();
        bench.submit(first);
        approvedWhileDown(first);
        bench.refund = bench.refund.preview(in -> {
            throw new IllegalStateException("no one knows");
        });
        Belay second = worker();
        assertThat(asked(second, 1).getFirst().request().shown()).doesNotContain("the tool says")
                .contains("asked again: the tool cannot say any more what the call would do\n");
        assertThat(bench.refunds).isEmpty();
    }
}
