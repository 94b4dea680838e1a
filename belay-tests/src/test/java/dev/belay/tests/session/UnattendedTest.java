package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.testkit.BelayTest;
import dev.belay.testkit.ToolHarness;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tool that asks a person before each call does not run if approvals are refused. */
@BelayTest
class UnattendedTest {

    @ParameterizedTest
    @EnumSource
    void onlyAToolThatAlwaysAsksIsRefused(Approval approval, ToolHarness harness) throws Exception {
        var ran = new AtomicInteger();
        var tools = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE).approval(approval), (arguments, context) -> {
                    ran.incrementAndGet();
                    return "paid";
                })
                .build();
        String text = harness.with(builder -> builder.tools(tools).approvals(ApprovalMode.REFUSE))
                .call("pay", "{}")
                .text();
        if (approval == Approval.ALWAYS) {
            assertThat(text).contains("Error (approval_denied)").contains("no person can be asked here");
            assertThat(ran).hasValue(0);
        } else {
            assertThat(text).isEqualTo("paid");
            assertThat(ran).hasValue(1);
        }
    }
}
