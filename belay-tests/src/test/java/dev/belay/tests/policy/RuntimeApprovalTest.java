package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.policy.ApprovalBench.reason;
import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.Scheduling;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Contract I.2 to I.4 where no loop of a program takes part: calls and processes of the program itself, and stages that a loop of a program does not
 * have. {@link OwnLoopApprovalTest} has the order of calls there.
 */
@ApprovalCase.OnBothStores
class RuntimeApprovalTest extends ApprovalCase {

    private static final String BIG = "{\"amount\":250}";

    /** Rounds amounts up to tens before a call runs. */
    private record Rounding(ToolProvider tools) implements ToolProvider {

        @Override
        public List<ToolDefinition> definitions() {
            return tools.definitions();
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            long amount = call.arguments().get("amount").orElseThrow().asLong();
            return call.replace(Json.of("{\"amount\":" + (amount + 9) / 10 * 10 + "}"));
        }

        @Override
        public @Nullable Object execute(PreparedCall call) throws Exception {
            return tools.execute(call);
        }
    }

    @Test
    void anEditThatIsPreparedIntoSomethingElseAsksAgainWithItsOwnDigest() throws Exception {
        var tools = new Rounding(bench.provider());
        Belay belay = bench.stores.worker(once(call("a", BIG)),
                builder -> builder.tools(tools).policy(ASKING));
        InputHandle input = bench.ask(belay);
        ApprovalRequest first = only(belay).request();
        String firstKey = only(belay).keyId();
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":55}")));
        OperatorBench.until(() -> belay.approvals()
                .open(null, 9)
                .items()
                .stream()
                .anyMatch(open -> !open.keyId().equals(firstKey)));
        OpenApproval second = only(belay);
        assertThat(second.request().shown()).contains("/amount = 60").contains("not what was sent");
        assertThat(second.request().digest()).isNotEqualTo(first.digest());
        assertThat(reason(belay.approvals().decide(second.keyId(), first.digest(), ApprovalAnswer.once())))
                .contains("is not that of this request");
        assertThat(bench.refunds).isEmpty();
        decide(belay, ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).contains("refunded 60");
        assertThat(bench.refunds).containsExactly("{\"amount\":60}");
        assertThat(bench.keys).hasSize(1);
        assertThat(belay.session("s").calls(1).getFirst().asked()).isEqualTo(new AskedArguments(
                Json.of("{\"amount\":250}"), Json.of("{\"amount\":60}"), Json.of("{\"amount\":60}")));
    }

    @Test
    void serialCallsAreAskedWhenTheyAreReached() throws Exception {
        bench.refund = bench.refund.scheduling(Scheduling.SERIAL);
        Belay belay = bench.worker(List.of(call("a", BIG), call("b", BIG)));
        InputHandle input = bench.ask(belay);
        assertThat(only(belay).request().call().id()).isEqualTo("a");
        decide(belay, ApprovalAnswer.once());
        OperatorBench.until(() -> belay.approvals()
                .open(null, 9)
                .items()
                .stream()
                .anyMatch(open -> open.request().call().id().equals("b")));
        assertThat(bench.refunds).hasSize(1);
        decide(belay, ApprovalAnswer.once());
        input.awaitCommit();
        assertThat(bench.refunds).hasSize(2);
    }

    @Test
    void callsOfTheProgramAskAndOfferNothingForASession() throws Exception {
        Belay belay = bench.worker(calling(), builder -> builder.policy(ASKING));
        var outcomes = CompletableFuture.supplyAsync(() -> {
            try {
                belay.calls().submit("batch", List.of(new CallRequest("refund", BIG)));
                return belay.calls().join("batch").orElseThrow();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(asked(belay, 1).getFirst().request().allowed()).doesNotContain(Choice.TURN,
                Choice.SESSION);
        assertThat(decide(bench.stores.client(), ApprovalAnswer.edit(Json.of("{\"amount\":7}"))))
                .isEqualTo(VerbResult.DONE);
        assertThat(outcomes.get(30, TimeUnit.SECONDS)).extracting(ToolOutcome::text)
                .containsExactly("refunded 7");
    }

    @Test
    void aProcessOfTheProgramAsks() throws Exception {
        Belay belay = bench.worker(calling(), builder -> builder.policy(ASKING));
        var process = belay.processes().start(ProcessStart.tool("refund", Json.of(BIG)).id("p"));
        asked(belay, 1);
        assertThat(bench.refunds).isEmpty();
        decide(belay, ApprovalAnswer.once());
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.string("refunded 250")));
    }
}
