package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static dev.belay.toolset.Decision.proceed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.plugin.PayDesk.PayTools;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolset.Round;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Contract H.7: where hooks run, and that a body of a program's loop never runs with an input that is not the recorded one. */
class HostedInputTest {

    private final PayDesk desk = new PayDesk();

    @Test
    void aBodyThatHasCapturedAnotherInputThanTheRecordedOneDoesNotRunAndTheLoopIsGivenThatOne()
            throws Exception {
        try (Belay belay = desk.with(Loop.HOSTED, Belay.builder().model(PayDesk.model()))
                .policy(Policy.rules(PolicyRule.ask("money").tools("pay").reason("it is money")))
                .build()) {
            try (OpenTurn turn = belay.session("s").begin("Pay.", "in")) {
                Round<PayTools> round = ((Step.NeedsTools<PayTools, String>) turn.step()
                        .tools(Toolset.of(PayTools.class))
                        .run()).round();
                List<ToolReply> replies = round.calls().stream().map(desk.answer).toList(); // has 100 in hand, and waits
                OpenApproval open = belay.approvals().open(null, 9).items().getFirst();
                assertThat(belay.approvals()
                        .decide(open.keyId(), open.request().digest(),
                                ApprovalAnswer.edit(Json.of("{\"amount\":10}"))))
                        .isEqualTo(VerbResult.DONE);
                round.commit(replies);
                assertThat(desk.paid).isEmpty();
            }
            assertThat(desk.turn(Loop.HOSTED, belay).text()).contains("paid 10");
        }
        assertThat(desk.paid).containsExactly(10L);
    }

    @Test
    void typedHooksSeeWhatPluginsHaveEdited() throws Exception {
        List<Long> seen = new CopyOnWriteArrayList<>();
        try (Belay belay = desk.with(Loop.HOSTED, PluginBench.builder().model(PayDesk.model()),
                plugin("limit", on -> on.toolCalls()
                        .before(call -> BeforeVerdict.edit(Json.of("{\"amount\":10}")))))
                .build(); OpenTurn turn = belay.session("s").begin("Pay.", "in")) {
            Toolset<PayTools> tools = Toolset.of(PayTools.class);
            ToolHooks<PayTools> typed = ToolHooks.of(tools).on(PayTools.Pay.class, (call, in) -> {
                seen.add(in.amount());
                return proceed(new PayTools.Pay(in.amount() - 1));
            });
            var round = ((Step.NeedsTools<PayTools, String>) turn.step().tools(tools).run()).round();
            var plan = round.apply(typed);
            plan.commit(plan.pending().stream().map(desk.answer).toList());
        }
        assertThat(seen).containsExactly(10L);
        assertThat(desk.paid).containsExactly(9L);
    }

    @Test
    void callsOfProcessesAndOfAProgramHaveNoHooks() throws Exception {
        var asked = new CopyOnWriteArrayList<String>();
        var refusing = plugin("refusing", on -> {
            on.toolCalls().before(call -> {
                asked.add("before");
                return BeforeVerdict.reject("no");
            });
            on.toolCalls().after((call, outcome) -> {
                asked.add("after");
                return AfterVerdict.reject("no");
            });
        });
        try (Belay belay = desk.with(Loop.RUNTIME, PluginBench.builder().model(PayDesk.model()), refusing)
                .build()) {
            assertThat(
                    belay.calls().run("batch", List.of(new CallRequest("pay", "{\"amount\":1}"))).outcomes())
                    .containsExactly(new ToolOutcome.Success(Json.string("paid 1")));
            assertThat(belay.processes()
                    .start(ProcessStart.tool("pay", Json.of("{\"amount\":2}")).id("p"))
                    .awaitEnd())
                    .isInstanceOf(ProcessEnd.Completed.class);
        }
        assertThat(desk.paid).containsExactly(1L, 2L);
        assertThat(asked).isEmpty();
    }
}
