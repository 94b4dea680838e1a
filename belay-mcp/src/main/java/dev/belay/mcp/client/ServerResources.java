package dev.belay.mcp.client;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.NoAnswerException;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.call.PreparedCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Resources and prompts of a server, for programs, and two tools by which a model reads resources. Thread-safe.
 *
 * @param live the server
 */
public record ServerResources(LiveServer live) {

    private static final String ID = "mcp-resources:";
    private static final int MOST_LISTED = 200;

    /** One question that is repeated on a new connection, because it only reads. */
    @FunctionalInterface
    private interface Question {
        Json ask(Connection open) throws IOException, InterruptedException, RpcException;
    }

    /** The connection of each try: that of a call is to what the call was decided about. */
    @FunctionalInterface
    private interface Connected {
        Connection get() throws InterruptedException;
    }

    /** The tools that read resources, for a server that has some. */
    static List<ServerTool> tools(McpServer server, String target) {
        return List.of(
                tool(server, target, "list_resources", "Lists the resources of the server " + server.name()
                        + ": their addresses (uri), names and descriptions.",
                        "{\"type\":\"object\",\"properties\":{}}", ToolEffect.READ),
                tool(server, target, "read_resource", "Reads a resource of the server " + server.name() + ".",
                        """
                                {"type":"object","properties":{"uri":{"type":"string","description":"the address of the \
                                resource, as list_resources shows it"}},"required":["uri"]}""",
                        server.effectOf("read_resource", true, true))); // the server is told the address
    }

    private static ServerTool tool(McpServer server, String target, String name, String description,
            String input, ToolEffect effect) {
        ToolDefinition definition = ToolDefinition
                .foreign(ServerTool.name(server.name(), name), description,
                        new ToolContract(JsonSchema.of(Json.of(input)), null))
                .id(ID + server.name() + "/" + name)
                .effect(effect)
                .target(target)
                .tags(List.of("mcp", "mcp:" + server.name()));
        return new ServerTool(name, definition, null, Map.of(), false, "");
    }

    /** Whether a tool is one of these. */
    static boolean has(ServerTool tool) {
        return tool.definition().id().value().startsWith(ID);
    }

    Object call(ServerTool tool, PreparedCall call) throws InterruptedException {
        Connected connected = () -> live.connected(call);
        try {
            if (tool.raw().equals("list_resources")) {
                return listed(connected);
            }
            Json read = read(connected, call.arguments().get("uri").orElseThrow().asString(),
                    tool.definition().manifest().effect());
            var answer = new CallAnswer(live.server().name(), tool, call.context());
            List<Json> parts = new ArrayList<>();
            for (Json one : read.get("contents").orElseThrow().items()) {
                parts.add(Rpc.object("type", Json.string("resource"), "resource", one));
            }
            return answer.of(Rpc.object("content", Json.array(parts)));
        } catch (BelayException e) {
            throw e instanceof ToolException told
                    ? told
                    : new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, e.code(),
                            String.valueOf(e.getMessage())), e);
        }
    }

    private String listed(Connected connected) throws InterruptedException {
        List<Json> all = list(connected, "resources/list", "resources");
        var text = new StringBuilder(all.size() + " resources");
        for (Json one : all.subList(0, Math.min(all.size(), MOST_LISTED))) {
            text.append('\n').append(one.get("uri").map(Json::asString).orElse("?"));
            for (String field : List.of("name", "description")) {
                String said = Rpc.text(one, field);
                text.append(said == null ? "" : " | " + said);
            }
        }
        return text + (all.size() > MOST_LISTED ? "\n… and " + (all.size() - MOST_LISTED) + " more" : "");
    }

    /** The entries of a list, such as {@code resources/list}. */
    public List<Json> list(String method, String field) throws InterruptedException {
        return list(live::connected, method, field);
    }

    private List<Json> list(Connected connected, String method, String field) throws InterruptedException {
        return ask(connected, open -> Json.array(open.all(method, field)), ToolEffect.READ).items();
    }

    /** The contents of a resource, as the server sends them. */
    public Json read(String uri) throws InterruptedException {
        return read(live::connected, uri, ToolEffect.READ);
    }

    private Json read(Connected connected, String uri, ToolEffect effect) throws InterruptedException {
        return ask(connected, open -> {
            Json read = open.listing("contents", "resources/read", Rpc.object("uri", Json.string(uri)), uri);
            for (Json one : read.get("contents").orElseThrow().items()) {
                if (Rpc.text(one, "text") == null && Rpc.text(one, "blob") == null) {
                    throw new NoAnswerException("server " + live.server().name()
                            + " sent a resource with neither text nor blob");
                }
            }
            return read;
        }, effect);
    }

    /** A prompt with its arguments filled in, as the server sends it. */
    public Json prompt(String name, Map<String, String> arguments) throws InterruptedException {
        Json filled = Json.write(out -> {
            out.beginObject();
            arguments.forEach((argument, value) -> out.name(argument).value(value));
            out.endObject();
        });
        return ask(live::connected, open -> open.listing("messages", "prompts/get",
                Rpc.object("name", Json.string(name), "arguments", filled), name), ToolEffect.READ);
    }

    /** Asks, and once more on a new connection if that does no harm. */
    private Json ask(Connected connected, Question question, ToolEffect effect) throws InterruptedException {
        for (boolean again = true;; again = false) {
            Connection open = connected.get();
            try {
                return question.ask(open);
            } catch (RpcException e) {
                throw new BelayException("mcp_error",
                        "server " + live.server().name() + " refused (" + e.code() + "): " + e.getMessage());
            } catch (IOException e) {
                boolean refused = e instanceof StatusException status && !status.forgotten();
                if (!refused && !(e instanceof NoAnswerException)) {
                    live.dropped(open, String.valueOf(e.getMessage()));
                }
                boolean unsent = e instanceof LostException lost && !lost.sent();
                if (!again || refused || (effect == ToolEffect.ONCE && !unsent)) {
                    throw failed(e, unsent || e instanceof StatusException, effect);
                }
            }
        }
    }

    private ToolException failed(IOException e, boolean nothingHappened, ToolEffect effect) {
        String why = String.valueOf(e.getMessage());
        return nothingHappened || effect == ToolEffect.READ
                ? live.unavailable(why, e)
                : new ToolException(ToolFailure
                        .of(ToolFailure.Kind.EXTERNAL, "mcp_connection_lost",
                                "the call was sent, and then " + why)
                        .thatMayHaveHappened(), e);
    }
}
