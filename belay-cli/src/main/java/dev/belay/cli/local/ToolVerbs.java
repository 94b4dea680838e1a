package dev.belay.cli.local;

import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.settings.WorkspaceTools;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.verb.Verb;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.schema.NearestNames;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay tools}. */
@Command(name = "tools", header = "List, show and call the tools of a workspace, without a model.", subcommands = {
    ToolVerbs.Ls.class, ToolVerbs.Show.class, ToolVerbs.Call.class})
final class ToolVerbs extends Verb {

    private static final int DESCRIPTION = 100;

    @Override
    public Integer call() {
        throw CommandProblem.usage("say what to do: 'belay tools ls', or 'belay tools --help'");
    }

    /** A command about the tools of a workspace. */
    abstract static class OfWorkspace extends Verb {

        @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
            "Default: the nearest directory upwards with a belay.toml or a .belay."})
        private @Nullable Path workspace;

        @Option(names = "--json", description = "Print JSON, one value per line.")
        private boolean json;

        final WorkspaceTools tools(boolean runs) throws InterruptedException {
            AgentWorkspace found = AgentWorkspace.of(shell(), workspace);
            Settings settings = Settings.of(shell(), found);
            if (runs) {
                var trust = new Trust(shell(), found);
                trust.require(settings);
                trust.makeOwn(); // a tool may keep something there
            }
            return WorkspaceTools.of(shell(), found, settings);
        }

        final boolean isJson() {
            return json;
        }

        static ToolDefinition find(WorkspaceTools tools, String name) {
            List<ToolDefinition> all = tools.definitions();
            return all.stream()
                    .filter(tool -> tool.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> {
                        List<String> near = NearestNames.of(name,
                                all.stream().map(ToolDefinition::name).toList(), 1);
                        return CommandProblem
                                .notFound("there is no tool \"" + Shown.inLine(name, DESCRIPTION) + "\""
                                        + (near.isEmpty() ? ";" : "; did you mean " + near.getFirst() + "?")
                                        + " 'belay tools ls' lists them");
                    });
        }
    }

    @Command(name = "ls", header = "List the tools that belay.toml names, or the usual ones.", description = {
        "", "MCP servers of trusted settings are connected for this."})
    static final class Ls extends OfWorkspace {

        @Override
        public Integer call() throws InterruptedException {
            var table = new TextTable("TOOL", "EFFECT", "DESCRIPTION");
            List<ToolDefinition> all;
            try (WorkspaceTools tools = tools(false)) {
                all = tools.definitions();
            }
            for (ToolDefinition tool : all) {
                String effect = tool.manifest().effect().name().toLowerCase(Locale.ROOT);
                if (isJson()) {
                    shell().out()
                            .line(Json.write(out -> out.beginObject()
                                    .name("tool")
                                    .value(tool.name())
                                    .name("effect")
                                    .value(effect)
                                    .name("description")
                                    .value(tool.manifest().description())
                                    .endObject()).text());
                } else {
                    table.row(tool.name(), effect,
                            Shown.inLine(tool.manifest().description().replace("\n", " "), DESCRIPTION));
                }
            }
            if (!isJson()) {
                table.print(shell(), "no tools");
            }
            return ExitCode.DONE;
        }
    }

    @Command(name = "show", header = "Print what a model is told of a tool, as JSON.")
    static final class Show extends OfWorkspace {

        @Parameters(paramLabel = "TOOL", description = "Which.")
        private String name = "";

        @Override
        public Integer call() throws InterruptedException {
            ToolDefinition tool;
            try (WorkspaceTools tools = tools(false)) {
                tool = find(tools, name);
            }
            shell().out().line(Json.write(out -> {
                out.beginObject().name("name").value(tool.name());
                out.name("effect").value(tool.manifest().effect().name().toLowerCase(Locale.ROOT));
                out.name("description").value(tool.manifest().description());
                out.name("input").value(tool.spec().inputSchema()).endObject();
            }).text());
            return ExitCode.DONE;
        }
    }

    @Command(name = "call", header = "Call a tool once, and print what a model would read.", description = {
        "",
        "Its arguments are checked as those of a model. The call is not recorded. The exit code is 1 if the tool fails."})
    static final class Call extends OfWorkspace {

        @Parameters(index = "0", paramLabel = "TOOL", description = "Which.")
        private String name = "";

        @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", defaultValue = "{}", description = "The arguments, as a JSON object.")
        private String arguments = "{}";

        @Override
        public Integer call() throws InterruptedException {
            ToolOutcome outcome;
            try (WorkspaceTools tools = tools(true); Belay belay = tools.into(Belay.builder()).build()) {
                find(tools, name);
                outcome = belay.calls()
                        .run("command", List.of(new CallRequest(name, arguments)))
                        .outcomes()
                        .getFirst();
            }
            if (outcome instanceof ToolOutcome.Success(Json value)) {
                shell().out().line(isJson() ? value.text() : outcome.text());
                return ExitCode.DONE;
            }
            shell().err().quote(outcome.text());
            return ExitCode.FAILED;
        }
    }
}
