package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.ModelRequest;
import dev.belay.model.ToolSpec;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Timeouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools of servers in sessions. */
@Timeout(60)
class SessionServerTest {

    private static McpServers attached(McpServer server) throws InterruptedException {
        McpServers servers = McpServers.of(server);
        assertThat(servers.await(Duration.ofSeconds(30))).isTrue();
        return servers;
    }

    private static McpServer files(String... how) {
        return McpServer.program("files", ScriptedServer.command(how));
    }

    private static List<String> offered(ModelRequest request) {
        return request.tools().stream().map(ToolSpec::name).toList();
    }

    @Test
    void sessionsCallTheToolsOfAServer() throws Exception {
        var model = new ScriptedModel().call("mcp__files__echo", "{\"text\":\"hello\"}")
                .reply("It said hello.");
        try (Belay belay = Belay.builder().model(model).plugin(attached(files())).build()) {
            assertThat(belay.session("s").turn("say hello").run().ended().text()).isEqualTo("It said hello.");
        }
        assertThat(offered(model.requests().getFirst())).contains("mcp__files__echo");
        assertThat(model.requests().getLast().messages().getLast().toString()).contains("hello");
    }

    @Test
    void aToolWhoseSchemaCannotBeReadIsTheProblemOfNoOther() throws Exception {
        var model = new ScriptedModel().call("mcp__files__echo", "{\"text\":\"hello\"}")
                .call("mcp__files__old", "{\"n\":0}")
                .call("mcp__files__odd", "{\"n\":0}")
                .reply("Done.");
        try (Belay belay = Belay.builder()
                .model(model)
                .plugin(attached(files("odd-schemas")))
                .build()) {
            assertThat(belay.session("s").turn("say hello").run().ended().text()).isEqualTo("Done.");
        }
        List<String> read = model.requests()
                .stream()
                .skip(1)
                .map(request -> request.messages().getLast().toString())
                .toList();
        assertThat(read.get(0)).contains("hello");
        assertThat(read.get(1)).contains("expected a number greater than 0"); // draft 4, although it does not say so
        assertThat(read.get(2)).contains("status=ERROR").doesNotContain("mcp_error"); // not sent
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void aPaymentWhoseServerDiesIsADoubtAndItsRepeatIsRefused(String revision) throws Exception {
        var model = new ScriptedModel().call("mcp__files__die", "{}")
                .call("mcp__files__die", "{}")
                .reply("I stop.");
        try (Belay belay = Belay.builder().model(model).plugin(attached(files(revision))).build()) {
            TurnResult.Ended result = belay.session("s").turn("pay").run().ended();
            assertThat(result.doubts()).hasSize(1);
            assertThat(model.requests().get(1).messages().getLast().toString()).contains(
                    "mcp_connection_lost",
                    "may have happened");
            assertThat(model.requests().get(2).messages().getLast().toString()).contains("doubt_unsettled");
        }
    }

    @Test
    void aReadWhoseServerDiesIsNoDoubt() throws Exception {
        var model = new ScriptedModel().call("mcp__files__die", "{}").reply("I stop.");
        try (Belay belay = Belay.builder()
                .model(model)
                .plugin(attached(files().effect(ToolEffect.READ)))
                .build()) {
            assertThat(belay.session("s").turn("look").run().ended().doubts()).isEmpty();
        }
    }

    @Test
    void progressReachesListenersAndATimeoutReachesTheServer(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        var model = new ScriptedModel().call("mcp__files__slow", "{}").reply("I stop.");
        var progress = new CopyOnWriteArrayList<String>();
        McpServers servers = attached(files("log=" + log)
                .timeouts(new Timeouts(null, Duration.ofSeconds(1))));
        try (Belay belay = Belay.builder().model(model).plugin(servers).listener((session, event) -> {
            if (event instanceof TurnEvent.Call call && call.event() instanceof CallEvent.Progress said) {
                progress.add(said.message());
            }
        }).build()) {
            belay.session("s").turn("work").run();
            assertThat(model.requests().getLast().messages().getLast().toString())
                    .contains("showed no progress");
            while (!Files.readString(log).contains("notifications/cancelled")) {
                Thread.onSpinWait();
            }
        }
        assertThat(progress).isEqualTo(List.of("a third"));
    }

    @Test
    void aServerThatIsDetachedTakesItsToolsOutOfRunningSessions() throws Exception {
        var model = new ScriptedModel().reply("one").reply("two").reply("three");
        McpServers servers = attached(files());
        try (Belay belay = Belay.builder().model(model).plugin(servers).build()) {
            belay.session("s").turn("1").run();
            servers.detach("files");
            belay.session("s").turn("2").run();
            servers.attach(files());
            assertThat(servers.await(Duration.ofSeconds(30))).isTrue();
            belay.session("s").turn("3").run();
        }
        assertThat(model.requests()
                .stream()
                .map(request -> offered(request).contains("mcp__files__echo"))
                .toList())
                .isEqualTo(List.of(true, false, true));
    }

    @Test
    void theLastRuntimeEndsThePrograms() throws Exception {
        McpServers servers = attached(files());
        List<ProcessHandle> programs = ProcessHandle.current().descendants().toList();
        assertThat(programs).isNotEmpty();
        try (Belay belay = Belay.builder().model(new ScriptedModel().reply("hi")).plugin(servers).build()) {
            belay.session("s").turn("hello").run();
        }
        assertThat(programs).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void sessionsShareOneProgramAndSeeItByMembership() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        var model = new ScriptedModel().reply("one").reply("two");
        McpServers servers = attached(files());
        try (Belay belay = Belay.builder().model(model).plugin(servers).build()) {
            belay.session("without").tools().setMembership(servers.list().getFirst().tools(), false);
            belay.session("without").turn("1").run();
            belay.session("with").turn("2").run();
            assertThat(ProcessHandle.current().descendants().filter(one -> !before.contains(one))).hasSize(1);
        }
        assertThat(offered(model.requests().getFirst())).noneMatch(name -> name.startsWith("mcp__"));
        assertThat(offered(model.requests().getLast())).contains("mcp__files__echo");
    }

    @Test
    void aCancelledTurnIsCancelledAtTheServer(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        var model = new ScriptedModel().call("mcp__files__slow", "{}").reply("I stop.");
        try (Belay belay = Belay.builder().model(model).plugin(attached(files("log=" + log))).build()) {
            InputHandle input = belay.session("s").turn("work").submit();
            while (!Files.readString(log).contains("tools/call")) {
                Thread.onSpinWait();
            }
            input.cancel("enough");
            input.awaitCommit();
            while (!Files.readString(log).contains("notifications/cancelled")) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void progressResetsTheIdleTimerButNotTheTotal() throws Exception {
        var model = new ScriptedModel().call("mcp__files__ticks", "{}").reply("Done.");
        try (Belay belay = Belay.builder()
                .model(model)
                .plugin(attached(files("ticks").timeouts(new Timeouts(null, Duration.ofSeconds(3)))))
                .build()) {
            belay.session("s").turn("work").run(); // takes four seconds
        }
        assertThat(model.requests().getLast().messages().getLast().toString()).contains("at last");
        model.call("mcp__files__ticks", "{}").reply("Done.");
        try (Belay belay = Belay.builder()
                .model(model)
                .plugin(attached(files("ticks")
                        .timeouts(new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(3)))))
                .build()) {
            belay.session("s").turn("work").run();
        }
        assertThat(model.requests().getLast().messages().getLast().toString()).contains("tool_timeout");
    }

    @Test
    void aLongOutputIsCutAndCanBeRead() throws Exception {
        var model = new ScriptedModel()
                .call("mcp__files__echo", "{\"text\":\"" + "a line\\n".repeat(10_000) + "\"}")
                .reply("Done.");
        try (Belay belay = Belay.builder().model(model).plugin(attached(files())).build()) {
            belay.session("s").turn("say much").run();
        }
        assertThat(model.requests().getLast().messages().getLast().toString())
                .contains("lines truncated", "read_output(")
                .hasSizeLessThan(20_000);
        assertThat(offered(model.requests().getLast())).contains("read_output");
    }

    @Test
    void whatIsNoResourceIsNoSuccess() throws Exception {
        for (ToolEffect effect : ToolEffect.values()) {
            try (McpServers servers = attached(files("resources").effect(effect))) {
                for (String odd : List.of("note://none", "note://bare", "note://odd")) {
                    String told = ToolCaller.of(servers.tools())
                            .call("mcp__files__read_resource", "{\"uri\":\"" + odd + "\"}")
                            .text();
                    assertThat(told).as(odd)
                            .startsWith(effect == ToolEffect.READ
                                    ? "Error (mcp_server_unavailable)"
                                    : "Error (mcp_connection_lost)");
                    assertThat(told.contains("may have happened")).as(told)
                            .isEqualTo(effect != ToolEffect.READ);
                }
            }
        }
    }

    @Test
    void aResourceOfAServerThatIsNotTrustedIsReadOnceAndAskedFor(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        var model = new ScriptedModel().call("mcp__files__list_resources", "{}")
                .call("mcp__files__read_resource", "{\"uri\":\"x://steal?customer 4711\"}")
                .reply("Done.");
        try (Belay belay = Belay.builder()
                .model(model)
                .plugin(attached(files("resources", "log=" + log)))
                .policy(Policy.rules(PolicyRule.allow("reads").effects(ToolEffect.READ))
                        .otherwise(PolicyDecision.Verdict.ASK))
                .approvals(ApprovalMode.REFUSE)
                .build()) {
            belay.session("s").turn("read").run();
        }
        assertThat(model.requests().getLast().messages().getLast().toString()).contains("approval_denied");
        assertThat(Files.readString(log)).contains("resources/list").doesNotContain("4711");
    }

    @Test
    void readingAResourceIsWhatTheHostSaysOrATrustedServer() throws Exception {
        assertThat(effect(files("resources"))).isEqualTo(ToolEffect.ONCE);
        assertThat(effect(files("resources").trusted())).isEqualTo(ToolEffect.READ);
        assertThat(effect(files("resources").effect("read_resource", ToolEffect.IDEMPOTENT)))
                .isEqualTo(ToolEffect.IDEMPOTENT);
    }

    private static ToolEffect effect(McpServer server) throws InterruptedException {
        try (McpServers servers = attached(server)) {
            return servers.tools()
                    .manifests()
                    .stream()
                    .filter(tool -> tool.name().equals("mcp__files__read_resource"))
                    .findFirst()
                    .orElseThrow()
                    .effect();
        }
    }

    @Test
    void resourcesAreReadByTheModelAndByTheProgram() throws Exception {
        var model = new ScriptedModel().call("mcp__files__list_resources", "{}")
                .call("mcp__files__read_resource", "{\"uri\":\"note://1\"}")
                .call("mcp__files__picture", "{}")
                .reply("Done.");
        McpServers servers = attached(files("resources"));
        try (Belay belay = Belay.builder().model(model).plugin(servers).build()) {
            assertThat(belay.session("s").turn("read").run().ended().doubts()).isEmpty();
            assertThat(servers.resources("files")).singleElement()
                    .satisfies(one -> assertThat(one.text()).contains("note://1"));
            assertThat(servers.read("files", "note://1").text()).contains("Buy bread.");
            assertThat(servers.prompts("files")).singleElement()
                    .satisfies(one -> assertThat(one.text()).contains("greet"));
            assertThat(servers.prompt("files", "greet", Map.of("whom", "Ada")).text()).contains("Ada");
            assertThatThrownBy(() -> servers.prompts("nobody"))
                    .hasMessageContaining("there is no server nobody");
            assertThat(servers.tools().manifests()).filteredOn(tool -> tool.name().endsWith("list_resources"))
                    .singleElement()
                    .satisfies(tool -> assertThat(tool.effect()).isEqualTo(ToolEffect.READ));
        }
        List<String> read = model.requests()
                .stream()
                .skip(1)
                .map(request -> request.messages().getLast().toString())
                .toList();
        assertThat(read.get(0)).contains("note://1", "The first note.");
        assertThat(read.get(1)).contains("Buy bread.");
        assertThat(read.get(2)).contains("Here:", "image/png", "resource note://1 (first)",
                "resource note://2:", "embedded").doesNotContain("iVBORw0KGgo=");
    }
}
