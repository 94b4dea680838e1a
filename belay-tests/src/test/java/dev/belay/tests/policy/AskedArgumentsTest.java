package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnCall;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.plugin.PluginBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Contract I.4: which arguments count after a person was asked, and what hooks see of them, on both stores and in both loops. */
@ApprovalCase.Everywhere
class AskedArgumentsTest extends ApprovalCase {

    private static final String TO_ANN = "{\"amount\": 250, \"to\": \"ann\"}";
    private static final Json PROPOSED = Json.of("{\"amount\":250,\"to\":\"ann\"}");
    private static final Json DECIDED = Json.of("{\"amount\":99,\"to\":\"bob\"}");

    private static TurnCall recorded(Belay belay) {
        return belay.session("s").calls(1).getFirst();
    }

    @Test
    void proposedDecidedAndEffectiveArgumentsAreInTheRecord() throws Exception {
        Belay belay = bench.worker(once(call("a", TO_ANN)), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        assertThat(recorded(belay).asked()).as("before the answer")
                .isEqualTo(new AskedArguments(PROPOSED, PROPOSED, null));
        decide(belay, ApprovalAnswer.edit(DECIDED));
        input.awaitCommit();
        assertThat(recorded(belay).arguments()).isEqualTo(TO_ANN);
        assertThat(recorded(belay).asked()).isEqualTo(new AskedArguments(PROPOSED, DECIDED, DECIDED));
        belay.close();
        assertThat(recorded(bench.worker()).asked()).as("in the next process")
                .isEqualTo(new AskedArguments(PROPOSED, DECIDED, DECIDED));
    }

    @Test
    void anApprovedCallRunsWithTheProposedArgumentsAndADeniedOneWithNone() throws Exception {
        Belay belay = bench
                .worker(List.of(call("a", TO_ANN), call("b", TO_ANN), call("c", "{\"amount\":1}")));
        InputHandle input = bench.ask(belay, 2);
        for (var open : belay.approvals().open(null, 9).items()) {
            belay.approvals()
                    .decide(open.keyId(), open.request().digest(), open.request().call().id().equals("a")
                            ? ApprovalAnswer.once()
                            : ApprovalAnswer.deny("no"));
        }
        input.awaitCommit();
        assertThat(belay.session("s").calls(1)).extracting(TurnCall::asked)
                .containsExactly(new AskedArguments(PROPOSED, PROPOSED, PROPOSED),
                        new AskedArguments(PROPOSED, PROPOSED, null), null);
    }

    @Test
    void anEditIsCheckedAgainstTheSchemaOfTheRequestWhateverTheToolTakesToday() throws Exception {
        Belay first = bench.worker(once(call("a", TO_ANN)), builder -> builder.policy(ASKING));
        bench.ask(first);
        first.close();
        bench.refund = ToolDefinition.raw("refund", "Refunds.",
                Json.of("{\"type\":\"object\",\"properties\":{\"amount\":{\"type\":\"string\"}}}"));
        Belay second = bench.worker(once(call("a", TO_ANN)), builder -> builder.policy(ASKING));
        assertThat(decide(second, ApprovalAnswer.edit(Json.of("{\"amount\":\"99\"}"))))
                .isInstanceOfSatisfying(
                        VerbResult.NotPossible.class, no -> assertThat(no.reason()).contains("/amount"));
        assertThat(decide(second, ApprovalAnswer.edit(DECIDED))).isEqualTo(VerbResult.DONE);
    }

    /** A worker beside which a body holds the resource of an amount until it is released. */
    private Belay besideAHolderOf(int amount, CountDownLatch release) throws Exception {
        bench.refund = bench.refund.exclusive("box:{amount}");
        var held = new CountDownLatch(1);
        var holding = StaticToolProvider.builder()
                .raw(ToolDefinition.raw("hold", "Holds.",
                        Json.of("""
                                {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}"""))
                        .effect(ToolEffect.READ)
                        .exclusive("box:{amount}"), (arguments, context) -> {
                            held.countDown();
                            release.await();
                            return "held";
                        })
                .build();
        Belay belay = bench.worker(once(call("a", TO_ANN)), builder -> builder.tools(holding).policy(ASKING));
        Thread.ofVirtual().start(() -> {
            try {
                belay.calls()
                        .run("holder", List.of(new CallRequest("hold", "{\"amount\":" + amount + "}")))
                        .outcomes();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        held.await();
        return belay;
    }

    @Test
    void anEditedCallWaitsForTheResourceOfItsFinalArguments() throws Exception {
        var release = new CountDownLatch(1);
        Belay belay = besideAHolderOf(99, release);
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(DECIDED));
        OperatorBench.until(() -> {
            WaitsFor waits = belay.sessions(null, 9).items().getFirst().waits();
            return waits != null && waits.what() == WaitsFor.For.RESOURCE;
        });
        assertThat(bench.refunds).isEmpty();
        release.countDown();
        input.awaitCommit();
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void anEditedCallDoesNotWaitForTheResourceOfTheProposedArguments() throws Exception {
        var release = new CountDownLatch(1);
        Belay belay = besideAHolderOf(250, release);
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(DECIDED));
        OperatorBench.until(() -> bench.refunds.size() == 1);
        release.countDown();
        input.awaitCommit();
    }

    @Test
    void hooksLookAtAnEditAndTheirOwnEditsBeforeStayApart() throws Exception {
        PluginFactory hooks = PluginBench.plugin("cents", on -> on.toolCalls()
                .before(call -> call.arguments().get("amount").orElseThrow().asLong() < 0
                        ? BeforeVerdict.reject("amounts are positive")
                        : BeforeVerdict.edit(Json.of("{\"amount\":251}"))));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).plugin(hooks));
        InputHandle first = bench.ask(belay);
        assertThat(only(belay).request().call().arguments()).isEqualTo(Json.of("{\"amount\":251}"));
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        assertThat(first.awaitCommit().text()).isEqualTo("done: refunded 99");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
    }

    @Test
    void aHookThatRejectsAnEditEndsTheCall() throws Exception {
        PluginFactory hooks = PluginBench.plugin("positive", on -> on.toolCalls()
                .before(call -> call.arguments().get("amount").orElseThrow().asLong() < 0
                        ? BeforeVerdict.reject("amounts are positive")
                        : BeforeVerdict.proceed()));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).plugin(hooks));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":-9}")));
        assertThat(input.awaitCommit().text()).isEqualTo("done: Rejected: amounts are positive");
        assertThat(bench.refunds).isEmpty();
    }
}
