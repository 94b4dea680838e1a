package dev.belay.cli.settings;

import dev.belay.BelayException;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.config.ConfigTable;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpQuestions;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.tool.ToolEffect;
import dev.belay.toolbox.command.NamedFiles;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The MCP servers of {@code [mcp.NAME]}. A secret is a reference, {@code "env:NAME"} or <code>"${NAME}"</code> in a text: its value is read
 * when the servers are attached, and is in no settings, no list and no message.
 *
 * @param servers by name
 */
public record McpSettings(Map<String, Server> servers) {

    /** No servers. */
    static final McpSettings NONE = new McpSettings(Map.of());

    private static final Duration PATIENCE = Duration.ofSeconds(35);
    private static final List<String> PROGRAM = List.of("command", "env", "directory");
    private static final List<String> HTTP = List.of("url", "headers", "token");
    private static final List<String> EITHER = List.of("effect", "effects", "trusted", "only", "roots",
            "sampling");
    /** Headers whose values are secrets. */
    private static final Set<String> SECRET = Set.of("authorization", "proxy-authorization", "cookie");
    private static final List<String> EFFECTS = words(ToolEffect.values());
    private static final List<String> SAMPLING = words(McpServer.Sampling.values());

    /**
     * A server.
     *
     * @param plain without its secrets
     * @param variables of its environment, each with variables of this process in its value
     * @param headers the same for headers
     * @param token the same for its bearer token, if it has one
     * @param wishes what a person must allow, in words
     */
    public record Server(McpServer plain, Map<String, VariableText> variables,
            Map<String, VariableText> headers,
            Optional<VariableText> token, Set<String> wishes) {

        /** The variables of this process that it takes secrets from. */
        public List<String> secrets() {
            return texts().flatMap(text -> text.names().stream()).distinct().sorted().toList();
        }

        private Stream<VariableText> texts() {
            return Stream.of(variables.values(), headers.values(), token.stream().toList())
                    .flatMap(Collection::stream);
        }

        /** How it is reached, and which variables have its secrets. */
        @Override
        public String toString() {
            return plain + (secrets().isEmpty() ? "" : ", secrets from " + secrets());
        }

        private McpServer with(Shell shell) {
            McpServer server = plain.hiding(secrets().stream()
                    .flatMap(name -> shell.variable(name).stream())
                    .toArray(String[]::new)); // also where it is a part of a text
            for (Map.Entry<String, VariableText> one : variables.entrySet()) {
                server = server.variable(one.getKey(), value(shell, one.getValue()));
            }
            for (Map.Entry<String, VariableText> one : headers.entrySet()) {
                server = server.header(one.getKey(), value(shell, one.getValue()));
            }
            return token.isEmpty()
                    ? server
                    : server.header("Authorization", "Bearer " + value(shell, token.get()));
        }

        private String value(Shell shell, VariableText text) {
            return text.filled(shell::variable,
                    variable -> CommandProblem.usage("the MCP server " + plain.name()
                            + " takes a secret from " + variable
                            + ", which is not set; set it, or remove [mcp."
                            + plain.name() + "]"));
        }
    }

    /** Copies the map, by name. */
    public McpSettings {
        servers = Collections.unmodifiableMap(new TreeMap<>(servers));
    }

    /** Reads the table {@code mcp}. */
    static McpSettings of(Shell shell, AgentWorkspace workspace, ConfigTable table) {
        Map<String, Server> servers = new TreeMap<>();
        for (String name : table.keys()) {
            servers.put(name, server(shell, workspace, table, name));
        }
        return new McpSettings(servers);
    }

    private static Server server(Shell shell, AgentWorkspace workspace, ConfigTable all, String name) {
        ConfigTable table = all.table(name).orElseThrow();
        if (table.has("command") == table.has("url")) {
            throw table.refused("url", "the MCP server " + name
                    + " has either a command (a program) or a url (a server of HTTP)");
        }
        boolean program = table.has("command");
        List<String> known = new ArrayList<>(program ? PROGRAM : HTTP);
        known.addAll(EITHER);
        Settings.warn(shell, table, known);
        try {
            return program
                    ? program(workspace, table, name)
                    : http(workspace, table, name);
        } catch (BelayException | IllegalArgumentException wrong) {
            throw all.refused(name, String.valueOf(wrong.getMessage()));
        }
    }

