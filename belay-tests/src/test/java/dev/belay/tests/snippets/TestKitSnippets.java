package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.BelayTest;
import dev.belay.testkit.FakeTime;
import dev.belay.testkit.ScriptedPerson;
import dev.belay.testkit.ToolHarness;
import dev.belay.testkit.crash.CrashKit;
import dev.belay.testkit.crash.CrashReport;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Approval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code that stands in {@code docs/testing-your-tools.md}. */
final class TestKitSnippets {

    // region tools
    /** Pays an order back. */
    @Tool
    record Refund(long order) implements ToolInput<String> {}

    /** Asks a person. */
    @Tool
    record Ask(String question) implements ToolInput<String> {}

    /** Sends money away. */
    @Tool(approval = Approval.ALWAYS)
    record Wire(long amount) implements ToolInput<String> {}

    private final List<String> bank = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();

    private final ToolProvider tools = StaticToolProvider.builder()
            .tool(Refund.class, (in, context) -> {
                bank.add("order " + in.order() + " under " + context.idempotencyKey());
                return "paid back";
            })
            .tool(Wire.class, (in, context) -> "sent " + in.amount())
            .attempt(Ask.class, (in, context) -> {
                asked.add(context.completionKey().token());
                return ToolResult.pending();
            })
            .build();
    // endregion

    CrashReport crash() throws Exception {
        // region crash
        return CrashKit.inMemory()
                .tools(tools)
                .call("refund", "{\"order\": 42}")
                .verify();
        // endregion
    }

    CrashReport crashWithTheWorld() throws Exception {
        // region world
        return CrashKit.inMemory()
                .tools(tools)
                .call("refund", "{\"order\": 42}")
                .call("ask", "{\"question\": \"Is that right?\"}")
                .complete("ask", "\"yes\"")
                .verify();
        // endregion
    }

    CrashReport crashOnSqlite() throws Exception {
        // region store
        return CrashKit.on((folder, probe) -> JdbcStore.sqlite(folder.resolve("belay.db"),
                SqliteOptions.STANDARD.withProbe(probe)))
                .tools(tools)
                .call("refund", "{\"order\": 42}")
                .verify();
        // endregion
    }

    CrashReport crashOnce() throws Exception {
        // region only
        return CrashKit.inMemory()
                .tools(tools)
                .call("refund", "{\"order\": 42}")
                .only("AFTER effect call/0/attempt/1 STARTED #1")
                .verify();
        // endregion
    }

    void harness() throws Exception {
        // region harness
        try (ToolHarness harness = ToolHarness.of(tools)) {
            ToolOutcome outcome = harness.call("refund", "{\"order\": 42}");
            assertThat(outcome.text()).isEqualTo("paid back");
            assertThat(bank).hasSize(1);

            ToolOutcome wrong = harness.call("refund", "{\"order\": \"the red one\"}");
            assertThat(wrong.code()).contains("invalid_arguments");
        }
        // endregion
    }

    void deferred() throws Exception {
        // region deferred
        try (ToolHarness harness = ToolHarness.of(tools)) {
            var call = harness.start("ask", "{\"question\": \"Is that right?\"}");
            assertThat(call.rest()).isEmpty();
            harness.time().advance(Duration.ofDays(3));

            harness.resolve(asked.getFirst(), Resolution.ok(Json.string("yes")));

            assertThat(call.outcome().text()).isEqualTo("yes");
        }
        // endregion
    }

    void approval() throws Exception {
        // region approval
        var person = new ScriptedPerson().approve("wire");
        try (var harness = ToolHarness.of(tools).person(person)) {
            assertThat(harness.call("wire", "{\"amount\": 90}").text()).isEqualTo("sent 90");
            person.deny("wire", "too much");
            assertThat(harness.call("wire", "{\"amount\": 91}").text()).contains("too much");
        }
        // endregion
    }

    CrashReport approvalCrash() throws Exception {
        // region approvalCrash
        return CrashKit.of(new Wire(90), (in, context) -> "sent")
                .person(new ScriptedPerson().approve("wire").after(Duration.ofDays(2)))
                .verify();
        // endregion
    }

    CrashReport one() throws Exception {
        // region one
        CrashReport report = CrashKit.of("charge", () -> bank.add("42 euros")).verify();
        System.out.println(report);
        assertThat(report.twice()).isEmpty();
        // endregion
        return report;
    }

    // region junit
    @BelayTest
    static class WireTest {

        @BeforeEach
        void build(BelayBuilder builder) {
            builder.tools(StaticToolProvider.builder().tool(Wire.class, (in, context) -> "sent").build())
                    .policy(Policy.rules(
                            PolicyRule.deny("rich").tools("wire").where("/amount", Match.above(1000))));
        }

        @Test
        void aTurnWaits(ToolHarness harness, ScriptedModel model, ScriptedPerson person, FakeTime time)
                throws Exception {
            model.call("wire", "{\"amount\": 90}").reply("It is sent.");
            person.edit("wire", "{\"amount\": 80}").after(Duration.ofDays(2));

            assertThat(harness.say("s", "Send 90.").answer()).isEqualTo("It is sent.");
            assertThat(time.now()).isEqualTo(FakeTime.START.plus(Duration.ofDays(2)));
        }
    }
    // endregion
}
