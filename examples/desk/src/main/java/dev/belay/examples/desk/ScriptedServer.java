package dev.belay.examples.desk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Stands in for a model: a server of OpenAI's protocol on the loopback address. It asks for one refund, and then says what came of
 * it.
 */
final class ScriptedServer implements AutoCloseable {

    private final HttpServer server;

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", ScriptedServer::complete);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    private static void complete(HttpExchange exchange) throws IOException {
        try (exchange) {
            Json request = Json
                    .of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] events = ("data: " + event(request.get("messages").orElseThrow().items())
                    + "\n\ndata: [DONE]\n\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, events.length);
            exchange.getResponseBody().write(events);
        }
    }

    private static String event(List<Json> messages) {
        Json last = messages.getLast();
        if (!last.get("role").orElseThrow().asString().equals("tool")) {
            return """
                    {"choices":[{"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function",\
                    "function":{"name":"refund","arguments":"{\\"order\\":42,\\"cents\\":8950}"}}]},\
                    "finish_reason":"tool_calls"}]}""";
        }
        String reply = last.get("content").orElseThrow().asString();
        String answer = reply.startsWith("R-")
                ? "Order 42 is refunded, receipt " + reply + "."
                : "Order 42 is not refunded. " + reply;
        return "{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":" + Json.string(answer).text()
                + "},\"finish_reason\":\"stop\"}]}";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
