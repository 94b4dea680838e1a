package dev.belay.cli.demo;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The process that works, and is killed twice. Its argument is the directory of the demo. It prints what happens as lines of JSON, and
 * ends when its standard input does.
 */
public final class DemoWorker {

    /** The one session of the demo. */
    static final String SESSION = "order-1";

    private DemoWorker() {}

    /** Works until its input ends. */
    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        var shop = new Shop(new Books(home), DemoWorker::hangAfterBooking);
        try (Belay belay = Belay.builder()
                .model(ShopScript.model())
                .tools(shop.provider())
                .policy(Policy
                        .rules(PolicyRule.ask("payments").tools("pay").reason("payments need a person")))
                .sessions(SESSION)
                .listener((session, event) -> tell(event))
                .store(JdbcStore.sqlite(home.resolve("belay.db")))
                .build()) {
            say("ready", out -> {});
            while (System.in.read() >= 0) {
                // until the demo ends, or its process is gone
            }
            belay.close(Duration.ZERO);
        }
    }

    /** A bank that has booked and does not answer. */
    private static void hangAfterBooking() {
        say("booked", out -> {});
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(TurnEvent event) {
        switch (event) {
            case TurnEvent.Call call -> tell(call.event());
            case TurnEvent.Committed committed ->
                say("answer", out -> out.name("text").value(committed.result().text()));
            default -> {
            }
        }
    }

    private static void tell(CallEvent event) {
        switch (event) {
            case CallEvent.Started(CallReference call) -> call("started", call, "");
            case CallEvent.Parked(CallReference call, String announcement) -> call("parked", call, "");
            case CallEvent.InDoubt(CallReference call, String doubt, boolean held) ->
                call("doubt", call, doubt);
            case CallEvent.Finished(CallReference call, var outcome) ->
                call("finished", call, outcome.text());
            default -> {
            }
        }
    }

    private static void call(String event, CallReference call, String text) {
        say(event, out -> out.name("call")
                .value(call.turn() + "/" + call.round() + "/" + call.index())
                .name("turn")
                .value(call.turn())
                .name("round")
                .value(call.round())
                .name("tool")
                .value(call.tool())
                .name("arguments")
                .value(call.arguments())
                .name("text")
                .value(text));
    }

    private static synchronized void say(String event, Consumer<JsonWriter> fields) {
        System.out.println(Json.write(out -> {
            out.beginObject().name("event").value(event);
            fields.accept(out);
            out.endObject();
        }).text());
    }
}
