package dev.belay.mcp.client;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.schema.Draft;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.SchemaException;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.BehaviorHints;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A tool of a server. Immutable.
 *
 * @param raw its name at the server
 * @param definition what Belay makes of it; its schemas are compiled when they are needed
 * @param output compiled when first needed; what the structured part of a result must fit, or null
 * @param headers which arguments HTTP carries in headers too, by their names
 * @param tasks whether a server of an older revision may make a task of its calls
 * @param pin a hash of everything that a model or a person is told about it
 */
public record ServerTool(String raw, ToolDefinition definition, @Nullable Json output,
        Map<String, String> headers, boolean tasks, String pin) {

    private static final Json REQUIRED = Json.string("required");
    private static final Json OPTIONAL = Json.string("optional");

    /** Has what every option is by default. */
    private static final ToolManifest USUAL = ToolDefinition
            .foreign("usual", "", new ToolContract(JsonSchema.of(Json.of("{\"type\":\"object\"}")), null))
            .manifest();
    private static final int LONGEST_NAME = 64;
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final int LONGEST_DESCRIPTION = 16_384;
    private static final List<String> PINNED = List.of("name", "title", "description", "inputSchema",
            "outputSchema",
            "annotations", "execution");

    /**
     * Reads one.
     *
     * @param target a hash of what its calls reach
     * @throws BelayException {@code mcp_tool_refused} if it cannot be used
     */
    static ServerTool of(McpServer server, String target, Json tool, boolean modern) {
        String raw = Rpc.text(tool, "name");
        if (raw == null || raw.isEmpty() || raw.length() > 1_000) {
            throw refused("it has no name");
        }
        Json input = tool.get("inputSchema").orElse(Json.NULL);
        if (input.kind() != Json.Kind.OBJECT) {
            throw refused("its inputSchema is missing");
        }
        if (!"object".equals(Rpc.text(input, "type"))) {
            throw refused("its inputSchema is not of type object");
        }
        Json hints = tool.get("annotations").orElse(Json.EMPTY_OBJECT);
        boolean tasks = !modern && tool.at("/execution/taskSupport")
                .filter(said -> said.equals(REQUIRED) || said.equals(OPTIONAL))
                .isPresent();
        ToolEffect effect = server.effectOf(raw, Rpc.isTrue(hints, "readOnlyHint"),
                Rpc.isTrue(hints, "idempotentHint"));
        String description = Rpc.text(tool, "description");
        String title = Rpc.text(tool, "title");
        ToolDefinition definition = ToolDefinition.raw(
                manifest(server, target, raw, description == null ? "" : shortened(description),
                        title == null ? "" : shortened(title), effect, modern || tasks, hints(hints)),
                () -> contract(raw, input));
        return new ServerTool(raw, definition,
                tool.get("outputSchema").filter(s -> s.kind() == Json.Kind.OBJECT).orElse(null),
                modern && server.way() instanceof McpServer.Way.Http ? headers(input) : Map.of(), tasks,
                hash(pinned(tool)));
    }

    /** Reading a schema of a stranger may end in anything, and is this tool's problem alone. */
    private static ToolContract contract(String raw, Json input) {
        try {
            return new ToolContract(read(input), null);
        } catch (RuntimeException | StackOverflowError e) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                    "tool_contract_unavailable",
                    "the inputSchema of tool " + raw + " cannot be read: " + e.getMessage()), e);
        }
    }

    /** A schema of the protocol's draft, or of the oldest one: servers send such schemas without saying so. */
    private static JsonSchema read(Json input) {
        try {
            return JsonSchema.of(input, Draft.DRAFT_2020_12);
        } catch (SchemaException wrong) {
            try {
                return JsonSchema.of(input, Draft.DRAFT_4);
            } catch (SchemaException alsoWrong) {
                throw wrong;
            }
        }
    }

    /** All at once: a server may list thousands. */
    private static ToolManifest manifest(McpServer server, String target, String raw, String description,
            String title, ToolEffect effect, boolean resumable, BehaviorHints hints) {
        return new ToolManifest(new ToolId("mcp:" + server.name() + "/" + raw), name(server.name(), raw),
                title,
                description, effect, resumable, USUAL.scheduling(), null, server.timeouts(), USUAL.retry(),
                USUAL.mayDefer(), USUAL.approval(), null, List.of(), List.of("mcp", "mcp:" + server.name()),
                USUAL.resident(), USUAL.visibility(), USUAL.version(), target, USUAL.onDefinitionChanged(),
                USUAL.onDoubt(), USUAL.argumentProjection(), hints, USUAL.defaultOn());
    }

    private static BelayException refused(String why) {
        return new BelayException("mcp_tool_refused", why);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_DESCRIPTION ? text : text.substring(0, LONGEST_DESCRIPTION) + "…";
    }

    /**
     * The name that a model says. A name that has other characters or is too long gets a hash of the server's name for it, so that it
     * depends on nothing else: not on the order of the list, and not on other tools. A server whose name has other characters is hashed too.
     */
    static String name(String server, String raw) {
        String plain = "mcp__" + server + "__" + raw;
        if (plain.length() <= LONGEST_NAME && LEGAL.matcher(plain).matches()) {
            return plain;
        }
        String hash = "_" + hash(LEGAL.matcher(server).matches() ? raw : server + "/" + raw).substring(0, 8);
        String legal = plain.replaceAll("[^a-zA-Z0-9_-]", "_");
        return legal.substring(0, Math.min(legal.length(), LONGEST_NAME - hash.length())) + hash;
    }

    private static BehaviorHints hints(Json hints) {
        return new BehaviorHints(said(hints, "readOnlyHint"), said(hints, "destructiveHint"),
                said(hints, "idempotentHint"), said(hints, "openWorldHint"));
    }

    private static @Nullable Boolean said(Json hints, String name) {
        return hints.kind() == Json.Kind.OBJECT
                ? hints.get(name).filter(v -> v.kind() == Json.Kind.BOOLEAN).map(Json::asBoolean).orElse(null)
                : null;
    }

    /** Which properties are marked with {@code x-mcp-header}; a mark that cannot be obeyed refuses the tool. */
    private static Map<String, String> headers(Json input) {
        Json properties = input.get("properties").orElse(Json.EMPTY_OBJECT);
        if (properties.kind() != Json.Kind.OBJECT) {
            return Map.of();
        }
        Map<String, String> found = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        properties.fields().forEach((property, schema) -> {
            if (schema.kind() != Json.Kind.OBJECT || schema.get("x-mcp-header").isEmpty()) {
                return;
            }
            String header = Rpc.text(schema, "x-mcp-header");
            String type = Rpc.text(schema, "type");
            if (header == null || !header.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
                throw refused("property " + property + " asks for a header that has no legal name");
            }
            if (type == null || !Set.of("string", "integer", "boolean").contains(type)) {
                throw refused(
                        "property " + property + " asks for a header and is no string, integer or boolean");
            }
            if (!taken.add(header.toLowerCase(Locale.ROOT))) {
                throw refused("two properties ask for the header " + header);
            }
            found.put(property, "Mcp-Param-" + header);
        });
        return found;
    }

    /** The headers of one call. */
    Map<String, String> headersOf(Json arguments) {
        if (headers.isEmpty()) {
            return headers;
        }
        Map<String, String> made = new LinkedHashMap<>();
        headers.forEach((property, header) -> arguments.get(property)
                .filter(value -> !value.isNull())
                .ifPresent(value -> made.put(header,
                        value.kind() == Json.Kind.STRING ? value.asString() : value.text())));
        return made;
    }

    /** Everything that a model or a person is told about a tool: what its hash is taken of. */
    static String pinned(Json tool) {
        Map<String, Json> told = new LinkedHashMap<>();
        PINNED.forEach(field -> tool.get(field).ifPresent(value -> told.put(field, value)));
        return Json.object(told).canonical();
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
