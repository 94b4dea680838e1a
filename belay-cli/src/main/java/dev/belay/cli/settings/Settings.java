package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Shell;
import dev.belay.config.ConfigException;
import dev.belay.config.ConfigTable;
import dev.belay.model.Model;
import dev.belay.model.envelope.ToolCalling;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolProvider;
import dev.belay.toolbox.command.NamedFiles;
import dev.belay.toolset.budget.Prices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a workspace's {@code belay.toml} says, over the settings of the user.
 *
 * @param agents by name; {@code default} is always there
 * @param groups of tools
 * @param onlyCommands names that a command may begin with; empty for any
 * @param mcp the MCP servers
 * @param store where sessions are kept, if not in the workspace
 * @param asked what the workspace says alone; null if the user says nothing
 */
public record Settings(Map<String, Agent> agents, List<String> groups, List<String> onlyCommands,
        McpSettings mcp, Optional<CommandStore.Choice> store, @Nullable Settings asked) {

    /** The agent of sessions that name none. */
    public static final String DEFAULT = "default";
    /** The group of tools in {@code .belay/tools}. */
    static final String PROJECT = "project";
    /** The group of {@code run_command}. */
    static final String COMMANDS = "commands";
    private static final Map<String, String> GRANTING = Map.of(PROJECT, "start processes", "http",
            "fetch pages of the web");
    private static final List<String> GROUPS = List.of("basics", "notes", "read_files", "write_files",
            COMMANDS, "http", PROJECT);
    /** A call of a command asks, as every call that changes something. */
    private static final List<String> USUAL_GROUPS = List.of("notes", "write_files", COMMANDS);
    private static final List<String> TOP = List.of("model", "agent", "agents", "tools", "policy",
            "mcp", "store");
    private static final List<String> MODEL = List.of("provider", "name", "base_url", "api_key_env",
            "tool_calls", "input_price", "output_price", "context", "timeout");
    private static final List<String> AGENT = List.of("instructions", "max_rounds", "patience", "model",
            "policy", "leave_out");
    /** What the command gives an agent beside its tools. */
    static final String PROMPT = "prompt";
    static final String PLAN = "plan";
    static final String SUB_AGENTS = "sub_agents";
    /** What the workspace says about itself, as a part of an agent. */
    public static final String PROJECT_TEXT = "project_text";
    private static final List<String> PARTS = List.of(PROMPT, PROJECT_TEXT, PLAN, SUB_AGENTS);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);
    /** A person waits: shorter than a service would ask again. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<String> TOOLS = List.of("groups", "only_commands");

    /** Copies the collections. */
    public Settings {
        agents = Map.copyOf(agents);
        groups = List.copyOf(groups);
        onlyCommands = List.copyOf(onlyCommands);
    }

    /**
     * A model to look for.
     *
     * @param provider by name
     * @param name of the model
     * @param baseUrl of the server
     * @param keyVariable the environment variable that has the key
     * @param calling how it calls tools
     * @param prices of a million tokens
     */
    public record ModelChoice(Optional<String> provider, Optional<String> name, Optional<String> baseUrl,
            Optional<String> keyVariable, ToolCalling calling, Optional<Prices> prices,
            Optional<Long> context,
            Optional<Duration> timeout) {

        /** The first that is found. */
        public static final ModelChoice ANY = new ModelChoice(Optional.empty(), Optional.empty(),
                Optional.empty(),
                Optional.empty(), ToolCalling.NATIVE, Optional.empty(), Optional.empty(), Optional.empty());

        /** Whether it says where the model is, or who is asked with which key. */
        boolean hasAddress() {
            return provider.isPresent() || baseUrl.isPresent() || keyVariable.isPresent();
        }

        /** The same where another one is. */
        ModelChoice at(ModelChoice other) {
            return new ModelChoice(other.provider, name, other.baseUrl, other.keyVariable, calling, prices,
                    context, timeout);
        }

        /** The same with another name. */
        public ModelChoice named(String other) {
            return new ModelChoice(provider, Optional.of(other), baseUrl, keyVariable, calling, prices,
                    context,
                    timeout);
        }
    }

    /**
     * An agent.
     *
     * @param instructions that stand before every conversation
     * @param maxRounds of a turn
     * @param patience for how long a model that does not answer is asked again
     * @param model that answers
     * @param policy which of its calls run, ask or are denied
     * @param leftOut what the command does not give it beside its tools
     */
    public record Agent(String instructions, int maxRounds, Duration patience, ModelChoice model,
            AgentPolicy policy, List<String> leftOut) {

        static Agent usual(ModelChoice model, AgentPolicy policy) {
            return new Agent("", TurnBounds.MAX_ROUNDS, PATIENCE, model, policy, List.of());
        }

        /** Whether the command gives it something beside its tools. */
        public boolean has(String part) {
            return !leftOut.contains(part);
        }

        private Rules rules() {
            Set<String> grants = new LinkedHashSet<>();
            if (!instructions.isEmpty()) {
                grants.add("give the model these instructions:\n" + instructions);
            }
            if (maxRounds > TurnBounds.MAX_ROUNDS) {
                grants.add("ask the model up to " + maxRounds + " times in a turn");
            }
            model.provider().ifPresent(name -> grants.add("send conversations to the provider " + name));
            model.baseUrl().ifPresent(url -> grants.add("send conversations to " + url));
            model.keyVariable().ifPresent(key -> grants.add("use the key in " + key));
            grants.addAll(policy.loosened());
            return new Rules(grants, new LinkedHashSet<>(policy.limits()));
        }

        /** Defines it in a runtime, under a name. */
        public void define(BelayBuilder builder, String name, Model found, ToolProvider tools, Policy gate) {
            TurnBounds bounds = TurnBounds.DEFAULT.withMaxRounds(maxRounds);
            if (name.equals(DEFAULT)) {
                builder.model(found)
                        .tools(tools)
                        .instructions(instructions)
                        .bounds(bounds)
                        .policy(gate)
                        .modelPatience(patience);
                model.prices().ifPresent(prices -> builder.prices(DEFAULT, prices));
                context(found).ifPresent(builder::maxContextTokens);
                return;
            }
            builder.agent(name, agent -> {
                agent.model(found)
                        .tools(tools)
                        .instructions(instructions)
                        .bounds(bounds)
                        .policy(gate)
                        .modelPatience(patience);
                model.prices().ifPresent(prices -> agent.prices(DEFAULT, prices));
                context(found).ifPresent(agent::maxContextTokens);
            });
        }

        /** How much a model can read, if it is said or known: then histories that grow beyond it are shortened. */
        public Optional<Long> context(Model found) {
            return model.context().or(() -> KnownContext.of(found.id()));
        }
    }

    /** Reads the settings of a workspace and of the user; unknown keys are warned about on standard error. */
    public static Settings of(Shell shell, AgentWorkspace workspace) {
        try {
            Optional<ConfigTable> own = UserSettings.workspace(workspace);
            Optional<ConfigTable> users = UserSettings.read(shell);
            Settings asked = own.map(root -> read(shell, workspace, root))
                    .orElseGet(() -> new Settings(
                            Map.of(DEFAULT, Agent.usual(ModelChoice.ANY, AgentPolicy.USUAL)),
                            USUAL_GROUPS, List.of(), McpSettings.NONE, Optional.empty(), null));
            return users.map(root -> read(shell, workspace, root))
                    .map(theirs -> UserSettings.under(shell, asked, theirs,
                            own.map(root -> read(shell, workspace, root.over(users.get()))).orElse(theirs)))
                    .orElse(asked);
        } catch (ConfigException wrong) {
            throw CommandProblem.usage(String.valueOf(wrong.getMessage()));
        }
    }

    private static Settings read(Shell shell, AgentWorkspace workspace, ConfigTable root) {
        warn(shell, root, TOP);
        ModelChoice model = root.table("model").map(table -> model(shell, table)).orElse(ModelChoice.ANY);
        Agent usual = Agent.usual(model, AgentPolicy.of(root));
        Map<String, Agent> agents = new TreeMap<>();
        agents.put(DEFAULT, root.table("agent").map(table -> agent(shell, table, usual)).orElse(usual));
        root.table("agents")
                .ifPresent(table -> table.keys()
                        .forEach(name -> agents.put(name,
                                agent(shell, table.table(name).orElseThrow(), usual))));
        Optional<ConfigTable> tools = root.table("tools");
        tools.ifPresent(table -> warn(shell, table, TOOLS));
        List<String> groups = tools.filter(table -> table.has("groups"))
                .map(table -> words(table, "groups", GROUPS, "group of tools"))
                .orElse(USUAL_GROUPS);
        return new Settings(agents, groups,
                tools.map(table -> table.texts("only_commands")).orElse(List.of()),
                root.table("mcp")
                        .map(table -> McpSettings.of(shell, workspace, table))
                        .orElse(McpSettings.NONE),
                root.table("store").map(CommandStore.Choice::of), null);
    }

    private static List<String> words(ConfigTable table, String key, List<String> allowed, String what) {
        List<String> words = table.texts(key);
        words.stream().filter(word -> !allowed.contains(word)).findFirst().ifPresent(word -> {
            throw table.refused(key, "there is no " + what + " \"" + word + "\"; there are "
                    + String.join(", ", allowed));
        });
        return words;
    }

    private static Agent agent(Shell shell, ConfigTable table, Agent usual) {
        warn(shell, table, AGENT);
        long rounds = table.integer("max_rounds").orElse((long) TurnBounds.MAX_ROUNDS);
        if (rounds < 1 || rounds > Integer.MAX_VALUE) {
            throw table.refused("max_rounds", "a turn has at least 1 round, found " + rounds);
        }
        return new Agent(table.text("instructions").orElse(""), (int) rounds,
                table.duration("patience").orElse(PATIENCE),
                table.table("model").map(inner -> model(shell, inner)).orElse(usual.model()),
                table.has("policy") ? AgentPolicy.of(table) : usual.policy(),
                words(table, "leave_out", PARTS, "part of an agent"));
    }

    private static ModelChoice model(Shell shell, ConfigTable table) {
        warn(shell, table, MODEL);
        List<String> callings = Stream.of(ToolCalling.values())
                .map(calling -> calling.name().toLowerCase(Locale.ROOT))
                .toList();
        return new ModelChoice(table.text("provider"), table.text("name"), table.text("base_url"),
                table.text("api_key_env"), table.word("tool_calls", callings)
                        .map(word -> ToolCalling.valueOf(word.toUpperCase(Locale.ROOT)))
                        .orElse(ToolCalling.NATIVE),
                prices(table), table.integer("context").map(tokens -> {
                    if (tokens < 1) {
                        throw table.refused("context", "a model reads at least 1 token, found " + tokens);
                    }
                    return tokens;
                }), table.duration("timeout").map(time -> {
                    if (!time.isPositive() || time.compareTo(LONGEST_TIMEOUT) > 0) {
                        throw table.refused("timeout",
                                "a request may take more than PT0S and at most P1D, found " + time);
                    }
                    return time;
                }));
    }

    private static Optional<Prices> prices(ConfigTable table) {
        if (table.has("input_price") != table.has("output_price")) {
            throw table.refused(table.has("input_price") ? "input_price" : "output_price",
                    "a model has both prices, input_price and output_price, or none");
        }
        try {
            return table.number("input_price")
                    .map(input -> Prices.of(input.toPlainString(),
                            table.number("output_price").orElseThrow().toPlainString()));
        } catch (IllegalArgumentException negative) {
            throw table.refused("input_price", String.valueOf(negative.getMessage()));
        }
    }

    static void warn(Shell shell, ConfigTable table, List<String> known) {
        table.unknown(known).forEach(problem -> shell.err().lineOnce("belay: " + problem + " (ignored)"));
    }

    /** The agent of sessions that name none. */
    public Agent usual() {
        return Objects.requireNonNull(agents.get(DEFAULT), DEFAULT);
    }

    /** The agent of a name; exit code 4 if there is none. */
    public Agent agent(String name) {
        return Optional.ofNullable(agents.get(name))
                .orElseThrow(() -> CommandProblem.notFound("there is no agent \"" + Shown.inLine(name, 100)
                        + "\"; belay.toml has " + String.join(", ", new TreeMap<>(agents).keySet())));
    }

    /** What it grants and limits: of each agent, the usual one first, then of the whole workspace. */
    Map<String, Rules> rules() {
        if (asked != null) {
            return asked.rules();
        }
        Map<String, Rules> rules = new LinkedHashMap<>();
        rules.put(UsedRules.USUAL, usual().rules());
        new TreeMap<>(agents).forEach((name, agent) -> rules.put(UsedRules.AGENT + name, agent.rules()));
        Set<String> grants = new LinkedHashSet<>();
        Set<String> limits = new LinkedHashSet<>();
        store.ifPresent(choice -> grants.addAll(choice.wishes()));
        groups.stream()
                .filter(GRANTING::containsKey)
                .forEach(group -> grants.add(GRANTING.get(group) + " (tools of the group " + group + ")"));
        grants.addAll(mcp.wishes());
        if (!groups.contains("write_files")) {
            limits.add("write no files");
            if (!groups.contains("read_files")) {
                limits.add("read no files");
            }
        }
        if (!groups.contains(COMMANDS)) {
            limits.add("run no commands");
        } else if (!onlyCommands.isEmpty()) {
            limits.add("run only the commands " + String.join(", ", onlyCommands));
        }
        rules.put(UsedRules.WORKSPACE, new Rules(grants, limits));
        return rules;
    }

    /** The paths that may be named as programs, as their arguments, or in commands that are allowed; there may be no such files. */
    Set<Path> named(AgentWorkspace workspace) {
        Set<Path> named = mcp.named();
        named.addAll(NamedFiles.of(workspace.root(), onlyCommands));
        agents.values()
                .forEach(agent -> named.addAll(NamedFiles.of(workspace.root(), agent.policy().commands())));
        return named;
    }
}
