package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.plugin.PayDesk.PayTools;
import dev.belay.toolset.Round;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract H.7: a body of a program's loop never runs with an input that is not the recorded one. */
class HostedInputTest {

    @Test
    void aBodyThatHasCapturedAnotherInputThanTheRecordedOneDoesNotRunAndTheLoopIsGivenThatOne()
            throws Exception {
        var desk = new PayDesk();
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
}
