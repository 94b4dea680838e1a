package dev.belay.mcp.client;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a server, as it has listed them last. Immutable.
 *
 * @param tools offered ones, by their ids
 * @param definitions of the same
 * @param left others by the server's names, with the reason
 */
record ToolList(Map<ToolId, ServerTool> tools, List<ToolDefinition> definitions, Map<String, Left> left) {

    /** No tools. */
    static final ToolList NONE = new ToolList(Map.of(), List.of(), Map.of());

    /**
     * A tool that is not offered.
     *
     * @param why in words
     * @param tool null if it cannot be approved
     */
    record Left(String why, @Nullable ServerTool tool) {}

    /** Asks the server for its tools, and keeps what it says for processes that come while it is away. */
    static ToolList of(McpServer server, McpPins pins, Connection open)
            throws IOException, InterruptedException, RpcException {
        Json said = Rpc.object("modern", bool(open.revision().modern()), "resources",
                bool(open.has("resources")), "tools", Json.array(open.tools()));
        ToolList made = read(server, open.target(), said,
                (tool, one) -> pins.accepts(server.name(), tool.raw(), tool.pin(),
                        () -> ServerTool.pinned(one)),
                pins);
        pins.keep(server.name(), said);
        return made;
    }

    /** What the server said to an earlier process, and was approved then; nothing if that is not kept or cannot be read. */
    static ToolList kept(McpServer server, McpPins pins) {
        try {
            return pins.listed(server.name())
                    .map(said -> read(server, ServerTarget.hash(server), said,
                            (tool, one) -> pins.isApproved(server.name(), tool.raw(), tool.pin()), pins))
                    .orElse(NONE);
        } catch (JsonException foreign) {
            return NONE;
        }
    }

    private static Json bool(boolean value) {
        return value ? Json.TRUE : Json.FALSE;
    }

    /** A tool that cannot be used is left out alone. */
    private static ToolList read(McpServer server, String target, Json said,
            BiPredicate<ServerTool, Json> isAccepted, McpPins pins) {
        Map<ToolId, ServerTool> tools = new LinkedHashMap<>();
        Map<String, Left> left = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        int number = 0;
        pins.reread();
        for (Json one : said.get("tools").map(Json::items).orElse(List.of())) {
            number++;
            String raw = Optional.ofNullable(Rpc.text(one, "name")).orElse("number " + number);
            if (!server.takes(raw)) {
                continue;
            }
            try {
                ServerTool tool = ServerTool.of(server, target, one, Rpc.isTrue(said, "modern"));
                String other = names.putIfAbsent(tool.definition().name(), raw);
                if (other != null) {
                    left.put(raw, new Left("tool " + other + " has the same name", null));
                } else if (!isAccepted.test(tool, one)) {
                    left.put(raw,
                            new Left("its description or schema is not the one that was approved", tool));
                } else {
                    tools.put(tool.definition().id(), tool);
                }
            } catch (BelayException e) {
                left.put(raw, new Left(String.valueOf(e.getMessage()), null));
            }
        }
        pins.keep();
        if (Rpc.isTrue(said, "resources")) {
            for (ServerTool tool : ServerResources.tools(server, target)) {
                if (server.takes(tool.raw())
                        && names.putIfAbsent(tool.definition().name(), tool.raw()) == null) {
                    tools.put(tool.definition().id(), tool);
                }
            }
        }
        return new ToolList(tools, tools.values().stream().map(ServerTool::definition).toList(), left);
    }
}
