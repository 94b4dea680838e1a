package dev.belay.cli.local;

import dev.belay.cli.settings.AgentPolicy;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.WorkspaceTools;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.verb.Verb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.tool.ToolDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay policy}. */
@Command(name = "policy", header = "Check the policy of a workspace, and explain its decisions, without a model.", subcommands = {
    PolicyVerbs.Check.class, PolicyVerbs.Explain.class})
final class PolicyVerbs extends Verb {

    @Override
    public Integer call() {
        throw CommandProblem
                .usage("say what to do: 'belay policy check' or 'belay policy explain TOOL JSON'");
    }

    /** A command about the policies of a workspace. */
    abstract static class OfWorkspace extends Verb {

        @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
            "Default: the nearest directory upwards with a belay.toml or a .belay."})
        private @Nullable Path workspace;

        /** For subclasses. */
        OfWorkspace() {}

        final AgentWorkspace found() {
            return AgentWorkspace.of(shell(), workspace);
        }

        final Settings settings() {
            return Settings.of(shell(), found());
        }

        static String word(PolicyDecision.Verdict verdict) {
            return verdict.name().toLowerCase(Locale.ROOT);
        }
    }

    @Command(name = "check", header = "Check the rules and their examples, and list what decides about each tool.", description = {
        "",
        "A mistake, or an example that a rule contradicts, is told with line and column, and the exit code is 2. A tool whose"
                + " rules look at arguments is decided about call by call."})
    static final class Check extends OfWorkspace {

        @Override
        public Integer call() throws InterruptedException {
            Settings settings = settings();
            List<ToolDefinition> all;
            try (WorkspaceTools tools = WorkspaceTools.of(shell(), found(), settings)) {
                all = tools.definitions();
            }
            var table = new TextTable("AGENT", "TOOL", "EFFECT", "WITHOUT ARGUMENTS", "RULE");
            new TreeMap<>(settings.agents()).forEach((name, agent) -> {
                for (ToolDefinition tool : all) {
                    PolicyDecision decided = agent.policy()
                            .decide(PolicyCall.of(tool.manifest(), Json.EMPTY_OBJECT).agent(name));
                    table.row(name, tool.name(), tool.manifest().effect().name().toLowerCase(Locale.ROOT),
                            word(decided.verdict()), decided.rule() == null ? "" : decided.rule());
                }
            });
            table.print(shell(), "no tools");
            return ExitCode.DONE;
        }
    }

    @Command(name = "explain", header = "Say what the policy decides about a call, and which rules match.")
    static final class Explain extends OfWorkspace {

        @Parameters(index = "0", paramLabel = "TOOL", description = "Which.")
        private String name = "";

        @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", defaultValue = "{}", description = "The arguments, as a JSON object.")
        private String arguments = "{}";

        @Option(names = "--agent", paramLabel = "NAME", defaultValue = Settings.DEFAULT, description = "Whose. Default: ${DEFAULT-VALUE}.")
        private String agent = Settings.DEFAULT;

        @Option(names = "--earlier", paramLabel = "N", defaultValue = "0", description = "After so many calls of the tool in the turn.")
        private int earlier;

        @Override
        public Integer call() throws InterruptedException {
            Settings settings = settings();
            ToolDefinition tool;
            try (WorkspaceTools tools = WorkspaceTools.of(shell(), found(), settings)) {
                tool = ToolVerbs.OfWorkspace.find(tools, name);
            }
            AgentPolicy policy = settings.agent(agent).policy();
            PolicyCall call = PolicyCall.of(tool.manifest(), json()).agent(agent).earlier(earlier);
            PolicyDecision decided = policy.decide(call);
            shell().out().line(word(decided.verdict()) + " by " + decided.words());
            policy.rules()
                    .explain(call)
                    .matched()
                    .forEach(rule -> shell().out()
                            .line("  matches: " + word(rule.verdict()) + " by " + rule.decision().words()));
            return ExitCode.DONE;
        }

        private Json json() {
            try {
                return Json.of(arguments);
            } catch (JsonException e) {
                throw CommandProblem.usage("the arguments are no JSON: " + e.getMessage());
            }
        }
    }
}
