package dev.belay.examples.mcp;

import dev.belay.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two small MCP servers, each a program: {@code office} has 500 tools, {@code bank FILE} keeps its books in a file. */
final class ExampleServer {

    private static final List<String> THINGS = List.of("lamp", "door", "heater", "printer", "camera");
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private ExampleServer() {}

    public static void main(String[] args) throws IOException {
        boolean bank = args[0].equals("bank");
        String tools = bank ? bankTools() : officeTools();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Json message = Json.of(line);
            String id = message.get("id").map(Json::text).orElse(null);
            if (id == null) {
                continue;
            }
            switch (message.get("method").orElseThrow().asString()) {
                case "server/discover" -> reply(id,
                        "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}");
                case "tools/list" -> reply(id, "{\"tools\":[" + tools + "]}");
                case "tools/call" -> {
                    String tool = message.at("/params/name").orElseThrow().asString();
                    Json arguments = message.at("/params/arguments").orElse(Json.EMPTY_OBJECT);
                    text(id, bank ? bank(tool, arguments, Path.of(args[1])) : tool + " is done");
                }
                default -> OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + id
                        + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
            }
        }
    }

    private static String officeTools() {
        List<String> tools = new ArrayList<>();
        for (int room = 1; room <= 100; room++) {
            for (String thing : THINGS) {
                tools.add(tool("switch_" + thing + "_" + room, "Switches the " + thing + " of room " + room
                        + " on or off."));
            }
        }
        tools.set(250, tool("book_courier", "Orders a courier who picks up a parcel."));
        return String.join(",", tools);
    }

    private static String bankTools() {
        return tool("transfer_money", "Transfers money to an account.") + ","
                + tool("show_bookings", "Shows what was booked.");
    }

    private static String tool(String name, String description) {
        return "{\"name\":\"" + name + "\",\"description\":\"" + description
                + "\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\"}}}}";
    }

    /** The first transfer is booked, and the program dies before it has answered. */
    private static String bank(String tool, Json arguments, Path books) throws IOException {
        if (tool.equals("show_bookings")) {
            return Files.exists(books) ? Files.readString(books) : "nothing was booked";
        }
        Files.writeString(books, "90 euros to " + arguments.get("to").orElseThrow().asString());
        Runtime.getRuntime().halt(137);
        return "";
    }

    private static void text(String id, String text) {
        reply(id, "{\"content\":[{\"type\":\"text\",\"text\":" + Json.string(text).text() + "}]}");
    }

    private static void reply(String id, String result) {
        OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }
}
