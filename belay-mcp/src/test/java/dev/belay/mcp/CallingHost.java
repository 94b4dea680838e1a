package dev.belay.mcp;

import dev.belay.tool.ToolCaller;
import java.time.Duration;

/** A program that calls a tool of a server on a virtual thread and prints the answer. */
final class CallingHost {

    private CallingHost() {}

    public static void main(String[] args) throws InterruptedException {
        try (McpServers servers = McpServers.of(McpServer.program("files", ScriptedServer.command()))) {
            servers.await(Duration.ofSeconds(60));
            Thread.ofVirtual()
                    .start(() -> System.out.print(ToolCaller.of(servers.tools())
                            .call("mcp__files__echo", "{\"text\":\"here\"}")
                            .text()))
                    .join();
        }
    }
}
