package dev.belay.tests.snippets;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.config.PolicyFile;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.session.InputHandle;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of the pages about policies and approvals do what the pages say. */
class PolicySnippetsTest {

    @TempDir
    Path folder;

    @Test
    void theRulesAreExplained() {
        try (var bench = new OperatorBench("memory", folder)) {
            assertThat(PolicySnippets.explain(bench.worker()))
                    .startsWith("ASK by rule \"big-refunds\": refunds over 100 need a person");
        }
    }

    @Test
    void theFileOfThePageIsAPolicy() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guides", "approvals.md"));
        int begin = page.indexOf("```text\n") + 8;
        Path file = Files.writeString(folder.resolve("belay.toml"),
                page.substring(begin, page.indexOf("```", begin)));
        PolicyCall call = PolicyCall.of("refund", Json.of("{\"amount\": 101}"));
        assertThat(PolicyFile.read(file).decide(call).words())
                .isEqualTo("rule \"big-refunds\": over the limit");
    }

    @Test
    void aPersonChangesTheAmount() throws Exception {
        Path file = Files.writeString(folder.resolve("policy.toml"), "[policy]\notherwise = \"ask\"\n");
        var tools = StaticToolProvider.builder()
                .raw(tool("refund", ToolEffect.ONCE),
                        (arguments, context) -> "refunded " + arguments.get("amount").get())
                .build();
        try (var bench = new OperatorBench("memory", folder)) {
            Belay belay = bench.worker(
                    model(request -> request.messages()
                            .stream()
                            .anyMatch(Message.ToolMessage.class::isInstance)
                                    ? text(SessionBench.lastReplies(request))
                                    : SessionBench
                                            .calls(List.of(new CallPart("c", "refund", "{\"amount\":250}")))),
                    builder -> PolicySnippets.with(builder.tools(tools), model(request -> text("")), file));
            InputHandle input = belay.session("order-42").turn("Go.").submit();
            OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
            assertThat(PolicySnippets.decide(belay)).isEqualTo(VerbResult.DONE);
            assertThat(input.awaitCommit().text()).isEqualTo("refunded 90");
            PolicySnippets.revoke(belay);
        }
    }
}
