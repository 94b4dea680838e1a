package dev.belay.mcp;

import dev.belay.tool.ToolCaller;
import java.time.Duration;

/** A program that calls a server which does not read, on a virtual thread, and prints from another one. */
final class UnreadHost {

    private UnreadHost() {}

    public static void main(String[] args) throws InterruptedException {
        McpServers servers = McpServers
                .of(McpServer.program("files", ScriptedServer.command("stops-reading")));
        servers.await(Duration.ofSeconds(60));
        String arguments = "{\"text\":\"" + "x".repeat(1 << 19) + "\"}"; // more than a pipe holds
        for (int i = 0; i < 2; i++) {
            Thread.ofVirtual()
                    .start(() -> ToolCaller.of(servers.tools()).call("mcp__files__echo", arguments));
        }
        Thread.ofVirtual().start(() -> System.out.print("here")).join();
        servers.close();
        System.out.print(", closed");
    }
}
