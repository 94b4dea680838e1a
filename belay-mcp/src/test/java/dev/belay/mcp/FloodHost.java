package dev.belay.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A program whose server asks 100,000 pings and takes no answer: prints how that ended. Its argument is {@code program} or {@code http}. */
final class FloodHost {

    private static final AtomicInteger REPLIES = new AtomicInteger();

    private FloodHost() {}

    public static void main(String[] args) throws Exception {
        McpServer flood = args[0].equals("http")
                ? McpServer.http("flood", server())
                : McpServer.program("flood", ScriptedServer.command("pings"));
        McpServers servers = McpServers.of(flood);
        while (!String.valueOf(servers.list().getFirst().problem()).contains("dropped")) {
            Thread.onSpinWait();
        }
        System.out.print("dropped, replies " + REPLIES + ", threads " + threads());
        System.exit(0);
    }

    /** How many threads of the client there are, virtual ones too. */
    private static long threads() throws IOException, InterruptedException {
        Path dump = Files.createTempDirectory("threads").resolve("dump");
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        int exit = new ProcessBuilder(jcmd, String.valueOf(ProcessHandle.current().pid()),
                "Thread.dump_to_file",
                "-format=plain", dump.toString()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException(jcmd + " ended with exit code " + exit);
        }
        return Files.readAllLines(dump)
                .stream()
                .filter(line -> line.startsWith("#") && line.contains("\"belay-mcp-"))
                .count();
    }

    private static URI server() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", FloodHost::answer);
        http.start();
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        Json message = exchange.getRequestMethod().equals("POST")
                ? Json.of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                : Json.EMPTY_OBJECT;
        String id = message.get("id").map(Json::text).orElse("");
        switch (message.get("method").map(Json::asString).orElse(exchange.getRequestMethod())) {
            case "GET" -> {
                exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                OutputStream out = exchange.getResponseBody();
                for (int i = 0; i < 100_000; i++) {
                    out.write(("data: {\"jsonrpc\":\"2.0\",\"id\":\"p" + i + "\",\"method\":\"ping\"}\n\n")
                            .getBytes(StandardCharsets.UTF_8));
                }
                out.flush();
            }
            case "server/discover" -> send(exchange, 400, "what?");
            case "initialize" -> send(exchange, 200, "{\"jsonrpc\":\"2.0\",\"id\":" + id
                    + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true}}}}");
            case "tools/list" -> send(exchange, 200,
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"tools\":[]}}");
            case "POST" -> {
                REPLIES.incrementAndGet();
                while (true) {
                    LockSupport.park(); // a reply that is never taken
                }
            }
            default -> send(exchange, 202, "");
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
