package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.mcp.client.LiveServer;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolEffect;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are reached by HTTP. */
@Timeout(60)
class HttpServerTest {

    private static final String LIST = """
            {"tools":[{"name":"echo","description":"Says it again.","inputSchema":{"type":"object","properties":{\
            "text":{"type":"string","x-mcp-header":"Text"}},"required":["text"]}},\
            {"name":"pay","description":"Pays.","inputSchema":{"type":"object"}},\
            {"name":"bad","description":"Asks for a header twice.","inputSchema":{"type":"object","properties":{\
            "a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}}}]}""";

    private final McpServers servers = new McpServers(McpPins.inMemory(), new LiveServer.Backoff(
            Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofMillis(20)));
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private HttpServer http;
    private volatile boolean modern;
    private volatile boolean forgets;
    private volatile int payStatus = 200;
    private volatile boolean cutsStream;
    private volatile String eventId = "e1";
    private volatile int forgetStatus = 404;
    private volatile String payReply = "";
    private volatile boolean silentAboutDiscover;
    private final AtomicInteger startsFor = new AtomicInteger();
    private volatile String challenge = "";
    private final CountDownLatch closed = new CountDownLatch(1);

    @BeforeEach
    void start() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/mcp", this::answer);
        http.start();
    }

    @AfterEach
    void stop() {
        servers.close();
        closed.countDown();
        http.stop(0);
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
    }

    private McpServer server() {
        return McpServer.http("web", address())
                .header("Authorization", "Bearer t0ken");
    }

    private void attach(McpServer server) throws InterruptedException {
        servers.attach(server);
        assertThat(servers.await(Duration.ofSeconds(20))).as("%s", servers.list()).isTrue();
    }

    private String call(String tool, String arguments) {
        return ToolCaller.of(servers.tools()).call("mcp__web__" + tool, arguments).text();
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (startsFor.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            send(exchange, 503, "text/plain", "it starts");
            return;
        }
        if (!"Bearer t0ken".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders().add("WWW-Authenticate", "Bearer" + challenge);
            send(exchange, 401, "text/plain", "who are you?");
            return;
        }
        switch (exchange.getRequestMethod()) {
            case "POST" -> post(exchange);
            case "GET" -> {
                seen.add("GET after " + exchange.getRequestHeaders().getFirst("Last-Event-ID"));
                if (exchange.getRequestHeaders().containsKey("Last-Event-ID")) {
                    send(exchange, 200, "text/event-stream", event("{\"jsonrpc\":\"2.0\",\"id\":"
                            + resumed
                            + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"resumed\"}]}}"));
                } else {
                    send(exchange, 405, "text/plain", "");
                }
            }
            default -> send(exchange, 200, "text/plain", "");
        }
    }

    private volatile String resumed = "0";

    private void post(HttpExchange exchange) throws IOException {
        Json message = Json.of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String method = message.get("method").map(Json::asString).orElse("");
        seen.add(method + " " + exchange.getRequestHeaders().getFirst("MCP-Protocol-Version"));
        if (message.get("id").isEmpty()) {
            send(exchange, 202, "text/plain", "");
            return;
        }
        String id = message.get("id").get().text();
        if (modern && exchange.getRequestHeaders().containsKey("Mcp-Param-Text")) {
            seen.add("header " + exchange.getRequestHeaders().getFirst("Mcp-Param-Text") + " for "
                    + exchange.getRequestHeaders().getFirst("Mcp-Name"));
        }
        switch (method) {
            case "server/discover" -> {
                if (silentAboutDiscover) {
                    try {
                        closed.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                } else if (modern) {
                    reply(exchange, id,
                            "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}");
                } else {
                    send(exchange, 400, "application/json",
                            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"Bad Request: not initialized\"}}");
                }
            }
            case "initialize" -> {
                exchange.getResponseHeaders().add("Mcp-Session-Id", "s" + seen.size());
                reply(exchange, id,
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true}}}");
            }
            case "tools/list" -> reply(exchange, id, LIST);
            case "tools/call" -> called(exchange, id, message);
            default ->
                send(exchange, 404, "application/json", "{\"error\":{\"code\":-32601,\"message\":\"no\"}}");
        }
    }

    private void called(HttpExchange exchange, String id, Json message) throws IOException {
        String tool = message.at("/params/name").orElseThrow().asString();
        if (forgets) {
            forgets = false;
            send(exchange, forgetStatus, "text/plain", "no such session");
        } else if (tool.equals("pay") && !payReply.isEmpty()) {
            send(exchange, 200, "application/json", payReply);
        } else if (tool.equals("pay") && payStatus != 200) {
            if (payStatus / 100 == 3) {
                exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/elsewhere");
            }
            send(exchange, payStatus, "text/html", "<h1>Sorry</h1>");
        } else if (tool.equals("pay")) {
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                while (!closed.await(20, TimeUnit.MILLISECONDS)) {
                    out.write(": still here\n\n".getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    seen.add("paying");
                }
            } catch (IOException gone) {
                seen.add("the client has gone");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (cutsStream) {
            resumed = id;
            send(exchange, 200, "text/event-stream", "id: " + eventId + "\nretry: 5\ndata:\n\n");
        } else {
            send(exchange, 200, "text/event-stream",
                    event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                            + id
                            + ",\"progress\":1}}")
                            + event("{\"jsonrpc\":\"2.0\",\"id\":" + id
                                    + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
                                    + message.at("/params/arguments/text").orElseThrow().text() + "}]}}"));
        }
    }

    private static String event(String data) {
        return "event: message\ndata: " + data + "\n\n";
    }

    private static void reply(HttpExchange exchange, String id, String result) throws IOException {
        send(exchange, 200, "application/json",
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void aServerOfEitherRevisionIsCalledByHttp() throws Exception {
        attach(server());
        assertThat(call("echo", "{\"text\":\"Grüße\"}")).isEqualTo("Grüße");
        assertThat(seen).contains("initialize null", "notifications/initialized 2025-11-25",
                "tools/call 2025-11-25");
        servers.detach("web");
        modern = true;
        attach(server());
        assertThat(call("echo", "{\"text\":\"plain\"}")).isEqualTo("plain");
        assertThat(seen).contains("tools/call 2026-07-28", "header plain for echo");
    }

    @Test
    void aServerOfHttpHasLongerForItsFirstAnswerThanAProgram() throws Exception {
        modern = true;
        var noTime = Duration.ofNanos(1);
        try (var patient = new McpServers(McpPins.inMemory(), new LiveServer.Backoff(noTime, noTime,
                Duration.ofSeconds(30), noTime, noTime, Duration.ofSeconds(30)))) {
            patient.attach(server());
            assertThat(patient.await(Duration.ofSeconds(20))).as("%s", patient.list()).isTrue();
            assertThat(patient.list().getFirst().revision()).isEqualTo("2026-07-28");
        }
    }

    @Test
    void aServerOfHttpThatIsSilentIsGreetedAsAnOlderOne() throws Exception {
        silentAboutDiscover = true;
        var soon = Duration.ofMillis(20);
        try (var hasty = new McpServers(McpPins.inMemory(), new LiveServer.Backoff(soon, soon,
                Duration.ofSeconds(30), soon, soon, Duration.ofMillis(100)))) {
            hasty.attach(server());
            assertThat(hasty.await(Duration.ofSeconds(20))).as("%s", hasty.list()).isTrue();
            assertThat(hasty.list().getFirst().revision()).isEqualTo("2025-11-25");
        }
    }

    @Test
    void awaitGoesOnAfterATryInVain() throws Exception {
        startsFor.set(2); // discover and initialize
        servers.attach(server());
        boolean atFirst = servers.awaitFirstTry(Duration.ofSeconds(20));
        assertThat(servers.await(Duration.ofSeconds(20))).as("%s", servers.list()).isTrue();
        assertThat(atFirst).isFalse();
    }

    @Test
    void aServerThatWantsOAuthIsSaidSo() throws Exception {
        challenge = " resource_metadata=\"https://a.test/.well-known/oauth-protected-resource\"";
        assertThat(problem(McpServer.http("web", address()))).contains("(401)",
                "it wants a token of OAuth, which Belay does not fetch", "header(\"Authorization\", …)");
        servers.detach("web");
        challenge = "";
        assertThat(problem(McpServer.http("web", address()))).contains("give its key")
                .doesNotContain("OAuth");
    }

    @Test
    void aServerOfTheTransportOf2024IsSaidSo() throws Exception {
        http.createContext("/sse", exchange -> send(exchange, 405, "text/plain", "use GET"));
        assertThat(problem(McpServer.http("web", address().resolve("/sse")))).contains("status 405",
                "the HTTP+SSE transport of 2024-11-05", "ends in /mcp");
    }

    private String problem(McpServer server) throws InterruptedException {
        servers.attach(server);
        assertThat(servers.awaitFirstTry(Duration.ofSeconds(20))).isFalse();
        return Objects.requireNonNull(servers.list().getFirst().problem());
    }

    @Test
    void aNameOfAServerMayHaveUnderscoresDotsAndSpaces() throws Exception {
        List<String> names = List.of("my_web", "my.web", "my web");
        for (String name : names) {
            servers.attach(McpServer.http(name, address()).header("Authorization", "Bearer t0ken"));
        }
        assertThat(servers.await(Duration.ofSeconds(20))).as("%s", servers.list()).isTrue();
        List<String> tools = servers.list().stream().map(McpStatus::tools).map(List::getFirst).toList();
        assertThat(tools).doesNotHaveDuplicates()
                .contains("mcp__my_web__echo")
                .allMatch(tool -> tool.matches("mcp__my_web__echo(_[0-9a-f]{8})?"));
        for (String tool : tools) {
            assertThat(ToolCaller.of(servers.tools()).call(tool, "{\"text\":\"here\"}").text())
                    .isEqualTo("here");
        }
        for (String no : List.of("a__b", "_a", "a.", " a", "a/b", "é", "")) { // __ is between a server and its tool
            assertThatThrownBy(() -> McpServer.http(no, address()))
                    .hasMessageContaining("is no name of a server");
        }
    }

    @Test
    void aValueThatNoHeaderCarriesIsSentInBase64() throws Exception {
        modern = true;
        attach(server());
        call("echo", "{\"text\":\"Grüße\"}");
        assertThat(seen).contains("header =?base64?R3LDvMOfZQ==?= for echo");
    }

    @Test
    void aToolThatAsksForAHeaderTwiceIsLeftOutAlone() throws Exception {
        modern = true;
        attach(server());
        assertThat(servers.list().getFirst().left())
                .isEqualTo(Map.of("bad", "two properties ask for the header x"));
    }

    @Test
    void aServerThatRefusesTheClientSaysWhatToDo() throws Exception {
        servers.attach(McpServer.http("web", address()));
        assertThat(servers.await(Duration.ofSeconds(20))).isFalse();
        assertThat(servers.list().getFirst().problem()).contains("401", "header(\"Authorization\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 400})
    void aForgottenSessionIsBegunAgainAndOnlyAReadIsRepeated(int status) throws Exception {
        forgetStatus = status;
        attach(server().effect("echo", ToolEffect.READ));
        forgets = true;
        assertThat(call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
        servers.detach("web");
        attach(server());
        forgets = true;
        assertThat(call("echo", "{\"text\":\"once\"}")).contains("mcp_server_unavailable",
                "has forgotten the session");
        assertThat(call("echo", "{\"text\":\"then\"}")).isEqualTo("then");
    }

    @Test
    void aRedirectionIsNotFollowed() throws Exception {
        attach(server());
        payStatus = 307;
        assertThat(call("pay", "{}")).contains("mcp_server_unavailable", "not followed",
                "http://127.0.0.1:1/elsewhere");
    }

    @Test
    void aPaymentThatEndsInAServerErrorMayHaveHappened() throws Exception {
        attach(server());
        payStatus = 502;
        assertThat(call("pay", "{}")).contains("mcp_connection_lost", "status 502", "may have happened");
        payStatus = 400;
        assertThat(call("pay", "{}")).contains("mcp_server_unavailable", "status 400")
                .doesNotContain("may have happened");
    }

    @Test
    void aReplyThatIsTooLongOrToAnotherRequestMayHaveHappened() throws Exception {
        attach(server());
        for (String reply : List.of("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{\"content\":[]}}", "[1,2]",
                "<h1>",
                "x".repeat(17 << 20))) {
            payReply = reply;
            assertThat(call("pay", "{}")).contains("mcp_connection_lost", "may have happened");
            assertThat(call("echo", "{\"text\":\"on\"}")).isEqualTo("on");
        }
    }

    @Test
    void aStreamThatBreaksIsResumedAfterItsLastEvent() throws Exception {
        attach(server());
        cutsStream = true;
        assertThat(call("echo", "{\"text\":\"x\"}")).isEqualTo("resumed");
        assertThat(seen).contains("GET after e1");
    }

    @Test
    void aStreamThatBreaksAfterAnIdThatNoHeaderCarriesMayHaveHappened() throws Exception {
        attach(server());
        cutsStream = true;
        for (String id : List.of("\u4e8b\u4ef6", "\u0001", "\ud83d\ude00")) {
            eventId = id;
            assertThat(call("echo", "{\"text\":\"x\"}")).startsWith("Error (mcp_connection_lost)")
                    .contains("may have happened");
        }
    }

    @Test
    void anInterruptClosesTheAnswerOrTellsTheServer() throws Exception {
        modern = true;
        attach(server());
        var caller = Thread.ofVirtual().start(() -> call("pay", "{}"));
        while (!seen.contains("paying")) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        caller.join();
        while (!seen.contains("the client has gone")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anInterruptIsToldToAServerOfTheOlderRevision() throws Exception {
        attach(server());
        var caller = Thread.ofVirtual().start(() -> call("pay", "{}"));
        while (!seen.contains("paying")) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        caller.join();
        while (!seen.contains("notifications/cancelled 2025-11-25")) {
            Thread.onSpinWait();
        }
        closed.countDown();
    }

    @Test
    void aServerThatCannotBeReachedDidNothing() throws Exception {
        attach(server());
        http.stop(0);
        assertThat(call("pay", "{}")).contains("mcp_").doesNotContain("may have happened");
    }
}
