package dev.belay.cli.local;

import dev.belay.cli.settings.McpSettings;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.cli.verb.Verb;
import dev.belay.json.Json;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServers;
import dev.belay.mcp.McpStatus;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.schema.Shown;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay mcp}. */
@Command(name = "mcp", header = "List the MCP servers of a workspace, and approve tools that have changed.", subcommands = {
    McpVerbs.Ls.class, McpVerbs.Approve.class})
final class McpVerbs extends Verb {

    /** So much of a hash is shown, and names it. */
    private static final int HASH = 64;
    private static final int WORDS = 500;

    @Override
    public Integer call() {
        throw CommandProblem.usage("say what to do: 'belay mcp ls' or 'belay mcp approve SERVER TOOL HASH'");
    }

    @Command(name = "ls", header = "Connect the servers of belay.toml, and list them or the tools of one.", description = {
        "",
        "A tool that is new, or not what it was when its server was seen first, is not offered; it is shown with the command that approves it."
                + " The workspace must be trusted, because its programs are started."})
    static final class Ls extends Verb {

        @Parameters(arity = "0..1", paramLabel = "SERVER", description = "List the tools of this one.")
        private @Nullable String server;

        @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
            "Default: the nearest directory upwards with a belay.toml or a .belay."})
        private @Nullable Path workspace;

        @Option(names = "--json", description = "Print JSON, one value per line.")
        private boolean json;

        @Override
        public Integer call() throws InterruptedException {
            AgentWorkspace found = AgentWorkspace.of(shell(), workspace);
            Settings settings = Settings.of(shell(), found);
            if (server != null && !settings.mcp().servers().containsKey(server)) {
                throw CommandProblem.notFound("there is no MCP server \"" + Shown.inLine(server, 100)
                        + "\"; belay.toml has " + settings.mcp().servers().keySet());
            }
            var trust = new Trust(shell(), found);
            Supplier<Optional<String>> objection = trust.changes(settings);
            trust.require(settings);
            var attached = settings.mcp().connect(shell(), found, objection);
            if (attached.isEmpty()) {
                shell().err().line("no MCP servers; name one in [mcp.NAME] of belay.toml");
                return ExitCode.DONE;
            }
            try (McpServers servers = attached.get()) {
                List<McpStatus> all = servers.list()
                        .stream()
                        .filter(one -> server == null || one.server().equals(server))
                        .toList();
                if (json) {
                    all.forEach(one -> shell().out().line(json(one, servers.waiting()).text()));
                } else if (server != null) {
                    all.getFirst().tools().forEach(tool -> shell().out().remark(tool));
                } else {
                    print(settings.mcp(), all);
                }
                all.forEach(one -> remarks(one, servers.waiting()));
            }
            return ExitCode.DONE;
        }

        private void print(McpSettings settings, List<McpStatus> all) {
            var table = new TextTable("SERVER", "STATE", "REVISION", "TOOLS", "LEFT OUT", "WHERE");
            all.forEach(
                    one -> table.row(one.server(), word(one), one.revision() == null ? "" : one.revision(),
                            one.tools().size(), one.left().size(),
                            Objects.requireNonNull(settings.servers().get(one.server()))));
            table.print(shell(), "no MCP servers");
        }

        private void remarks(McpStatus one, List<McpPins.Waiting> waiting) {
            if (one.problem() != null) {
                shell().err().remark(one.server() + ": " + Shown.inLine(one.problem(), WORDS));
            }
            one.left().forEach((tool, why) -> {
                shell().err()
                        .remark(Shown.inLine(one.server() + "/" + tool, 100) + " is not offered: "
                                + Shown.inLine(why, WORDS));
                of(waiting, one, tool).forEach(open -> {
                    shell().err().quote(open.definition());
                    shell().err()
                            .line("  belay mcp approve " + one.server() + " '"
                                    + Shown.inLine(tool, 100).replace("'", "'\\''") + "' "
                                    + open.hash().substring(0, HASH));
                });
            });
        }

        private static List<McpPins.Waiting> of(List<McpPins.Waiting> waiting, McpStatus one, String tool) {
            return waiting.stream()
                    .filter(open -> open.server().equals(one.server()) && open.tool().equals(tool))
                    .toList();
        }

        private static Json json(McpStatus one, List<McpPins.Waiting> waiting) {
            return Json.write(out -> {
                out.beginObject().name("server").value(one.server()).name("state").value(word(one));
                if (one.revision() != null) {
                    out.name("revision").value(one.revision());
                }
                if (one.problem() != null) {
                    out.name("problem").value(one.problem());
                }
                out.name("tools").beginArray();
                one.tools().forEach(out::value);
                out.endArray().name("left_out").beginArray();
                one.left().forEach((tool, why) -> {
                    out.beginObject().name("tool").value(tool).name("why").value(why);
                    of(waiting, one, tool)
                            .forEach(open -> out.name("hash")
                                    .value(open.hash())
                                    .name("definition")
                                    .value(
                                            open.definition()));
                    out.endObject();
                });
                out.endArray().endObject();
            });
        }

        private static String word(McpStatus one) {
            return one.state().name().toLowerCase(Locale.ROOT);
        }
    }

    @Command(name = "approve", header = "Approve a tool of a server as 'belay mcp ls' has shown it.", description = {
        "",
        "It is offered again, within a second where a session runs. The audit log says who approved it. A tool that has changed"
                + " once more is not approved."})
    static final class Approve extends StoreVerb {

        @Parameters(index = "0", paramLabel = "SERVER", description = "Whose.")
        private String server = "";

        @Parameters(index = "1", paramLabel = "TOOL", description = "Which, by the server's name.")
        private String tool = "";

        @Parameters(index = "2", paramLabel = "HASH", description = "The hash of what was shown, all of it: shorter ones can be made for two tools.")
        private String hash = "";

        @Override
        protected int with(BelayClient client) {
            if (hash.length() < HASH) {
                throw CommandProblem
                        .usage("the hash has " + HASH + " digits; 'belay mcp ls' shows it");
            }
            McpPins pins = McpSettings.pins(shell(), workspace());
            McpPins.Waiting open = pins.waiting()
                    .stream()
                    .filter(one -> one.server().equals(server) && one.tool().equals(tool))
                    .findFirst()
                    .orElseThrow(() -> CommandProblem.notFound("no tool " + Shown.inLine(tool, 100)
                            + " of MCP server " + Shown.inLine(server, 100)
                            + " waits for an approval; 'belay mcp ls' shows those that do"));
            return tell(open.hash().startsWith(hash)
                    ? pins.approve(client, open)
                    : new VerbResult.NotPossible(
                            "the tool is not what was shown; 'belay mcp ls' shows it as it is now"),
                    "approved " + Shown.inLine(server + "/" + tool, 200));
        }
    }
}
