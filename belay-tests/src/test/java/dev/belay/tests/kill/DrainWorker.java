package dev.belay.tests.kill;

import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.Health;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The process that is stopped by {@code SIGTERM}. It runs whatever turns it finds: a turn {@code Pay.} calls a {@code ONCE} tool whose body
 * takes some milliseconds, a turn {@code Hold.} one whose body ends only when the runtime drains.
 */
final class DrainWorker {

    private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(5);

    private DrainWorker() {}

    public static void main(String[] args) throws Exception {
        run(args, true);
    }

    /** The same process without a shutdown hook. */
    static final class Bare {

        private Bare() {}

        public static void main(String[] args) throws Exception {
            run(args, false);
        }
    }

    private static void run(String[] args, boolean closesOnShutdown) throws Exception {
        ParentWatch.begin();
        var ledger = new Ledger.Client(Integer.parseInt(args[1]));
        var running = new AtomicReference<@Nullable Belay>();
        Belay belay = Belay.builder()
                .model(model())
                .tools(tools(ledger, running))
                .store(JdbcStore.sqlite(Path.of(args[0])))
                .start(false)
                .build();
        if (closesOnShutdown) {
            belay.closeOnShutdown();
        }
        running.set(belay);
        belay.start();
        System.out.println("ready");
        Thread.currentThread().join();
    }

    /** Calls the tool of its input once, and says what it read. */
    static Model model() {
        return SessionBench.model(request -> SessionBench.roundsSinceUser(request) == 0
                ? SessionBench.calls(List.of(SessionBench.call("a", tool(request))))
                : SessionBench.text("done: " + SessionBench.lastReplies(request)));
    }

    private static String tool(ModelRequest request) {
        return ((UserMessage) request.messages().getLast()).text().equals("Hold.") ? "hold" : "pay";
    }

    static ToolProvider tools(Ledger.Client ledger, AtomicReference<@Nullable Belay> running) {
        return StaticToolProvider.builder()
                .raw(once("pay"), (in, context) -> {
                    try (var talk = ledger.talk()) {
                        talk.say("began " + context.idempotencyKey().value());
                        LockSupport.parkNanos(A_WHILE);
                        talk.say("done " + context.idempotencyKey().value());
                        return "paid";
                    }
                })
                .raw(once("hold"), (in, context) -> {
                    try (var talk = ledger.talk()) {
                        talk.say("began " + context.idempotencyKey().value());
                        Belay belay = running.get();
                        while (belay == null || belay.health().life() != Health.Life.DRAINING) {
                            LockSupport.parkNanos(A_WHILE);
                        }
                        talk.say("done " + context.idempotencyKey().value());
                        return "held";
                    }
                })
                .build();
    }

    private static ToolDefinition once(String name) {
        return ToolDefinition.raw(name, "Does " + name + ".", Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.ONCE);
    }
}
