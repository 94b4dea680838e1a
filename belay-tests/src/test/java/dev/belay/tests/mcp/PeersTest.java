package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.mcp.McpAnswer;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reference servers from npm, and one of the Java SDK. */
@Tag("deep")
@Timeout(600)
class PeersTest {

    @TempDir
    Path folder;

    private static McpServers attached(McpServer server) throws InterruptedException {
        var servers = new McpServers()
                .answering(question -> Optional.of(McpAnswer.accept(Json.of("{\"name\":\"Ada\"}"))));
        servers.attach(server);
        assertThat(servers.await(Duration.ofSeconds(60))).as("%s", servers.list()).isTrue();
        return servers;
    }

    private static String call(Belay belay, String batch, String tool, String arguments)
            throws InterruptedException {
        return belay.calls()
                .run(batch, List.of(new CallRequest(tool, arguments)))
                .outcomes()
                .getFirst()
                .text();
    }

    @Test
    void theServerOfEverythingIsCalledAsksAndMakesTasks() throws Exception {
        Path node = NodePackages.node();
        McpServers servers = attached(McpServer
                .program("everything", node.toString(), NodePackages.program("server-everything"), "stdio")
                .roots(folder));
        try (servers; Belay belay = Belay.builder().tools(servers.tools()).build()) {
            System.out.println(servers.list());
            assertThat(servers.list().getFirst().left()).isEmpty();
            assertThat(call(belay, "echo", "mcp__everything__echo", "{\"message\":\"hello\"}"))
                    .isEqualTo("Echo: hello");
            assertThat(call(belay, "sum", "mcp__everything__get-sum", "{\"a\":2,\"b\":3}")).contains("5");
            assertThat(call(belay, "long", "mcp__everything__trigger-long-running-operation",
                    "{\"duration\":1,\"steps\":2}")).contains("completed");
            assertThat(call(belay, "ask", "mcp__everything__trigger-elicitation-request", "{}"))
                    .contains("Ada");
            assertThat(call(belay, "roots", "mcp__everything__get-roots-list", "{}"))
                    .contains(folder.getFileName().toString());
            assertThat(
                    call(belay, "task", "mcp__everything__simulate-research-query", "{\"topic\":\"belays\"}"))
                    .contains("belays");
            assertThat(servers.resources("everything")).isNotEmpty();
            assertThat(servers.prompts("everything")).isNotEmpty();
        }
    }

    @Test
    void theServerOfTheJavaSdkIsCalledAsksAndFails() throws Exception {
        McpServers servers = attached(McpServer.program("sdk", SdkPackages.server()));
        try (servers; Belay belay = Belay.builder().tools(servers.tools()).build()) {
            assertThat(servers.list().getFirst().left()).isEmpty();
            assertThat(call(belay, "add", "mcp__sdk__add", "{\"a\":2,\"b\":3}")).isEqualTo("5");
            assertThat(call(belay, "ask", "mcp__sdk__ask", "{}")).contains("Ada");
            assertThat(call(belay, "fail", "mcp__sdk__fail", "{}")).contains("out of paper");
        }
    }

    @Test
    void theServerOfFilesReadsAndWrites() throws Exception {
        Path node = NodePackages.node();
        Path root = folder.toRealPath();
        McpServers servers = attached(McpServer.program("files", node.toString(),
                NodePackages.program("server-filesystem"), root.toString()).trusted());
        try (servers; Belay belay = Belay.builder().tools(servers.tools()).build()) {
            assertThat(servers.list().getFirst().left()).isEmpty();
            Path file = root.resolve("a.txt");
            call(belay, "write", "mcp__files__write_file",
                    "{\"path\":\"" + file + "\",\"content\":\"Grüße\"}");
            assertThat(Files.readString(file)).isEqualTo("Grüße");
            assertThat(call(belay, "read", "mcp__files__read_text_file", "{\"path\":\"" + file + "\"}"))
                    .isEqualTo("Grüße");
        }
    }
}
