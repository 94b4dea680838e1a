package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A call that was approved for one server does not run at another one. */
@Timeout(120)
class ChangedServerTest {

    @TempDir
    Path folder;

    private final SharedMemory records = new SharedMemory();
    private final ScriptedModel model = new ScriptedModel().call("mcp__bank__echo", "{\"text\":\"paid\"}")
            .reply("Done.");
    private Path log;
    private Path script;
    private Path data;

    @BeforeEach
    void files() throws IOException {
        log = folder.resolve("log");
        data = Files.writeString(folder.resolve("books.txt"), "");
        script = Files.writeString(folder.resolve("script.js"), "pay the bill");
    }

    private McpServer bank(String... more) {
        List<String> how = new ArrayList<>(List.of("log=" + log, script.toString(), data.toString()));
        how.addAll(List.of(more));
        return McpServer.program("bank", ScriptedServer.command(how.toArray(String[]::new)));
    }

    private Belay open(McpServer server) throws InterruptedException {
        McpServers servers = McpServers.of(server);
        assertThat(servers.await(Duration.ofSeconds(60))).as("%s", servers.list()).isTrue();
        return Belay.builder()
                .model(model)
                .policy(Policy.rules(PolicyRule.ask("all").tools("*").reason("everything")))
                .store(records.open())
                .plugin(servers)
                .build();
    }

