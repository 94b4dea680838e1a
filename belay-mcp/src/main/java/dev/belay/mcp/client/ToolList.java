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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The tools of a server, as it has listed them last. Immutable.
 *
 * @param tools offered ones, by their ids
 * @param definitions of the same
 * @param left others by the server's names, with the reason
 */
record ToolList(Map<ToolId, ServerTool> tools, List<ToolDefinition> definitions, Map<String, String> left) {

    /** No tools. */
    static final ToolList NONE = new ToolList(Map.of(), List.of(), Map.of());

    /** Asks the server for its tools, and keeps what it says for processes that come while it is away. */
    static ToolList of(McpServer server, McpPins pins, Connection open)
            throws IOException, InterruptedException, RpcException {
        Json said = Rpc.object("modern", bool(open.revision().modern()), "resources",
                bool(open.has("resources")), "tools", Json.array(open.tools()));
        ToolList made = read(server, open.target(), said, seen -> pins.refused(server.name(), seen), pins);
        pins.keep(server.name(), said);
        return made;
    }

    /** What the server said to an earlier process, and was approved then; nothing if that is not kept or cannot be read. */
    static ToolList kept(McpServer server, McpPins pins) {
        try {
            return pins.listed(server.name())
                    .map(said -> read(server, ServerTarget.hash(server), said,
                            seen -> pins.unapproved(server.name(), seen), pins))
                    .orElse(NONE);
        } catch (JsonException foreign) {
            return NONE;
        }
    }

    private static Json bool(boolean value) {
        return value ? Json.TRUE : Json.FALSE;
    }

    /**
     * A tool that cannot be used is left out alone.
     *
     * @param refused says which tools are not offered, and why
     */
    private static ToolList read(McpServer server, String target, Json said,
            Function<List<McpPins.Seen>, Map<String, String>> refused, McpPins pins) {
        Map<String, ServerTool> usable = new LinkedHashMap<>();
        Map<String, String> left = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        List<McpPins.Seen> seen = new ArrayList<>();
        int number = 0;
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
                    left.put(raw, "tool " + other + " has the same name");
                } else {
                    usable.put(raw, tool);
                    seen.add(new McpPins.Seen(raw, tool.pin(), () -> ServerTool.pinned(one)));
                }
            } catch (BelayException e) {
                left.put(raw, String.valueOf(e.getMessage()));
            }
        }
        pins.reread();
        Map<String, String> why = refused.apply(seen);
        left.putAll(why);
        usable.keySet().removeAll(why.keySet());
        Map<ToolId, ServerTool> tools = new LinkedHashMap<>();
        usable.values().forEach(tool -> tools.put(tool.definition().id(), tool));
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
