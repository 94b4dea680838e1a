package dev.belay.mcp;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.mcp.client.LiveServer;
import dev.belay.mcp.client.ServerResources;
import dev.belay.mcp.client.ServerTool;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The MCP servers of a program: one connection to each, shared by all sessions, and the plugin that gives their tools to sessions.
 * Servers may be attached and detached while sessions run. A server that is bad, slow or away is not another server's problem.
 *
 * <p>Attaching does not wait: a server is connected in the background, and its tools are in the catalog once it has listed them. A session
 * that is opened meanwhile waits for the first try of each server, 10 seconds at most.
 * Thread-safe. Closed with the last runtime that has it as a plugin, or by {@link #close}.
 */
public final class McpServers implements PluginFactory, AutoCloseable {

    private static final Duration FIRST_TRY = Duration.ofSeconds(10);

    private final Map<String, LiveServer> servers = new ConcurrentSkipListMap<>();
    private final McpPins pins;
    private final LiveServer.Backoff backoff;
    private final ToolProvider tools = new All();
    private volatile @Nullable McpQuestions questions;
    private volatile Supplier<Optional<String>> objection = Optional::empty;

    /** None at first; the first tools that each of them lists are approved. */
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
            return new LiveServer(server, pins, backoff, questions, objection);
        });
        return this;
    }

    /** Lets questions of servers that are attached from now on be answered inside this process. */
    public McpServers answering(McpQuestions answers) {
        questions = answers;
        return this;
    }

    /**
     * Lets programs of servers that are attached from now on be started, and started again after they were lost, only while there is no objection.
     *
     * @param objection why none may be started now, or empty; asked before each start, on threads of servers
     */
    public McpServers starting(Supplier<Optional<String>> objection) {
        this.objection = objection;
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

    /** Waits until every server has listed its tools, or is left alone after ten tries in vain; true if all of them answer. */
    public boolean await(Duration longest) throws InterruptedException {
        return await(longest, false);
    }

    /** The same, with one try for each server: one that is not there is not waited for. */
    public boolean awaitFirstTry(Duration longest) throws InterruptedException {
        return await(longest, true);
    }

    private boolean await(Duration longest, boolean once) throws InterruptedException {
        long until = System.nanoTime() + longest.toNanos();
        boolean all = true;
        for (LiveServer server : servers.values()) {
            all &= server.await(Duration.ofNanos(Math.max(0, until - System.nanoTime())), once);
        }
        return all;
    }

    /** The tools that have changed, or are new where nothing is approved by itself: they are not offered until they are approved. */
    public List<McpPins.Waiting> waiting() {
        return pins.waiting();
    }

    /**
     * Approves a tool as it was shown; it is offered again soon after. A row of the audit log says who approved it.
     *
     * @param by who approves
     * @param seen one of {@link #waiting}
     */
    public VerbResult approve(BelayClient by, McpPins.Waiting seen) {
        VerbResult result = pins.approve(by, seen);
        LiveServer live = servers.get(seen.server());
        if (live != null) {
            live.approved();
        }
        return result;
    }

    /** The resources of a server, as the protocol describes them. */
    public List<Json> resources(String server) throws InterruptedException {
        return resourcesOf(server).list("resources/list", "resources");
    }

    /** The contents of a resource, as the protocol writes them. */
    public Json read(String server, String uri) throws InterruptedException {
        return resourcesOf(server).read(uri);
    }

    /** The prompts of a server, as the protocol describes them. */
    public List<Json> prompts(String server) throws InterruptedException {
        return resourcesOf(server).list("prompts/list", "prompts");
    }

    /** The messages of a prompt with its arguments filled in, as the protocol writes them. */
    public Json prompt(String server, String name, Map<String, String> arguments)
            throws InterruptedException {
        return resourcesOf(server).prompt(name, arguments);
    }

    private ServerResources resourcesOf(String server) {
        LiveServer live = servers.get(server);
        if (live == null) {
            throw new BelayException("unknown_server",
                    "there is no server " + server + "; there are " + servers.keySet());
        }
        return new ServerResources(live);
    }

    /** Their tools, for a place without sessions, such as a slot of your own loop. */
    public ToolProvider tools() {
        return tools;
    }

    @Override
    public String id() {
        return "mcp";
    }

    /**
     * Gives the tools to a session. Waits until each server was tried once, for 10 seconds at most: a session that is taken over after a
     * restart goes on with calls that it began, and their tools have to be there.
     */
    @Override
    public SessionPlugin build(PluginSession session) {
        try {
            awaitFirstTry(FIRST_TRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
            List<ToolDefinition> all = List.of();
            for (LiveServer server : servers.values()) {
                List<ToolDefinition> more = server.tools();
                all = all.isEmpty() ? more : Stream.concat(all.stream(), more.stream()).toList();
            }
            return all;
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
