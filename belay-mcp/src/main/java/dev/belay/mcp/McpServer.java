package dev.belay.mcp;

import dev.belay.BelayException;
import dev.belay.schema.KnownSecrets;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Timeouts;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How one MCP server is reached, and how far it is believed. Immutable; every method gives another one. Values of variables and headers
 * are secrets unless they are {@linkplain #plain plain}: they are in no message, no log and not in {@link #toString}, and are taken out of
 * all that the server says.
 */
public final class McpServer {

    private static final Pattern NAME = Pattern.compile("(?=.{1,24}$)[a-zA-Z0-9-]+(?:[_. ][a-zA-Z0-9-]+)*");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private final String name;
    private final Way way;
    private final Trust trust;
    /** Names of variables or headers whose values are no secrets. */
    private final Set<String> plain;
    /** Secrets that are parts of values. */
    private final Set<String> hidden;

    /** How the server is reached. */
    public sealed interface Way {

        /**
         * A program that is started here and speaks on its standard input and output.
         *
         * @param command the program and its arguments; no shell reads them
         * @param variables its environment, beside {@code HOME}, {@code LOGNAME}, {@code PATH}, {@code SHELL}, {@code TERM} and
         *        {@code USER}
         * @param directory where it runs, or null for the directory of this process
         */
        record Program(List<String> command, Map<String, String> variables, @Nullable Path directory)
                implements
                    Way {

            /** Copies the collections. */
            public Program {
                command = List.copyOf(command);
                variables = Map.copyOf(variables);
            }
        }

        /**
         * A server that is reached by HTTP. Redirections are not followed.
         *
         * @param address where it answers
         * @param headers sent with every request
         */
        record Http(URI address, Map<String, String> headers) implements Way {

            /** Copies the headers. */
            public Http {
                headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
            }
        }
    }

    /**
     * How far the server is believed.
     *
     * @param hints whether what its tools say about themselves decides their effect
     * @param all the effect of all its tools, or null
     * @param effects the effects of single tools, by the server's names
     * @param only its tools that are taken, by the server's names; empty for all
     * @param roots the folders that it is told to work in
     * @param sampling whether it may ask the model
     * @param timeouts how long its calls may take
     */
    private record Trust(boolean hints, @Nullable ToolEffect all, Map<String, ToolEffect> effects,
            Set<String> only, List<Path> roots, Sampling sampling, Timeouts timeouts) {}

    /** Whether a server may ask the session's model during a call. */
    public enum Sampling {
        /** It is told that there is no model. */
        REFUSED,
        /** A person is asked each time; the call parks meanwhile. */
        ASKED,
        /** It may. */
        ALLOWED
    }

    private McpServer(String name, Way way, Trust trust, Set<String> plain, Set<String> hidden) {
        this.name = name;
        this.way = way;
        this.trust = trust;
        this.plain = plain;
        this.hidden = hidden;
    }

    private McpServer with(Trust other) {
        return new McpServer(name, way, other, plain, hidden);
    }

    private static McpServer of(String name, Way way) {
        if (!NAME.matcher(name).matches()) {
            throw new BelayException("illegal_server_name", "\"" + name
                    + "\" is no name of a server; use 1 to 24 of the characters a-z, A-Z, 0-9 and -, with single _, . and spaces between them");
        }
        return new McpServer(name, way,
                new Trust(false, null, Map.of(), Set.of(), List.of(), Sampling.ASKED, Timeouts.DEFAULT),
                Set.of(), Set.of());
    }

    /**
     * A server that is a program.
     *
     * @param name a part of the names of its tools: {@code mcp__name__tool}
     * @param command the program and its arguments
     */
    public static McpServer program(String name, String... command) {
        if (command.length == 0) {
            throw new IllegalArgumentException("the command of server " + name + " is empty");
        }
        return of(name, new Way.Program(List.of(command), Map.of(), null));
    }

    /**
     * A server that is reached by HTTP.
     *
     * @param name a part of the names of its tools: {@code mcp__name__tool}
     * @param address an address of http or https
     */
    public static McpServer http(String name, URI address) {
        if (!("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                || address.getHost() == null || address.getUserInfo() != null) {
            throw new IllegalArgumentException("the address of server " + name
                    + " must begin with http:// or https:// and a host, without a name or a password");
        }
        return of(name, new Way.Http(address, Map.of()));
    }

    /** With one more variable in the environment of its program. The value is a secret. */
    public McpServer variable(String variable, String value) {
        McpServer with = program("variable " + variable, program -> {
            Map<String, String> more = new TreeMap<>(program.variables());
            more.put(variable, value);
            return new Way.Program(program.command(), more, program.directory());
        });
        return with.secret(variable, with.way);
    }

    private McpServer secret(String one, Way with) {
        return new McpServer(name, with, trust,
                plain.stream().filter(other -> !other.equals(one)).collect(Collectors.toUnmodifiableSet()),
                hidden);
    }

    /**
     * With one more variable of its program, or one more header of HTTP, whose value is no secret: a mode, a folder, a tenant. It stays in
     * what the server says.
     */
    public McpServer plain(String variable, String value) {
        McpServer with = way instanceof Way.Program ? variable(variable, value) : header(variable, value);
        Set<String> more = new HashSet<>(plain);
        more.add(variable);
        return new McpServer(name, with.way, trust, Set.copyOf(more), hidden);
    }

    /** With secrets that are parts of its variables, headers or address: they are taken out of what it says. */
    public McpServer hiding(String... values) {
        Set<String> more = new HashSet<>(hidden);
        more.addAll(List.of(values));
        return new McpServer(name, way, trust, plain, Set.copyOf(more));
    }

    /** With another directory for its program. */
    public McpServer directory(Path directory) {
        return program("directory " + directory,
                program -> new Way.Program(program.command(), program.variables(), directory));
    }

    private McpServer program(String what, UnaryOperator<Way.Program> change) {
        if (!(way instanceof Way.Program program)) {
            throw new IllegalArgumentException(
                    "server " + name + " is reached by HTTP and has no program for " + what);
        }
        return new McpServer(name, change.apply(program), trust, plain, hidden);
    }

    /** With one more header in every request, such as {@code Authorization}. The value is a secret. */
    public McpServer header(String header, String value) {
        if (!(way instanceof Way.Http http)) {
            throw new IllegalArgumentException("server " + name + " is a program and takes no headers");
        }
        if (!HEADER.matcher(header).matches() || value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
            throw new IllegalArgumentException(
                    "\"" + header + "\" is no header, or its value has control characters");
        }
        Map<String, String> more = new LinkedHashMap<>(http.headers());
        more.put(header, value);
        return secret(header, new Way.Http(http.address(), more));
    }

    /** Believed in what its tools say about themselves: a tool that says it only reads is {@code READ}. */
    public McpServer trusted() {
        return with(new Trust(true, trust.all, trust.effects, trust.only,
                trust.roots, trust.sampling, trust.timeouts));
    }

    /** With one effect for all its tools; without it they are {@code ONCE}. */
    public McpServer effect(ToolEffect effect) {
        return with(new Trust(trust.hints, effect, trust.effects, trust.only,
                trust.roots, trust.sampling, trust.timeouts));
    }

    /** With the effect of one tool, by the server's name. */
    public McpServer effect(String tool, ToolEffect effect) {
        Map<String, ToolEffect> more = new TreeMap<>(trust.effects);
        more.put(tool, effect);
        return with(new Trust(trust.hints, trust.all, more, trust.only,
                trust.roots, trust.sampling, trust.timeouts));
    }

    /** With these tools only, by the server's names. */
    public McpServer only(String... tools) {
        return with(
                new Trust(trust.hints, trust.all, trust.effects, Set.of(tools), trust.roots, trust.sampling,
                        trust.timeouts));
    }

    /** Told to work in these folders, which are made absolute; without them it is told of none. */
    public McpServer roots(Path... folders) {
        List<Path> absolute = Arrays.stream(folders).map(Path::toAbsolutePath).toList();
        return with(new Trust(trust.hints, trust.all, trust.effects, trust.only, absolute,
                trust.sampling, trust.timeouts));
    }

    /** With another rule for questions to the session's model; without it a person is asked each time. */
    public McpServer sampling(Sampling sampling) {
        return with(new Trust(trust.hints, trust.all, trust.effects, trust.only,
                trust.roots, sampling, trust.timeouts));
    }

    /** With limits for each call of its tools; without it the runtime's limit counts, and progress is not waited for. */
    public McpServer timeouts(Timeouts timeouts) {
        return with(new Trust(trust.hints, trust.all, trust.effects, trust.only,
                trust.roots, trust.sampling, timeouts));
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** The values that it was given as secrets, to take them out of what it says. */
    public KnownSecrets secrets() {
        List<String> values = new ArrayList<>(hidden);
        Map<String, String> given = switch (way) {
            case Way.Program program -> program.variables();
            case Way.Http http -> http.headers();
        };
        given.forEach((one, value) -> {
            if (!plain.contains(one)) {
                values.add(value);
                values.add(value.substring(value.lastIndexOf(' ') + 1)); // what follows "Bearer"
            }
        });
        return KnownSecrets.of(values);
    }

    /** How it is reached. */
    public Way way() {
        return way;
    }

    /** The folders that it is told to work in. */
    public List<Path> roots() {
        return trust.roots;
    }

    /** Whether it may ask the session's model. */
    public Sampling sampling() {
        return trust.sampling;
    }

    /** How long a call of its tools may take. */
    public Timeouts timeouts() {
        return trust.timeouts;
    }

    /** Whether a tool of this name is taken. */
    public boolean takes(String tool) {
        return trust.only.isEmpty() || trust.only.contains(tool);
    }

    /**
     * The effect of a tool: what was said for it, then for the server, then by a trusted server, then {@code ONCE}.
     *
     * @param readOnly whether the server says that it only reads
     * @param idempotent whether the server says that it may be repeated
     */
    public ToolEffect effectOf(String tool, boolean readOnly, boolean idempotent) {
        ToolEffect said = trust.effects.getOrDefault(tool, trust.all);
        if (said != null) {
            return said;
        }
        if (!trust.hints) {
            return ToolEffect.ONCE;
        }
        return readOnly ? ToolEffect.READ : idempotent ? ToolEffect.IDEMPOTENT : ToolEffect.ONCE;
    }

    /** Where it is, without secrets. */
    @Override
    public String toString() {
        return switch (way) {
            case Way.Program program -> name + " (program " + program.command().getFirst()
                    + (program.variables().isEmpty()
                            ? ""
                            : ", variables " + new ArrayList<>(program.variables().keySet()))
                    + ")";
            case Way.Http http -> name + " (" + http.address().getScheme() + "://"
                    + http.address().getAuthority() + ")";
        };
    }
}
