package dev.belay.tests.snippets;

import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.mcp.McpStatus;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.tool.ToolEffect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** The code of docs/mcp.md. */
final class McpSnippets {

    private McpSnippets() {}

    // region attach
    static Belay open(Model model, Path folder, String key) throws InterruptedException {
        McpServers servers = McpServers.of(
                McpServer.program("files", "npx", "-y", "@modelcontextprotocol/server-filesystem",
                        folder.toString()),
                McpServer.http("tickets", URI.create("https://tickets.example/mcp"))
                        .header("Authorization", "Bearer " + key)
                        .effect("find_ticket", ToolEffect.READ));
        servers.await(Duration.ofSeconds(10)); // only if the first turn must have their tools
        return Belay.builder().model(model).plugin(servers).build(); // closes the servers with it
    }
    // endregion

    // region look
    static void look(McpServers servers) {
        for (McpStatus server : servers.list()) {
            System.getLogger("mcp")
                    .log(System.Logger.Level.INFO, "{0} is {1}, offers {2}, leaves out {3}", server.server(),
                            server.state(), server.tools(), server.left());
        }
    }
    // endregion

    // region pins
    static McpServers pinned(Path folder) {
        return new McpServers(McpPins.file(folder.resolve("mcp-tools.json")));
    }

    static boolean approve(McpServers servers) {
        return servers.approve("tickets", "close_ticket");
    }
    // endregion
}
