package dev.belay.mcp;

import java.time.Duration;

/** A program that attaches a deaf server, prints the process id of it, and exits without closing anything. */
final class ExitingHost {

    private ExitingHost() {}

    public static void main(String[] args) throws InterruptedException {
        McpServers servers = McpServers.of(McpServer.program("deaf", ScriptedServer.command("deaf")));
        boolean there = servers.await(Duration.ofSeconds(60));
        ProcessHandle.current().children().forEach(child -> System.out.println(child.pid()));
        System.exit(there ? 0 : 1);
    }
}
