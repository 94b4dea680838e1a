package dev.belay.examples.mcp;

import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.tool.ToolEffect;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** An agent with two MCP servers. The model is a script, so that every run is the same. */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    // region run
    static void run(PrintStream out) throws IOException, InterruptedException {
        Path books = Files.createTempDirectory("belay-mcp").resolve("books.txt");
        var model = new ScriptedModel()
                .call("search_tools", "{\"query\":\"order a courier for a parcel\",\"limit\":3}")
                .call("mcp__office__book_courier", "{\"to\":\"Ann\"}")
                .call("search_tools", "{\"query\":\"transfer money\",\"limit\":3}")
                .call("mcp__bank__transfer_money", "{\"to\":\"Ann\"}") // its server dies in this call
                .call("mcp__bank__transfer_money", "{\"to\":\"Ann\"}") // not a second time
                .call("search_tools", "{\"query\":\"show what was booked\",\"limit\":3}")
                .call("mcp__bank__show_bookings", "{}") // the server was started again
                .reply("The courier is ordered, and the money was transferred once.");
        McpServers servers = McpServers.of(
                McpServer.program("office", server("office")),
                McpServer.program("bank", server("bank", books.toString()))
                        .effect("show_bookings", ToolEffect.READ));
        servers.await(Duration.ofSeconds(60));
        try (Belay belay = Belay.builder().model(model).plugin(servers).build()) {
            TurnResult.Ended result = belay.session("order-42")
                    .turn("Send Ann her parcel and her money.")
                    .run()
                    .ended();
            model.requests().forEach(request -> tell(out, request));
            out.println("answer: " + result.text());
            for (Doubt doubt : belay.doubts().open(0, 10)) {
                out.println("doubt: " + doubt.about().call().name() + " "
                        + doubt.about().call().arguments().text());
                out.println("operator: it is in the books, so it happened: " + belay.doubts()
                        .as(new Actor("on-call", "example"))
                        .happened(doubt.id(), Json.string("transferred"), "seen in the books"));
            }
        } finally {
            Files.deleteIfExists(books);
            Files.deleteIfExists(books.getParent());
        }
    }
    // endregion

    private static void tell(PrintStream out, ModelRequest request) {
        Message last = request.messages().getLast();
        String read = last instanceof Message.ToolMessage replies
                ? replies.replies().getFirst().text().lines().findFirst().orElse("")
                : "the task";
        out.println(request.tools().size() + " of 502 tools offered; the model reads: " + read);
    }

    private static String[] server(String... arguments) {
        String[] command = {Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), ExampleServer.class.getName()};
        String[] all = java.util.Arrays.copyOf(command, command.length + arguments.length);
        System.arraycopy(arguments, 0, all, command.length, arguments.length);
        return all;
    }
}
