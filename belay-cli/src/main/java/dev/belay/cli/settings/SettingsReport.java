package dev.belay.cli.settings;

import dev.belay.cli.settings.Settings.ModelChoice;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.Shell;
import dev.belay.config.ConfigFile;
import dev.belay.config.ConfigTable;
import dev.belay.runtime.policy.PolicyRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says which settings are in force in a workspace, and where each comes from. No key of a model and no password is in it. Used once. */
public final class SettingsReport {

    private static final List<String> ADDRESS = List.of("provider", "base_url", "api_key_env");
    private static final List<String> PROVIDERS = List.of("OPENAI", "ANTHROPIC");
    private static final String ENVIRONMENT = "environment";

    private final Shell shell;
    private final AgentWorkspace workspace;
    private final ConfigTable users;
    private final ConfigTable both;
    private final List<Row> rows = new ArrayList<>();

    /**
     * A setting.
     *
     * @param key as in a file of settings
     * @param value in force
     * @param from the file, {@code environment} or {@code default}
     */
    public record Row(String key, String value, String from) {}

    /** Of a workspace. */
    public SettingsReport(Shell shell, AgentWorkspace workspace) {
        this.shell = shell;
        this.workspace = workspace;
        ConfigTable nothing = ConfigFile.of("", "").root();
        users = UserSettings.read(shell).orElse(nothing);
        both = UserSettings.workspace(workspace).map(own -> own.over(users)).orElse(users);
    }

    /** The settings, in an order for people. */
    public List<Row> rows() {
        Settings now = Settings.of(shell, workspace);
        Settings.Agent agent = now.usual();
        ModelChoice model = agent.model();
        say("model.provider", model.provider().orElse("as found"));
        say("model.name", model.name().orElse("as found"));
        say("model.base_url", model.baseUrl().orElse("as found"));
        say("model.api_key_env", model.keyVariable().orElse("none"));
        model.keyVariable().ifPresent(this::sayKey);
        PROVIDERS.forEach(provider -> {
            sayKey(provider + "_API_KEY");
            for (String variable : List.of(provider + "_BASE_URL", provider + "_MODEL")) {
                shell.variable(variable).ifPresent(value -> add(variable, value, ENVIRONMENT));
            }
        });
        say("model.tool_calls", model.calling().name().toLowerCase(Locale.ROOT));
        say("model.context", model.context().map(String::valueOf).orElse("of the model, where it is known"));
        say("agent.instructions", agent.instructions());
        say("agent.max_rounds", String.valueOf(agent.maxRounds()));
        say("agent.patience", agent.patience().toString());
        say("agent.leave_out", String.join(", ", agent.leftOut()));
        add("agents", String.join(", ", now.agents().keySet().stream().sorted().toList()), "");
        say("tools.groups", String.join(", ", now.groups()));
        say("tools.only_commands", String.join(", ", now.onlyCommands()));
        for (PolicyRule rule : agent.policy().rules().rules()) {
            boolean isTheirs = users.table("policy").stream().flatMap(policy -> policy.tables("rule").stream())
                    .anyMatch(one -> one.text("id").equals(Optional.of(rule.id())));
            add("policy.rule " + rule.id(), rule.verdict().name().toLowerCase(Locale.ROOT) + " " + rule.about(),
                    isTheirs ? users() : workspace.settings().toString());
        }
        say("policy.otherwise", agent.policy().otherwise() == null
                ? "ask, unless it only reads"
                : agent.policy().otherwise().name().toLowerCase(Locale.ROOT));
        say("store.url", now.store().map(CommandStore.Choice::place).orElse(workspace.database().toString()));
        add("mcp", String.join(", ", now.mcp().servers().keySet()), "");
        add("trust", new Trust(shell, workspace).asks(now) ? "not trusted: nothing of the workspace starts" : "fine", "");
        new ProjectText(shell, workspace).state().ifPresent(state -> add("text of the workspace", state, ""));
        return rows;
    }

    private void sayKey(String variable) {
        add(variable, shell.variable(variable).isPresent() ? "set (not shown)" : "not set", ENVIRONMENT);
    }

    private void say(String key, String value) {
        String table = key.substring(0, key.indexOf('.'));
        String name = key.substring(key.indexOf('.') + 1);
        boolean isTheirs = ADDRESS.contains(name)
                && users.table(table).filter(model -> ADDRESS.stream().anyMatch(model::has)).isPresent();
        Optional<String> from = (isTheirs ? users : both).table(table).flatMap(said -> said.source(name));
        add(key, value, from.orElse("default"));
    }

    private void add(String key, String value, String from) {
        rows.add(new Row(key, value.replaceAll("//[^/@\\s]*@", "//(not shown)@"), from));
    }

    private String users() {
        return UserSettings.file(shell).map(Path::toString).orElse("");
    }
}