    /** What the model is told about a call that was approved for one server, if the next process has another one. */
    private String told(McpServer approved, McpServer next) throws Exception {
        try (Belay first = open(approved)) {
            first.session("s").turn("Pay.").id("in").submit();
            while (first.approvals().open(null, 9).items().isEmpty()) {
                Thread.onSpinWait();
            }
        }
        try (BelayClient client = Belay.client(records.existing())) {
            OpenApproval open = client.approvals().open(null, 9).items().getFirst();
            assertThat(
                    client.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()))
                    .isEqualTo(VerbResult.DONE);
        }
        try (Belay second = open(next)) {
            second.session("s").input("in").orElseThrow().awaitCommit();
            return model.requests().getLast().messages().getLast().toString();
        }
    }

    private boolean called() throws IOException {
        return Files.readString(log).contains("tools/call");
    }

    private void another(McpServer next) throws Exception {
        assertThat(told(bank(), next)).contains("definition_changed");
        assertThat(called()).isFalse();
    }

    @Test
    void anApprovedCallRunsAtTheServerThatIsTheSame() throws Exception {
        assertThat(told(bank().variable("BOOKS", "test"), bank().variable("BOOKS", "test"))).contains("paid");
        assertThat(called()).isTrue();
    }

    @Test
    void anApprovedCallDoesNotRunUnderAnotherCommand() throws Exception {
        another(bank("prod"));
    }

    @Test
    void anApprovedCallDoesNotRunWithAnotherVariable() throws Exception {
        another(bank().variable("BOOKS", "prod"));
    }

    @Test
    void anApprovedCallDoesNotRunInAProgramWhoseBytesHaveChanged() throws Exception {
        McpServer same = bank();
        McpServer changed = bank();
        try (McpServers servers = McpServers.of(same)) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            String before = fingerprint(servers);
            Files.writeString(script, "pay the thief");
            assertThat(fingerprint(servers)).as("the program that runs is the old one").isEqualTo(before);
            try (McpServers later = McpServers.of(changed)) {
                assertThat(later.await(Duration.ofSeconds(60))).isTrue();
                assertThat(fingerprint(later)).isNotEqualTo(before);
            }
        }
    }

    /** A call that was decided about may meet the server after it was started anew. */
    @Test
    void aCallThatWasDecidedDoesNotRunAtAServerThatWasStartedAnewWithOtherBytes() throws Exception {
        try (McpServers servers = McpServers.of(bank())) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            List<ToolDefinition> decided = servers.tools().definitions();
            var before = new ToolProvider() {
                @Override
                public List<ToolDefinition> definitions() {
                    return decided;
                }

                @Override
                public @Nullable Object execute(PreparedCall call) throws Exception {
                    return servers.tools().execute(call);
                }
            };
            assertThat(ToolCaller.of(before).call("mcp__bank__echo", "{\"text\":\"paid\"}").text())
                    .isEqualTo("paid");
            Files.writeString(data, "paid"); // named by the command, and no program
            ToolCaller.of(before).call("mcp__bank__die", "{}");
            assertThat(ToolCaller.of(before).call("mcp__bank__echo", "{\"text\":\"again\"}").text())
                    .isEqualTo("again");
            Files.writeString(script, "pay the thief");
            ToolCaller.of(before).call("mcp__bank__die", "{}");
            assertThat(ToolCaller.of(before).call("mcp__bank__echo", "{\"text\":\"paid\"}").text())
                    .startsWith("Error (prepared_tool_mismatch)");
            assertThat(Files.readAllLines(log)).filteredOn(line -> line.contains("paid")).hasSize(1);
        }
    }

    @Test
    void theSecondTryOfAReadDoesNotReachAServerThatWasStartedAnewWithOtherBytes() throws Exception {
        try (McpServers servers = McpServers.of(bank("resources"))) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
        }
        long asked = Files.readAllLines(log).stream().filter(line -> !line.equals("end of input")).count();
        try (McpServers servers = McpServers.of(bank("resources", "die-at=" + (asked + 1)))) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            Files.writeString(script, "pay the thief");
            assertThat(ToolCaller.of(servers.tools()).call("mcp__bank__list_resources", "{}").text())
                    .startsWith("Error (prepared_tool_mismatch)");
            assertThat(Files.readAllLines(log)).filteredOn(line -> line.startsWith("resources/list"))
                    .hasSize(1);
        }
    }

    private static String fingerprint(McpServers servers) {
        return servers.tools().definitions().getFirst().fingerprint().value();
    }

    /** What {@code echo} at an address is taken for. */
    private String at(McpPins kept, McpServer server) {
        try (McpServers servers = new McpServers(kept).attach(server)) {
            return fingerprint(servers);
        }
    }

    @Test
    void anotherAddressTenantOrDirectoryIsAnotherServerAndARenewedTokenIsNot() throws Exception {
        McpPins kept = McpPins.file(folder.resolve("pins.json"));
        try (McpServers servers = new McpServers(kept).attach(bank())) { // keeps its list for a server that is away
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
        }
        McpServer test = McpServer.http("bank", URI.create("http://127.0.0.1:1/test"))
                .header("Authorization", "Bearer 1");
        String fingerprint = at(kept, test);
        assertThat(at(kept, test)).isEqualTo(fingerprint);
        assertThat(at(kept, test.header("Authorization", "Bearer 2"))).isEqualTo(fingerprint);
        assertThat(at(kept, test.header("X-Tenant", "prod"))).isNotEqualTo(fingerprint);
        assertThat(at(kept, McpServer.http("bank", URI.create("http://127.0.0.1:1/prod"))))
                .isNotEqualTo(fingerprint);
        McpServer program = McpServer.program("bank", "true");
        assertThat(at(kept, program.directory(folder))).isEqualTo(at(kept, program.directory(folder)))
                .isNotEqualTo(at(kept, program));
    }

    @Test
    void aScriptInAPartOfAWordOrAVariableIsPartOfWhatTheServerIs() throws Exception {
        McpPins kept = McpPins.file(folder.resolve("pins.json"));
        try (McpServers servers = new McpServers(kept).attach(bank())) { // keeps its list for a server that is away
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
        }
        Files.createDirectory(folder.resolve("module"));
        Files.writeString(folder.resolve("module/index.js"), "pay the bill");
        Files.writeString(folder.resolve("plain"), "#!/bin/sh\npay the bill");
        for (String word : List.of("exec node ./script.js", "--require=./script", "-r./none:./script.js",
                "./plain", "node ./module; exit", "--import=${PWD}/script.js")) {
            String named = word.contains("plain")
                    ? "plain"
                    : word.contains("module") ? "module/index.js" : "script.js";
            for (McpServer server : List.of(McpServer.program("bank", "sh", "-c", word),
                    McpServer.program("bank", "node").variable("NODE_OPTIONS", word))) {
                String before = at(kept, server.directory(folder));
                Files.writeString(data, word); // no program
                assertThat(at(kept, server.directory(folder))).as(word).isEqualTo(before);
                Files.writeString(folder.resolve(named),
                        "#!/bin/sh\npay the thief of " + word + server.way());
                assertThat(at(kept, server.directory(folder))).as(word).isNotEqualTo(before);
            }
        }
    }
}
