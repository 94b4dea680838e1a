package dev.belay.tests.kill;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Message.UserMessage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that leaves one of everything behind: a parked call, a stuck turn, an open turn, external work, a call that a person has to
 * approve, a doubt, a pause, a body that runs.
 */
final class ClientWorker {

    private ClientWorker() {}

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        var store = new StoreDriver(JdbcStore.sqlite(Path.of(args[0])));
        var tokens = new LinkedBlockingQueue<String>();
        var running = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        Belay belay = Belay.builder()
                .model(SessionBench.model(request -> SessionBench.calls(List.of(SessionBench.call("c",
                        ((UserMessage) request.messages().getLast()).text().toLowerCase(Locale.ROOT))))))
                .tools(StaticToolProvider.builder()
                        .raw(SessionBench.tool("ask", ToolEffect.READ), (arguments, context) -> {
                            tokens.add(context.completionKey().token());
                            return ToolResult
                                    .pending(PendingCompletion.DEFAULT.announcing("waits for a person"));
                        })
                        .raw(SessionBench.tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                            running.countDown();
                            never.await();
                            return ToolResult.ok(Json.NULL);
                        })
                        .raw(SessionBench.tool("refund", ToolEffect.ONCE).approval(Approval.ALWAYS),
                                (arguments, context) -> ToolResult.ok(Json.NULL))
                        .raw(SessionBench.tool("crash", ToolEffect.ONCE), (arguments, context) -> {
                            throw new InternalError("for the test");
                        })
                        .build())
                .parkAfter(Duration.ZERO)
                .store(store.store())
                .build();
        for (String session : List.of("parked", "stuck")) {
            belay.session(session).turn("Ask").submit();
            tokens.take();
            ScopeId scope = parked(store.store(), session);
            if (session.equals("stuck")) {
                store.stop(scope, "for the test", belay.session(session).head().orElseThrow().changedAt());
            }
        }
        belay.session("open").begin("Mine.", "in");
        var process = belay.processes().start(ProcessStart.external("elsewhere", Json.TRUE).id("p"));
        process.tell("k", "began", Json.TRUE);
        belay.session("asked").turn("Refund").submit();
        parked(store.store(), "asked");
        belay.session("doubted").turn("Crash").run();
        belay.pause(Target.tool("print"), "no paper");
        belay.session("running").turn("Pay").submit();
        running.await();
        System.out.println("ready");
        never.await();
    }

    /** Waits until the first turn of a session is parked. */
    private static ScopeId parked(Store store, String session) {
        var scope = TurnScope
                .id(new StoreDriver(store).head(new SessionId(session)).orElseThrow().incarnation(), 1);
        while (new StoreDriver(store).state(scope).orElseThrow().status() != ScopeState.Status.PARKED) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        return scope;
    }
}
