package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.anthropic.AnthropicModel;
import dev.belay.model.openai.OpenAiModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.Slot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract O.8: what is sent before the last message changes only when a contribution does, on the writers of both providers. */
class WirePrefixTest {

    private static final int ROUNDS = 200;
    private static final int PER_TURN = 20;

    /** A provider on the loopback interface: a call in each round, and text in the last one of a turn. */
    private static final class Provider implements AutoCloseable {

        final List<Json> requests = new CopyOnWriteArrayList<>();
        final AtomicInteger version = new AtomicInteger();
        private final HttpServer server;
        private final String call;
        private final String text;

        Provider(String call, String text) throws IOException {
            this.call = call;
            this.text = text;
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", this::handle);
            server.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                requests.add(Json.of(asked.replaceAll(",\"cache_control\":\\{[^}]*}", "")));
                int count = requests.size();
                version.set(count / (ROUNDS / 2));
                byte[] body = (count % PER_TURN == 0 ? text : call).replace("ID", "call_" + count)
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private static void run(Provider provider, Model model) throws Exception {
        try (Belay belay = Belay.builder()
                .model(model)
                .instructions("Be short.")
                .plugin(new PlanPlugin())
                .plugin(plugin("env", on -> {
                    on.prompt()
                            .contribute("env", Slot.ENVIRONMENT, view -> "version " + provider.version.get());
                    on.prompt().contribute("system", Slot.SYSTEM, view -> "Be kind.");
                }))
                .build()) {
            for (int i = 0; i < ROUNDS / PER_TURN; i++) {
                belay.session("s").turn("Go " + i).run();
            }
        }
    }

    /** How often what was sent before the last message of a request is not how the next request begins. */
    private static int changes(Provider provider) {
        assertThat(provider.requests).hasSize(ROUNDS);
        int changes = 0;
        for (int i = 1; i < ROUNDS; i++) {
            Json before = provider.requests.get(i - 1);
            Json now = provider.requests.get(i);
            List<String> sent = before.get("messages")
                    .orElseThrow()
                    .items()
                    .stream()
                    .map(Json::text)
                    .toList();
            List<String> next = now.get("messages").orElseThrow().items().stream().map(Json::text).toList();
            List<String> prefix = sent.subList(0, sent.size() - 1);
            boolean same = text(before, "system").equals(text(now, "system"))
                    && text(before, "tools").equals(text(now, "tools")) && next.size() >= prefix.size()
                    && next.subList(0, prefix.size()).equals(prefix);
            changes += same ? 0 : 1;
        }
        return changes;
    }

    private static String text(Json request, String field) {
        return request.get(field).map(Json::text).orElse("");
    }

    @Test
    void theBytesThatOpenAiReadsBeginAlikeUntilAContributionChanges() throws Exception {
        try (var provider = new Provider(
                """
                        {"id":"r","object":"chat.completion","model":"small","choices":[{"index":0,\
                        "finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"ID",\
                        "type":"function","function":{"name":"add_step","arguments":"{\\"step\\":\\"one\\"}"}}]}}],\
                        "usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}""",
                """
                        {"id":"r","object":"chat.completion","model":"small","choices":[{"index":0,"finish_reason":"stop",\
                        "message":{"role":"assistant","content":"done"}}],\
                        "usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}""")) {
            run(provider, OpenAiModel.builder("small").baseUrl(provider.url()).streaming(false).build());
            assertThat(changes(provider)).isEqualTo(1);
        }
    }

    @Test
    void theBytesThatAnthropicReadsBeginAlikeUntilAContributionChanges() throws Exception {
        try (var provider = new Provider("""
                {"id":"m","type":"message","role":"assistant","model":"small","content":[{"type":"tool_use",\
                "id":"ID","name":"add_step","input":{"step":"one"}}],"stop_reason":"tool_use",\
                "usage":{"input_tokens":10,"output_tokens":5}}""", """
                {"id":"m","type":"message","role":"assistant","model":"small","content":[{"type":"text",\
                "text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":5}}""")) {
            run(provider, AnthropicModel.builder("small")
                    .baseUrl(provider.url().replace("/v1", ""))
                    .apiKey("key")
                    .streaming(false)
                    .build());
            assertThat(changes(provider)).isEqualTo(1);
        }
    }
}
