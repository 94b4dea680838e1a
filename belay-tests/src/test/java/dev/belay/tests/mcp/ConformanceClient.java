package dev.belay.tests.mcp;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.mcp.McpAnswer;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.mcp.McpStatus;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The program that the official conformance suite starts: attaches the server at the address in its last argument, and calls every tool
 * once through the runtime, or those of {@code MCP_CONFORMANCE_CONTEXT}.
 */
final class ConformanceClient {

    private static final String SERVER = "conformance";

    private ConformanceClient() {}

    public static void main(String[] args) throws InterruptedException {
        URI address = URI.create(args[args.length - 1]);
        Json context = Optional.ofNullable(System.getenv("MCP_CONFORMANCE_CONTEXT"))
                .map(Json::of)
                .orElse(Json.EMPTY_OBJECT);
        var servers = new McpServers()
                .answering(question -> Optional.of(McpAnswer.accept(answers(question.schema()))));
        servers.attach(McpServer.http(SERVER, address));
        boolean there = servers.await(Duration.ofSeconds(20));
        McpStatus status = servers.list().getFirst();
        System.err.println(status);
        try (Belay belay = Belay.builder().tools(servers.tools()).build()) {
            List<CallRequest> calls = new ArrayList<>();
            for (Json call : context.get("toolCalls").map(Json::items).orElse(List.of())) {
                calls.add(new CallRequest("mcp__" + SERVER + "__" + call.get("name").orElseThrow().asString(),
                        given(call.get("arguments").orElse(Json.EMPTY_OBJECT)).text()));
            }
            if (calls.isEmpty()) {
                servers.tools()
                        .definitions()
                        .forEach(tool -> calls.add(new CallRequest(tool.name(), arguments(tool))));
            }
            for (int i = 0; i < calls.size(); i++) {
                ToolOutcome outcome = belay.calls()
                        .run("call-" + i, List.of(calls.get(i)))
                        .outcomes()
                        .getFirst();
                System.err.println(calls.get(i).name() + ": " + outcome.text());
            }
            if (there) {
                readRest(servers);
            }
        }
        System.exit(there ? 0 : 1);
    }

    /** Reads the first resource and the first prompt, if there are some. */
    private static void readRest(McpServers servers) throws InterruptedException {
        try {
            List<Json> resources = servers.resources(SERVER);
            if (!resources.isEmpty()) {
                servers.read(SERVER, resources.getFirst().get("uri").orElseThrow().asString());
            }
            List<Json> prompts = servers.prompts(SERVER);
            if (!prompts.isEmpty()) {
                servers.prompt(SERVER, prompts.getFirst().get("name").orElseThrow().asString(), Map.of());
            }
        } catch (RuntimeException none) {
            System.err.println(none.getMessage());
        }
    }

    private static String arguments(ToolDefinition tool) {
        try {
            return answers(tool.contract().input().json()).text();
        } catch (BelayException unreadable) {
            return "{}"; // the call says why
        }
    }

    /** Arguments without those that are null, which a model leaves out. */
    private static Json given(Json arguments) {
        Map<String, Json> values = new LinkedHashMap<>(arguments.fields());
        values.values().removeIf(Json::isNull);
        return Json.object(values);
    }

    /** A value for each required property without a default. */
    private static Json answers(Json schema) {
        Map<String, Json> values = new LinkedHashMap<>();
        Json properties = schema.get("properties").orElse(Json.EMPTY_OBJECT);
        for (Json required : schema.get("required").map(Json::items).orElse(List.of())) {
            Json property = properties.get(required.asString()).orElse(Json.EMPTY_OBJECT);
            if (property.get("default").isEmpty()) {
                values.put(required.asString(), value(property));
            }
        }
        return Json.object(values);
    }

    private static Json value(Json property) {
        return switch (property.get("type").map(Json::asString).orElse("")) {
            case "integer", "number" -> Json.number(5);
            case "boolean" -> Json.TRUE;
            case "object" -> Json.EMPTY_OBJECT;
            case "array" -> Json.array(List.of());
            default -> property.get("enum").map(all -> all.items().getFirst()).orElse(Json.string("x"));
        };
    }
}
