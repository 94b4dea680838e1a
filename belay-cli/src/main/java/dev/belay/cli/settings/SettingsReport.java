package dev.belay.cli.settings;

import dev.belay.cli.settings.Settings.ModelChoice;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.Shell;
import dev.belay.config.ConfigFile;
import dev.belay.config.ConfigTable;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
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
        say("model.context", model.context().map(String::valueOf).orElse("of the model, where it is known"));
        say("agent.instructions", agent.instructions());
        say("agent.max_rounds", String.valueOf(agent.maxRounds()));
        say("agent.leave_out", String.join(", ", agent.leftOut()));
        say("tools.groups", String.join(", ", now.groups()));
        say("tools.only_commands", String.join(", ", now.onlyCommands()));
        rules(AgentPolicy.of(users), UserSettings.file(shell));
        rules(now.asked() == null ? agent.policy() : now.asked().usual().policy(),
                Optional.of(workspace.settings()));
        Verdict otherwise = agent.policy().otherwise();
        say("policy.otherwise", otherwise == null ? "ask, unless it only reads" : word(otherwise));
        say("store.url", now.store().map(CommandStore.Choice::place).orElse(workspace.database().toString()));
        add("trust", new Trust(shell, workspace).asks(now) ? "not trusted" : "fine", "");
        add("text of the workspace", new ProjectText(shell, workspace).state(), "");
        return rows;
    }

    private void rules(AgentPolicy policy, Optional<Path> from) {
        policy.rules()
                .rules()
                .forEach(rule -> add("policy.rule " + rule.id(),
                        word(rule.verdict()) + " " + rule.about(), from.map(Path::toString).orElse("")));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
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
}
