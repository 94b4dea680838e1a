package dev.belay.testkit.crash;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;

/** Tools of every kind that the crash kit must understand. */
final class Shop {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");

    private Shop() {}

    private static ToolDefinition tool(String name) {
        return ToolDefinition.raw(name, "Does " + name + ".", ANY);
    }

    static ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(tool("look").effect(ToolEffect.READ), (in, context) -> "seen " + in)
                .raw(tool("put").effect(ToolEffect.IDEMPOTENT),
                        (in, context) -> "put under " + context.idempotencyKey())
                .raw(tool("pay"), (in, context) -> "paid " + in)
                .raw(tool("fail"), (in, context) -> {
                    throw new ToolException("no money");
                })
                .raw(ToolDefinition.raw("book", "Books a room.", Json.of("""
                        {"type":"object","properties":{"room":{"type":"integer"}},"required":["room"]}"""))
                        .exclusive("room:{room}"), (in, context) -> "booked")
                .raw(tool("last").scheduling(Scheduling.SERIAL), (in, context) -> "last")
                .raw(tool("ask"), (in, context) -> {
                    context.completionKey();
                    return ToolResult.pending();
                })
                .raw(tool("trip").resumable(true), (in, context) -> {
                    var steps = context.durable();
                    Json flight = steps.run("flight", in, input -> Json.string("flight for " + input));
                    Json approved = steps.awaitEvent(steps.externalEventKey("approved"));
                    steps.sleep("rest", Duration.ofHours(1));
                    Json hotel = steps.run("hotel", flight, ToolEffect.IDEMPOTENT,
                            input -> Json.string("hotel"));
                    return flight + " " + approved + " " + hotel;
                })
                .build();
    }
}
