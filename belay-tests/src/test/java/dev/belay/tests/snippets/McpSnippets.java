package dev.belay.tests.snippets;

import dev.belay.mcp.McpAnswer;
import dev.belay.mcp.McpPeople;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpQuestion;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.mcp.McpStatus;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.store.Actor;
import dev.belay.tool.ToolEffect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

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

    static void approve(McpServers servers, BelayClient client, Predicate<McpPins.Waiting> person) {
        for (McpPins.Waiting tool : servers.waiting()) {
            if (person.test(tool)) { // reads tool.definition()
                servers.approve(client.as(new Actor("anna", "web")), tool);
            }
        }
    }
    // endregion

    // region questions
    static McpServers asking(Function<McpQuestion, McpAnswer> window) {
        return new McpServers()
                .answering(question -> question.url() == null
                        ? Optional.of(window.apply(question)) // now
                        : Optional.empty()) // the call parks: pending(…) lists the question
                .attach(McpServer.program("desk", "desk-server")
                        .roots(Path.of("work"))
                        .sampling(McpServer.Sampling.REFUSED));
    }
    // endregion

    // region people
    static Belay people(Model model) {
        var servers = new McpServers();
        Belay belay = Belay.builder()
                .model(model)
                .plugin(servers)
                .process(McpPeople.PROCESS, McpPeople::ask)
                .build();
        servers.answering(new McpPeople(belay, Duration.ofMinutes(10)))
                .attach(McpServer.program("desk", "desk-server"));
        return belay;
    }
    // endregion
}
