package dev.belay.tests.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.model.anthropic.AnthropicModel;
import dev.belay.runtime.Belay;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A search in a session, as Anthropic reads it: what stands before the conversation stays as it was, so that its cache is hit. */
@Timeout(120)
class ReferredToolsWireTest {

    private static String calls(String tool, String input) {
        return """
                {"id":"m","type":"message","role":"assistant","model":"claude-x","content":[{"type":"tool_use",\
                "id":"toolu_%s","name":"%s","input":%s}],"stop_reason":"tool_use",\
                "usage":{"input_tokens":10,"output_tokens":5}}"""
                .formatted(tool, tool, input);
    }

    private static final String TEXT = """
            {"id":"m","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text",\
            "text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":5}}""";

    private static StaticToolProvider hundreds() {
        StaticToolProvider.Builder tools = StaticToolProvider.builder();
        for (int i = 0; i < 300; i++) {
            tools.raw(ToolDefinition.raw("tool" + i,
                    i == 217 ? "Waters the flowers." : "Does the thing of number " + i + " and nothing else.",
                    Json.of("{\"type\":\"object\",\"properties\":{\"amount\":{\"type\":\"integer\","
                            + "\"description\":\"how much of it shall be taken\"}}}"))
                    .effect(ToolEffect.READ), (in, context) -> "did it");
        }
        return tools.build();
    }

    private static List<String> offered(Json request, boolean deferred) {
        return request.get("tools")
                .orElseThrow()
                .items()
                .stream()
                .filter(tool -> tool.get("defer_loading").isPresent() == deferred)
                .map(Json::text)
                .toList();
    }

    @Test
    void aSearchChangesNothingThatWasSentBeforeIt() throws Exception {
        List<String> answers = List.of(calls("search_tools", "{\"query\":\"water the flowers\",\"limit\":1}"),
                calls("tool217", "{}"), TEXT, TEXT);
        List<Json> requests = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] body = answers.get(requests.size()).getBytes(StandardCharsets.UTF_8);
            requests.add(Json.of(asked.replaceAll(",\"cache_control\":\\{[^}]*}", "")));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try (Belay belay = Belay.builder()
                .model(AnthropicModel.builder("claude-x")
                        .baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .apiKey("key")
                        .streaming(false)
                        .build())
                .tools(hundreds())
                .build()) {
            belay.session("s").turn("Water the flowers.").run();
            belay.session("s").turn("Thanks.").run();
        } finally {
            server.stop(0);
        }
        assertThat(requests).hasSize(4);
        assertThat(requests).extracting(request -> offered(request, false))
                .containsOnly(offered(requests.getFirst(), false));
        assertThat(requests).extracting(request -> offered(request, true).toString().contains("tool217"))
                .containsExactly(false, true, true, true);
        for (Json request : requests.subList(1, 4)) {
            assertThat(request.at("/messages/2/content/0/content"))
                    .contains(Json.of("[{\"type\":\"tool_reference\",\"tool_name\":\"tool217\"}]"));
        }
    }
}
