package dev.belay.cli.local;

import dev.belay.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An MCP server of 2025-11-25 with one tool, whose description is in the file {@code description}. It leaves a file {@code started}, and
 * answers a call with the length of its variable {@code KEY}, its directory and the roots that it is told. If there is a file
 * {@code question}, it asks the user in the call, and adds what was said.
 */
public final class DeskServer {

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private DeskServer() {}

    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of("started"), "");
        var server = new DeskServer();
        for (String line = server.in.readLine(); line != null; line = server.in.readLine()) {
            server.take(Json.of(line));
        }
    }

    /** The command that starts one, as it stands in a file of settings. */
    public static String command() {
        return Json.array(java.util.stream.Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), DeskServer.class.getName())
                .map(Json::string)
                .toList()).text();
    }

    private void take(Json message) throws IOException {
        String id = message.get("id").map(Json::text).orElse("");
        switch (message.get("method").map(Json::asString).orElse("")) {
            case "initialize" -> reply(id,
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}");
            case "tools/list" -> reply(id, "{\"tools\":[{\"name\":\"greet\",\"description\":"
                    + Json.string(Files.readString(Path.of("description"))).text()
                    + ",\"inputSchema\":{\"type\":\"object\"}}]}");
            case "tools/call" -> {
                out.println("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}");
                String roots = Json.of(in.readLine())
                        .at("/result/roots/0/uri")
                        .map(Json::asString)
                        .orElse("none");
                String said = "";
                if (Files.exists(Path.of("question"))) {
                    out.println(
                            "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":"
                                    + "{\"message\":\"Which shelf?\\u202e\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                                    + "{\"shelf\":{\"type\":\"integer\"}}}}}");
                    said = ", said "
                            + Json.of(in.readLine()).get("result").map(Json::compact).orElse("nothing");
                }
                String key = System.getenv().getOrDefault("KEY", "");
                reply(id, "{\"content\":[{\"type\":\"text\",\"text\":" + Json.string("key of " + key.length()
                        + ", " + System.getenv("LEVEL") + ", in " + Path.of("").toAbsolutePath() + ", roots "
                        + roots + said).text() + "}]}");
            }
            default -> {
                if (!id.isEmpty()) {
                    out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id
                            + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
                }
            }
        }
    }

    private void reply(String id, String result) {
        out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }
}
