package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.Shell;
import dev.belay.mcp.McpServers;
import dev.belay.runtime.BelayBuilder;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.toolbox.Toolbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a workspace for a command that runs no turn: those of its groups, and those of its MCP servers, which are connected. Closing
 * it ends the connections. Confined to one thread.
 */
public final class WorkspaceTools implements AutoCloseable {

    private static final int WORDS = 500;

    private final Toolbox own;
    private final @Nullable McpServers servers;

    private WorkspaceTools(Toolbox own, @Nullable McpServers servers) {
        this.own = own;
        this.servers = servers;
    }

    /** The tools. No server of settings that are not trusted is connected; that, and a server that does not answer, is told on standard error. */
    public static WorkspaceTools of(Shell shell, AgentWorkspace workspace, Settings settings)
            throws InterruptedException {
        Toolbox own = LocalTools.of(shell, workspace, settings);
        if (settings.mcp().servers().isEmpty()) {
            return new WorkspaceTools(own, null);
        }
        var trust = new Trust(shell, workspace);
        Supplier<Optional<String>> objection = trust.changes(settings); // before it is looked at
        if (trust.asks(settings)) {
            shell.err()
                    .line("belay: tools of MCP servers are left out, because the settings are not trusted;"
                            + " 'belay trust' trusts them");
            return new WorkspaceTools(own, null);
        }
        McpServers servers = settings.mcp().connect(shell, workspace, objection).orElseThrow();
        servers.list()
                .stream()
                .filter(server -> server.problem() != null)
                .forEach(server -> shell.err()
                        .remark("belay: MCP server " + server.server() + ": "
                                + Shown.inLine(String.valueOf(server.problem()), WORDS)));
        return new WorkspaceTools(own, servers);
    }

    /** What they are: first those of the groups. */
    public List<ToolDefinition> definitions() {
        List<ToolDefinition> all = new ArrayList<>(own.definitions());
        if (servers != null) {
            all.addAll(servers.tools().definitions());
        }
        return all;
    }

    /** Gives them to a runtime. */
    public BelayBuilder into(BelayBuilder builder) {
        builder.tools(own);
        return servers == null ? builder : builder.tools(servers.tools());
    }

    @Override
    public void close() {
        if (servers != null) {
            servers.close();
        }
    }
}
