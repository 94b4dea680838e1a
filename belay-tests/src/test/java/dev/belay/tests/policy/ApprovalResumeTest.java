package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.BIG;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.operate.OperatorBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract I.3, I.5: what has changed between the question and the answer, on both stores and in both loops. */
@ApprovalCase.Everywhere
class ApprovalResumeTest extends ApprovalCase {

    @Test
    void aRequestExpires() throws Exception {
        var time = new FakeTime();
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.time(time).policy(ASKING).approvalsExpire(Duration.ofSeconds(2)));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        assertThat(time.during(input::awaitCommit).text()).startsWith("done: Error (approval_expired)");
        assertThat(belay.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aRequestThatExpiresWhileNoWorkerRunsIsNotAnsweredByAClient() {
        var yesterday = new FakeTime(Instant.now().minus(Duration.ofDays(1)));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.time(yesterday).policy(ASKING).approvalsExpire(Duration.ofSeconds(2)));
        bench.ask(belay);
        OpenApproval open = only(belay);
        belay.close();
        BelayClient client = bench.stores.client();
        assertThat(ApprovalBench.reason(client.approvals()
                .decide(open.keyId(), open.request().digest(), ApprovalAnswer.once())))
                .isEqualTo("the request expired at " + open.expires());
    }

    @Test
    void anApprovalOnAnotherDayByAColdNodeRunsTheCallWithItsOwnKey() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        bench.ask(belay);
        OpenApproval open = only(belay);
        belay.close();
        BelayClient client = bench.stores.client();
        assertThat(client.approvals().find(open.keyId())).contains(open);
        assertThat(decide(client, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        Belay cold = bench.worker(List.of(call("a", "{\"amount\":250}")));
        OperatorBench.until(() -> cold.session("s").head().orElseThrow().revision() == 1);
        assertThat(bench.refunds).hasSize(1);
        assertThat(bench.keys).hasSize(1);
    }

    @Test
    void aRuleThatDeniesMeanwhileWinsOverAnApproval() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        bench.ask(belay);
        belay.close();
        decide(bench.stores.client(), ApprovalAnswer.once());
        Belay strict = bench.worker(calling(List.of(call("a", "{\"amount\":250}"))),
                builder -> builder.policy(Policy.rules(BIG, PolicyRule.deny("stop").tools("refund"))));
        OperatorBench.until(() -> strict.session("s").head().orElseThrow().revision() == 1);
        assertThat(strict.session("s").calls(1).getFirst().outcome().orElseThrow().text())
                .isEqualTo("Rejected: denied by rule \"stop\"");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void anApprovalDoesNotHoldForAToolThatHasChangedOrIsGone() throws Exception {
        for (boolean gone : List.of(true, false)) {
            Path own = Files.createDirectory(folder.resolve(Boolean.toString(gone)));
            try (var world = new ApprovalBench(where, own)) {
                Belay belay = world.worker(List.of(call("a", "{\"amount\":250}")));
                world.ask(belay);
                belay.close();
                decide(world.stores.client(), ApprovalAnswer.once());
                world.refund = world.refund.version(2);
                world.gone = gone;
                Belay after = world.worker(List.of(call("a", "{\"amount\":250}")));
                OperatorBench.until(() -> after.session("s").head().orElseThrow().revision() == 1);
                assertThat(after.session("s").messages().toString())
                        .contains(gone ? "Error (unknown_tool)" : "Error (definition_changed)");
                assertThat(world.refunds).isEmpty();
            }
        }
    }

    @Test
    void anApprovalDoesNotHoldForAToolThatWasTakenFromTheSession() throws Exception {
        bench.served = true;
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":5}")),
                List.of(call("b", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        assertThat(belay.session("s").tools().setMembership(List.of("refund"), false).changes())
                .hasSize(1);
        decide(belay, ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).startsWith("done: Error (tool_unavailable)");
        assertThat(bench.refunds).containsExactly("{\"amount\":5}");
    }

    @Test
    void aCancelledTurnIsNotAnsweredAnyMore() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        belay.session("s").cancel("enough");
        input.awaitCommit();
        assertThat(belay.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(bench.refunds).isEmpty();
    }
}
