package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.ToolHarness;
import dev.belay.testkit.crash.CrashKit;
import dev.belay.testkit.crash.CrashReport;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Code that stands in {@code docs/testing-your-tools.md}. */
final class TestKitSnippets {

    // region tools
    /** Pays an order back. */
    @Tool
    record Refund(long order) implements ToolInput<String> {}

    /** Asks a person. */
    @Tool
    record Ask(String question) implements ToolInput<String> {}

    private final List<String> bank = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();

    private final ToolProvider tools = StaticToolProvider.builder()
            .tool(Refund.class, (in, context) -> {
                bank.add("order " + in.order() + " under " + context.idempotencyKey());
                return "paid back";
            })
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
                SqliteOptions.STANDARD.withProbe(probe)).journal())
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
}