    private static Server program(AgentWorkspace workspace, ConfigTable table, String name) {
        McpServer server = McpServer.program(name, table.texts("command").toArray(String[]::new))
                .directory(workspace.root().resolve(table.text("directory").orElse("")).normalize());
        Map<String, VariableText> secret = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : texts(table, "env").entrySet()) {
            Optional<VariableText> reference = VariableText.of(one.getValue());
            if (reference.isPresent()) {
                secret.put(one.getKey(), reference.get());
            } else {
                server = server.plain(one.getKey(), one.getValue());
            }
        }
        return new Server(believed(workspace, table, server), secret, Map.of(), Optional.empty(),
                McpWishes.of(workspace, table, name));
    }

    private static Server http(AgentWorkspace workspace, ConfigTable table, String name) {
        McpServer server = McpServer.http(name, URI.create(table.text("url").orElseThrow()));
        Map<String, VariableText> secret = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : texts(table, "headers").entrySet()) {
            Optional<VariableText> reference = VariableText.of(one.getValue());
            if (reference.isPresent()) {
                secret.put(one.getKey(), reference.get());
            } else if (SECRET.contains(one.getKey().toLowerCase(Locale.ROOT))) {
                throw notThere(table, "headers");
            } else {
                server = server.plain(one.getKey(), one.getValue());
            }
        }
        Optional<String> token = table.text("token");
        if (token.isPresent() && VariableText.of(token.get()).isEmpty()) {
            throw notThere(table, "token");
        }
        return new Server(believed(workspace, table, server), Map.of(), secret,
                token.flatMap(VariableText::of), McpWishes.of(workspace, table, name));
    }

    /** The value is not told: it may be the secret. */
    private static RuntimeException notThere(ConfigTable table, String key) {
        return table.refused(key,
                "a secret does not stand in this file: name the environment variable that has it,"
                        + " as in \"env:TICKETS_TOKEN\"");
    }

    private static McpServer believed(AgentWorkspace workspace, ConfigTable table, McpServer reached) {
        McpServer server = table.bool("trusted").orElse(false) ? reached.trusted() : reached;
        Optional<String> all = table.word("effect", EFFECTS);
        if (all.isPresent()) {
            server = server.effect(effect(all.get()));
        }
        Optional<ConfigTable> single = table.table("effects");
        if (single.isPresent()) {
            for (String tool : single.get().keys()) {
                server = server.effect(tool, effect(single.get().word(tool, EFFECTS).orElseThrow()));
            }
        }
        if (table.has("only")) {
            server = server.only(table.texts("only").toArray(String[]::new));
        }
        Optional<String> sampling = table.word("sampling", SAMPLING);
        if (sampling.isPresent()) {
            server = server.sampling(McpServer.Sampling.valueOf(sampling.get().toUpperCase(Locale.ROOT)));
        }
        List<String> roots = table.has("roots") ? table.texts("roots") : List.of("");
        return server.roots(roots.stream()
                .map(root -> workspace.root().resolve(root).normalize())
                .toArray(Path[]::new));
    }

    private static ToolEffect effect(String word) {
        return ToolEffect.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static List<String> words(Enum<?>[] values) {
        return Arrays.stream(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
    }

    static Map<String, String> texts(ConfigTable table, String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        table.table(key)
                .ifPresent(inner -> inner.keys()
                        .forEach(name -> texts.put(name, inner.text(name).orElseThrow())));
        return texts;
    }

    /** What a person must allow, in words. */
    List<String> wishes() {
        return servers.values().stream().flatMap(server -> server.wishes().stream()).toList();
    }

    /** The paths that their command lines and variables may name. */
    Set<Path> named() {
        Set<Path> named = new TreeSet<>();
        for (Server server : servers.values()) {
            if (server.plain()
                    .way() instanceof McpServer.Way.Program(var command, var variables, Path directory)) {
                named.addAll(NamedFiles.of(directory, command));
                named.addAll(NamedFiles.of(directory, variables.values()));
            }
        }
        return named;
    }

    /** What a check says: the servers, and that what they need is set. Nothing is started. */
    public String checked(Shell shell) {
        servers.values().forEach(server -> server.with(shell));
        return servers.values()
                + "; 'belay mcp ls' connects them";
    }

    /** Attaches the servers of a trusted workspace, which find no person to ask; empty if it names none. */
    public Optional<McpServers> attach(Shell shell, AgentWorkspace workspace,
            Supplier<Optional<String>> objection) {
        return attach(shell, workspace, objection, Optional.empty());
    }

    /**
     * Attaches the servers of a trusted workspace; empty if it names none.
     *
     * @param objection why none may be started now, or empty
     * @param questions answers what they ask; without it they are told that they may not ask
     */
    public Optional<McpServers> attach(Shell shell, AgentWorkspace workspace,
            Supplier<Optional<String>> objection, Optional<? extends McpQuestions> questions) {
        if (servers.isEmpty()) {
            return Optional.empty();
        }
        List<McpServer> described = servers.values().stream().map(server -> server.with(shell)).toList();
        var attached = new McpServers(pins(shell, workspace)).starting(objection);
        questions.ifPresent(attached::answering);
        described.forEach(attached::attach);
        return Optional.of(attached);
    }

    /** The same; each server has answered, or was tried in vain. */
    public Optional<McpServers> connect(Shell shell, AgentWorkspace workspace,
            Supplier<Optional<String>> objection) throws InterruptedException {
        Optional<McpServers> attached = attach(shell, workspace, objection);
        if (attached.isPresent()) {
            attached.get().awaitFirstTry(PATIENCE);
        }
        return attached;
    }

    /** What the tools of a workspace looked like when they were approved: kept outside of it, where its tools cannot write. */
    public static McpPins pins(Shell shell, AgentWorkspace workspace) {
        var files = new TrustFile(shell);
        OwnFiles.makeDirectory(files.directory());
        return McpPins.file(files.about(workspace, "mcp-"));
    }
}
