package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.mcp.client.LiveServer;
import dev.belay.tool.ToolCaller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes back for a call and is no answer of the server never counts as one, and holds up no call. */
@Timeout(120)
class GarbageReplyTest {

    private static final String FRAME = "\"jsonrpc\":\"2.0\",\"id\":$ID";
    private static final String PAID = "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"paid\"}],\"isError\":false}";
    private static final String LATE = "{" + FRAME
            + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"late\"}]}}";
    /** In place of a result, or as an error, beside what every reply has. */
    private static final List<String> GARBAGE = List.of("\"error\":\"upstream timeout\"",
            "\"error\":\"upstream timeout\"," + PAID, "\"error\":{\"message\":\"upstream timeout\"}",
            "\"error\":{\"code\":\"ETIMEDOUT\",\"message\":\"upstream timeout\"}",
            "\"error\":[\"upstream timeout\"]",
            "\"error\":504", "\"error\":true", "\"error\":false," + PAID, "\"error\":{}", "\"error\":null",
            "\"error\":null,\"result\":null", "\"result\":null", "\"result\":7", "\"result\":\"paid\"",
            "\"result\":true", "\"result\":[]", "\"result\":{}",
            "\"result\":{\"message\":\"upstream timeout\"}",
            "\"result\":{\"content\":\"paid\"}", "\"result\":{\"content\":{}}",
            "\"result\":{\"content\":[7]}",
            "\"result\":{\"content\":[{}]}", "\"result\":{\"content\":[{\"type\":\"text\"}]}",
            "\"result\":{\"content\":[],\"isError\":\"true\"}",
            "\"result\":{\"content\":[],\"resultType\":7}",
            "\"result\":{\"structuredContent\":null}", "\"result\":{\"task\":7}", "\"status\":\"ok\"",
            "\"result\":{\"resultType\":\"input_required\",\"inputRequests\":7}", "\"method\":7," + PAID,
            "\"method\":\"paid\"," + PAID);
    private static final List<String> STRAYS = List.of("{\"jsonrpc\":\"2.0\",\"id\":99999," + PAID + "}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\"," + PAID + "}", "{\"jsonrpc\":\"2.0\"," + PAID + "}",
            "{\"jsonrpc\":\"2.0\",\"id\":null," + PAID + "}",
            "{\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{",
            "{\"jsonrpc\":\"2.0\",\"id\":99999,\"error\":{\"code\":1,\"message\":\"no\"}}",
            "{\"level\":\"info\",\"about\":{\"id\":$ID},NaN}", "[]", "7", "{}", "paid",
            "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"method\":\"ping\",\"params\":NaN}");

    private static final String SECRET = "sk-verysecret/123";

    /** How a server is reached, and how its reply comes. */
    enum Way {
        PROGRAM, BODY, EVENTS
    }

    private final McpServers servers = new McpServers(McpPins.inMemory(), new LiveServer.Backoff(
            Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofMillis(20)));
    private @Nullable HttpServer http;
    private volatile Way way = Way.PROGRAM;

    @AfterEach
    void close() {
        servers.close();
        if (http != null) {
            http.stop(0);
        }
    }

