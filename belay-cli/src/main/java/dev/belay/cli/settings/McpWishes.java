package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.config.ConfigTable;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says in words all that the table of an MCP server grants: a line a wish. Confined to one call. */
final class McpWishes {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:./-]+");

    private final AgentWorkspace workspace;
    private final ConfigTable table;
    private final String server;
    private final Set<String> grants = new LinkedHashSet<>();

    private McpWishes(AgentWorkspace workspace, ConfigTable table, String name) {
        this.workspace = workspace;
        this.table = table;
        server = "MCP server " + name;
    }

    /** What a table that could be read says. */
    static Set<String> of(AgentWorkspace workspace, ConfigTable table, String name) {
        var wishes = new McpWishes(workspace, table, name);
        wishes.reached();
        wishes.believed();
        return wishes.grants;
    }

    private void reached() {
        List<String> command = table.texts("command");
        if (!command.isEmpty()) {
            grants.add("let " + server + " start "
                    + command.stream().map(McpWishes::quoted).collect(Collectors.joining(" ")));
        }
        table.text("url")
                .ifPresent(url -> grants.add("let " + server + " get calls of tools at " + quoted(url)));
        table.text("directory")
                .ifPresent(directory -> grants
                        .add("run " + server + " in the directory " + resolved(directory)));
        given("env", "the variable ");
        given("headers", "the header ");
        table.text("token")
                .flatMap(VariableText::of)
                .ifPresent(secret -> grants.add(given(secret) + " as its token"));
    }

    private void given(String key, String what) {
        for (Map.Entry<String, String> one : McpSettings.texts(table, key).entrySet()) {
            Optional<VariableText> secret = VariableText.of(one.getValue());
            grants.add(secret.isPresent()
                    ? given(secret.get()) + " as " + what + quoted(one.getKey())
                    : "give " + server + " " + what + quoted(one.getKey()) + " = " + quoted(one.getValue()));
        }
    }

    private String given(VariableText secret) {
        return "give the value of "
                + secret.names().stream().map(McpWishes::quoted).collect(Collectors.joining(", "))
                + (secret.isWhole() ? "" : " in " + quoted(secret.text())) + " to " + server;
    }

    private void believed() {
        List<String> only = table.texts("only");
        if (!only.isEmpty()) {
            grants.add("take only these tools of " + server + ": "
                    + only.stream().map(McpWishes::quoted).collect(Collectors.joining(", ")));
        }
        Map<String, String> effects = McpSettings.texts(table, "effects");
        String others = "all tools"
                + (effects.isEmpty()
                        ? ""
                        : " but " + effects.keySet()
                                .stream()
                                .map(McpWishes::quoted)
                                .collect(Collectors.joining(", ")));
        if (table.bool("trusted").orElse(false)) {
            grants.add("believe what " + others + " of " + server
                    + " say about themselves: those that say that they only read run without asking");
        }
        table.text("effect").ifPresent(effect -> effect(others, effect));
        effects.forEach((tool, effect) -> effect("the tool " + quoted(tool), effect));
        String sampling = table.text("sampling").orElse("asked");
        if (!sampling.equals("refused")) {
            grants.add("let " + server + " ask the model"
                    + (sampling.equals("allowed") ? " without asking you" : ", each time after asking you"));
        }
        table.texts("roots")
                .stream()
                .map(this::resolved)
                .filter(root -> !root.equals(workspace.root()))
                .forEach(root -> grants.add("tell " + server + " to work in " + root));
    }

    private void effect(String tools, String effect) {
        switch (effect) {
            case "read" -> grants.add("let calls of " + tools + " of " + server + " run without asking");
            case "idempotent" -> grants.add("repeat calls of " + tools + " of " + server + " after a crash");
            default -> {
                // what counts without a word
            }
        }
    }

    private Path resolved(String path) {
        return workspace.root().resolve(path).normalize();
    }

    /** A word as a shell would need it, so that a person sees where it ends. */
    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
