package dev.belay.mcp;

import dev.belay.BelayException;
import dev.belay.mcp.client.LiveServer;
import dev.belay.mcp.client.ServerTool;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The MCP servers of a program: one connection to each, shared by all sessions, and the plugin that gives their tools to sessions.
 * Servers may be attached and detached while sessions run. A server that is bad, slow or away is not another server's problem.
 *
 * <p>Attaching does not wait: a server is connected in the background, and its tools are in the catalog once it has listed them.
 * Thread-safe. Closed with the last runtime that has it as a plugin, or by {@link #close}.
 */
public final class McpServers implements PluginFactory, AutoCloseable {

    private final Map<String, LiveServer> servers = new ConcurrentSkipListMap<>();
    private final McpPins pins;
    private final LiveServer.Backoff backoff;
    private final ToolProvider tools = new All();

    /** None at first, with tools that are approved when they are seen first. */
    public McpServers() {
        this(McpPins.inMemory());
    }

    /**
     * None at first.
     *
     * @param pins what their tools looked like when they were approved
     */
    public McpServers(McpPins pins) {
        this(pins, LiveServer.Backoff.USUAL);
    }

    McpServers(McpPins pins, LiveServer.Backoff backoff) {
        this.pins = pins;
        this.backoff = backoff;
    }

    /** These servers. */
    public static McpServers of(McpServer... servers) {
        var all = new McpServers();
        for (McpServer server : servers) {
            all.attach(server);
        }
        return all;
    }

    /**
     * Connects one more server in the background; never fails for the server's sake.
     *
     * @throws BelayException {@code duplicate_server} if there is one of that name
     */
    public McpServers attach(McpServer server) {
        servers.compute(server.name(), (name, other) -> {
            if (other != null) {
                throw new BelayException("duplicate_server",
                        "there is a server " + name + "; detach it first, or name this one otherwise");
            }
            return new LiveServer(server, pins, backoff);
        });
        return this;
    }

    /** Ends the connection to a server and takes its tools away; false if there is none of that name. */
    public boolean detach(String name) {
        LiveServer gone = servers.remove(name);
        if (gone != null) {
            gone.close();
        }
        return gone != null;
    }

    /** How the servers are, by their names. */
    public List<McpStatus> list() {
        return servers.values().stream().map(LiveServer::status).toList();
    }

    /** Waits until every server has listed its tools or was tried in vain; true if all of them answer. */
    public boolean await(Duration longest) throws InterruptedException {
        long until = System.nanoTime() + longest.toNanos();
        boolean all = true;
        for (LiveServer server : servers.values()) {
            all &= server.await(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        }
        return all;
    }

    /**
     * Approves a tool as its server describes it now, after it has changed.
     *
     * @param tool by the server's name
     * @return whether the tool was waiting for that
     */
    public boolean approve(String server, String tool) {
        LiveServer live = servers.get(server);
        return live != null && live.approve(tool);
    }

    /** Their tools, for a place without sessions, such as a slot of your own loop. */
    public ToolProvider tools() {
        return tools;
    }

    @Override
    public String id() {
        return "mcp";
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return on -> on.tools().provider(tools);
    }

    /** Ends all connections and the programs behind them. */
    @Override
    public void close() {
        List<Thread> closing = new ArrayList<>();
        for (String name : servers.keySet()) {
            closing.add(Thread.ofVirtual().start(() -> detach(name)));
        }
        boolean interrupted = false;
        for (Thread one : closing) {
            while (one.isAlive()) {
                try {
                    one.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The tools of all servers. */
    private final class All implements ToolProvider {

        @Override
        public List<ToolDefinition> definitions() {
            return servers.values()
                    .stream()
                    .flatMap(server -> server.tools().stream())
                    .map(ServerTool::definition)
                    .toList();
        }

        @Override
        public List<ToolManifest> manifests() {
            return definitions().stream().map(ToolDefinition::manifest).toList();
        }

        @Override
        public Optional<ToolContract> contract(ToolId id) {
            return servers.values()
                    .stream()
                    .flatMap(server -> server.tool(id).stream())
                    .findFirst()
                    .map(tool -> tool.definition().contract());
        }

        @Override
        public Object execute(PreparedCall call) throws Exception {
            ToolId id = call.definition().id();
            for (LiveServer server : servers.values()) {
                Optional<ServerTool> tool = server.tool(id);
                if (tool.isPresent()) {
                    return server.call(tool.get(), call);
                }
            }
            throw new BelayException("mcp_server_unavailable",
                    "the server of tool " + call.name() + " was detached or does not offer it any more");
        }
    }
}