    private void attach(Way how, String... program) throws Exception {
        way = how;
        if (how == Way.PROGRAM) {
            servers.attach(McpServer.program("shop", ScriptedServer.command(program))
                    .variable("SHOP_KEY", SECRET)
                    .plain("SHOP_MODE", "production"));
        } else {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            http.createContext("/", this::answer);
            http.start();
            servers.attach(McpServer.http("shop",
                    URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/"))
                    .header("Authorization", "Bearer " + SECRET)
                    .plain("X-Mode", "production"));
        }
        assertThat(servers.await(Duration.ofSeconds(30))).as("%s", servers.list()).isTrue();
    }

    private void answer(HttpExchange exchange) throws IOException {
        Json message = Json.of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String id = message.get("id").map(Json::text).orElse("");
        switch (message.get("method").map(Json::asString).orElse("")) {
            case "server/discover" -> send(exchange, 400, "text/plain", "what?");
            case "initialize" -> send(exchange, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":" + id
                    + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}}");
            case "tools/list" -> send(exchange, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":" + id
                    + ",\"result\":{\"tools\":[{\"name\":\"raw\",\"inputSchema\":{\"type\":\"object\"}}]}}");
            case "tools/call" -> {
                List<Json> lines = message.at("/params/arguments/lines").orElseThrow().items();
                var text = new StringBuilder();
                lines.forEach(line -> text.append(way == Way.EVENTS ? "data: " : "")
                        .append(line.asString().replace("$ID", id))
                        .append(way == Way.EVENTS ? "\n\n" : ""));
                send(exchange, 200, way == Way.EVENTS ? "text/event-stream" : "application/json",
                        text.toString());
            }
            default -> send(exchange, 202, "text/plain", "");
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** What the model is told after these lines came back; a call that hangs runs into the time limit of the test. */
    private String told(String... lines) {
        String arguments = Json.write(out -> {
            out.beginObject().name("lines").beginArray();
            for (String line : lines) {
                out.value(line);
            }
            out.endArray().endObject();
        }).text();
        return ToolCaller.of(servers.tools()).call("mcp__shop__raw", arguments).text();
    }

    private static void isUnanswered(String told, String why) {
        assertThat(told).as(why)
                .startsWith("Error (mcp_connection_lost): the call was sent, and then ")
                .contains("may have happened");
    }

    @ParameterizedTest
    @EnumSource
    void whatNoServerSaysIsNoAnswer(Way how) throws Exception {
        attach(how, "raw");
        for (String garbage : GARBAGE) {
            isUnanswered(told("{" + FRAME + "," + garbage + "}"), garbage);
        }
        assertThat(told(LATE)).isEqualTo("late");
    }

    @ParameterizedTest
    @EnumSource
    void theWordsOfAGatewayAreKept(Way how) throws Exception {
        attach(how, "raw");
        assertThat(told("{" + FRAME + ",\"error\":\"upstream timeout\"}"))
                .contains("something else answered tools/call in the place of the server: upstream timeout");
        assertThat(told("{" + FRAME + ",\"error\":{\"status\":504}}")).contains("{\"status\":504}");
    }

    @ParameterizedTest
    @EnumSource
    void anErrorWithANumberAsItsCodeIsTheServersRefusal(Way how) throws Exception {
        attach(how, "raw");
        assertThat(told("{" + FRAME + ",\"error\":{\"code\":-32000,\"message\":\"closed\"}}"))
                .isEqualTo("Error (mcp_error): server shop refused the call (-32000): closed");
        assertThat(told("{" + FRAME + ",\"error\":{\"code\":1e400}}")).contains("mcp_error");
        assertThat(told("{" + FRAME + ",\"error\":null," + PAID + "}")).isEqualTo("paid");
        assertThat(told("\uFEFF{" + FRAME + "," + PAID + "}")).as("behind a byte order mark")
                .isEqualTo("paid");
    }

    @Test
    void aRefusalByHttpMayNameNoRequestButNoOther() throws Exception {
        attach(Way.BODY);
        String refusal = "\"error\":{\"code\":-32700,\"message\":\"what?\"}}";
        assertThat(told("{\"jsonrpc\":\"2.0\",\"id\":null," + refusal)).contains("mcp_error");
        isUnanswered(told("{\"jsonrpc\":\"2.0\",\"id\":99999," + refusal), "of another request");
        isUnanswered(told("{" + refusal), "of no server of the protocol");
    }

    @ParameterizedTest
    @EnumSource(names = {"PROGRAM", "EVENTS"})
    void aReplyToNoRequestOrToAnotherIsNeverTheAnswer(Way how) throws Exception {
        attach(how, "raw");
        for (String stray : STRAYS) {
            assertThat(told(stray, LATE)).as(stray).isEqualTo("late");
        }
        assertThat(told("[" + STRAYS.getFirst() + "," + LATE + "]")).isEqualTo("late");
    }

    @Test
    void aBodyThatRepliesToNoRequestOrToAnotherIsNoAnswer() throws Exception {
        attach(Way.BODY);
        for (String stray : STRAYS) {
            isUnanswered(told(stray), stray);
        }
        assertThat(told("[" + STRAYS.getFirst() + "," + LATE + "]")).isEqualTo("late");
    }

    /** Texts of servers are cut after 200 and after 2,000 characters, which may be inside a secret. */
    @ParameterizedTest
    @EnumSource
    void noTextOfAServerShowsASecretOrAPartOfIt(Way how) throws Exception {
        attach(how, "raw");
        assertThat(told("{" + FRAME + "," + PAID.replace("paid", "by " + SECRET + " in production") + "}"))
                .isEqualTo("by (secret not shown) in production");
        assertThat(told("{" + FRAME + ","
                + PAID.replace("paid", SECRET.replace("/", "\\/").replace("s", "\\u0073")) + "}"))
                .isEqualTo("(secret not shown)");
        for (int before : List.of(0, 140, 150, 190, 1_985, 1_990, 1_999)) {
            String text = "x".repeat(before) + " " + SECRET;
            for (String said : List.of("{" + FRAME + ",\"error\":{\"code\":1,\"message\":\"" + text + "\"}}",
                    "{" + FRAME + ",\"error\":\"" + text + "\"}",
                    "{" + FRAME + ",\"error\":[\"" + text + "\"]}",
                    "{" + FRAME + "," + SECRET + ",\"" + text + "\"}", "{" + FRAME + ",\"" + text)) {
                assertThat(told(said)).as(said).startsWith("Error (mcp_").doesNotContain("sk-v");
            }
        }
        assertThat(String.valueOf(servers.list())).contains("shop").doesNotContain("sk-v");
    }

    @Test
    void theStandardErrorOfAProgramShowsNoSecretOrAPartOfIt() throws Exception {
        for (int after : List.of(0, 2_030, 2_035, 2_040, 2_045)) {
            servers.attach(McpServer.program("shop", ScriptedServer.command("tells-key=" + after))
                    .variable("SHOP_KEY", SECRET));
            assertThat(servers.await(Duration.ofSeconds(30))).isFalse();
            assertThat(servers.list().getFirst().problem()).contains("it said last: ")
                    .doesNotContain("sk-v", "secret/123", "t/123", "/123");
            servers.detach("shop");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTextThatWasCutInsideACharacterLosesThatCharacterAlone(Way how) throws Exception {
        attach(how, "raw");
        assertThat(told("{" + FRAME + ","
                + PAID.replace("paid", "paid \\ud83d\\\\ud83d \\uD83D\\uDE00 \\udE00") + "}"))
                .isEqualTo("paid \uFFFD\\ud83d \uD83D\uDE00 \uFFFD");
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatCannotBeReadEndsItsCallAtOnceAndIsToldInTheStatus(Way how) throws Exception {
        attach(how, "raw");
        for (String broken : List.of("{" + FRAME + ",\"result\":{\"content\":[NaN]}}",
                "{\"result\":{\"content\":[NaN]}," + FRAME + "}", "{" + FRAME + "," + PAID.substring(0, 40),
                "{\"id\":$ID,\"result\":{\"a\":1,\"a\":2}}",
                "{" + FRAME + ",\"result\":" + "[".repeat(600) + "]".repeat(600) + "}",
                "{\"result\":" + "{\"a\":".repeat(600) + "1" + "}".repeat(600) + "," + FRAME + "}",
                "{\"result\":{\"a\":\"he said \"no\"},\"id\":$ID,\"jsonrpc\":\"2.0\"}")) {
            isUnanswered(told(broken), broken);
        }
        assertThat(servers.list().getFirst().state()).isEqualTo(McpStatus.State.READY);
        assertThat(servers.list().getFirst().problem()).contains("server shop");
        assertThat(told(LATE)).isEqualTo("late");
    }

    /** Threads of a program that write at once mix their lines. */
    @Test
    void repliesThatRanIntoEachOtherEndTheirCallsAtOnce() throws Exception {
        attach(Way.PROGRAM, "raw");
        var other = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(() -> other
                        .complete(ToolCaller.of(servers.tools()).call("mcp__shop__slow", "{}").text()));
        String both = "{" + FRAME + "," + PAID + "}{\"jsonrpc\":\"2.0\",\"id\":$SLOW," + PAID + "}";
        while (!other.isDone()) { // the slow call may not have come yet
            isUnanswered(told(both), both);
        }
        isUnanswered(other.join(), both);
    }

    @Test
    void aNameThatWasCutInsideACharacterCostsNoOtherTool() throws Exception {
        attach(Way.PROGRAM, "half");
        assertThat(servers.list().getFirst().tools()).contains("mcp__shop__echo")
                .anyMatch(name -> name.startsWith("mcp__shop__half"));
    }

    @Test
    void aListThatCannotBeReadIsToldInTheStatus() throws Exception {
        servers.attach(McpServer.program("shop", ScriptedServer.command("broken-list")));
        assertThat(servers.await(Duration.ofSeconds(20))).isFalse();
        assertThat(servers.list().getFirst().problem()).contains("cannot be read", "NaN");
    }

    @ParameterizedTest
    @EnumSource
    void noGarbageIsEverASuccess(Way how) throws Exception {
        attach(how, "raw");
        for (long seed = 0; seed < Integer.getInteger("belay.fuzz", 400); seed++) {
            var random = new Random(seed);
            List<String> lines = new ArrayList<>();
            for (int i = random.nextInt(3); how != Way.BODY && i > 0; i--) {
                lines.add(STRAYS.get(random.nextInt(STRAYS.size())));
            }
            boolean named = random.nextInt(4) > 0;
            lines.add(named ? spoiled(random) : cut(random));
            if (how != Way.BODY) {
                lines.add(LATE); // a call whose reply cannot be told from others ends by it
            }
            String told = told(lines.toArray(String[]::new));
            if (named || how == Way.BODY || !told.equals("late")) {
                isUnanswered(told, how + ", seed " + seed + ": " + lines);
            }
        }
    }

    /** A reply that is no answer, with a frame that says whose it is. */
    private static String spoiled(Random random) {
        String body = random.nextBoolean() ? GARBAGE.get(random.nextInt(GARBAGE.size())) : broken(random);
        return random.nextBoolean() ? "{" + FRAME + "," + body + "}" : "{" + body + "," + FRAME + "}";
    }

    /** A result that is no JSON: without one of its signs, or with one too many. */
    private static String broken(Random random) {
        int at;
        do {
            at = random.nextInt(PAID.length());
        } while ("{}[]\":,".indexOf(PAID.charAt(at)) < 0);
        String sign = List.of("", "\"\"", "\u0001", "\\x", "NaN").get(random.nextInt(5));
        return PAID.substring(0, at) + sign + PAID.substring(at + 1);
    }

    private static String cut(Random random) {
        String whole = random.nextBoolean() ? "{" + FRAME + "," + PAID + "}" : "{" + PAID + "," + FRAME + "}";
        return whole.substring(0, 1 + random.nextInt(whole.length() - 1));
    }
}
