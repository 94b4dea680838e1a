package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Work of every kind that was under way when a process ended. {@link #main} records it; {@link GoldenTurnsTest} finishes it. After a
 * change of it the recorded files do not fit it any more: they are recorded anew.
 */
final class GoldenWork {

    /** Bodies and steps that ran. */
    final List<String> ran = new CopyOnWriteArrayList<>();
    /** Keys that were handed out, by who waits. */
    final Map<String, String> tokens = new ConcurrentSkipListMap<>();
    final Desk desk = new Desk();
    private final CountDownLatch cut = new CountDownLatch(1);
    private final boolean recording;

    GoldenWork(boolean recording) {
        this.recording = recording;
    }

    Belay open(Path file) {
        return Belay.builder()
                .model(SessionBench.model(this::answer))
                .tools(tools())
                .process("report", (context, input) -> {
                    Json page = context.durable().run("page", input, in -> {
                        ran.add("page " + in.compact());
                        return Json.string("page 1");
                    });
                    context.emit("written", page);
                    return Json.string(page.asString() + ", " + context.awaitSignal("go").asString());
                })
                .parkAfter(Duration.ZERO)
                .store(JdbcStore.sqlite(file))
                .build();
    }

    private StaticToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(SessionBench.tool("look", ToolEffect.READ), (in, context) -> {
                    ran.add("look");
                    return "seen";
                })
                .raw(SessionBench.tool("pay", ToolEffect.ONCE), (in, context) -> {
                    ran.add("pay");
                    return "paid";
                })
                .raw(SessionBench.tool("approve", ToolEffect.IDEMPOTENT), (in, context) -> {
                    ran.add("approve");
                    tokens.put(session(context), context.completionKey().token());
                    return ToolResult.pending();
                })
                .raw(SessionBench.tool("ship", ToolEffect.IDEMPOTENT).resumable(true), (in, context) -> {
                    Json label = context.durable().run("label", Json.string("order"), order -> {
                        ran.add("label");
                        return Json.string("L1");
                    });
                    var picked = context.durable().externalEventKey("picked");
                    tokens.put(session(context), picked.token());
                    return "shipped " + label.asString() + " "
                            + context.durable().awaitEvent(picked).asString();
                })
                .raw(SessionBench.tool("delegate", ToolEffect.IDEMPOTENT).resumable(true),
                        (in, context) -> ((SessionToolContext) context).sessions()
                                .create("helper")
                                .turn("t", "approve")
                                .await()
                                .text())
                .build();
    }

    private static String session(ToolContext context) {
        String id = ((SessionToolContext) context).sessions().current().value();
        return id.startsWith("child-") ? "child" : id;
    }

    /** A user names tools; the model calls them all and then says what it read. */
    private ModelResponse answer(ModelRequest request) {
        int done = SessionBench.roundsSinceUser(request);
        String said = ((UserMessage) request.messages()
                .reversed()
                .stream()
                .filter(UserMessage.class::isInstance)
                .findFirst()
                .orElseThrow()).text();
        if (said.equals("desk")) {
            return done == 0
                    ? calls(List.of(Desk.LOOK, Desk.PAY, Desk.ASK))
                    : text(SessionBench.lastReplies(request));
        }
        if (said.endsWith("cut") && done == 1 && recording) {
            cut.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            throw new ModelException(ModelException.Kind.INTERRUPTED, "cut");
        }
        List<CallPart> calls = List.of(said.split(" "))
                .stream()
                .filter(word -> !word.equals("cut"))
                .map(tool -> new CallPart("c-" + tool, tool, "{}"))
                .toList();
        return done == 0 ? calls(calls) : text(SessionBench.lastReplies(request));
    }

    /** Starts everything, and returns when all of it waits or is cut. */
    private void begin(Belay belay) throws InterruptedException {
        var unused = belay.session("order 1").turn("look").id("first").run();
        belay.session("order 1").turn("look pay approve").id("in").submit();
        belay.session("order 2").turn("ship").id("in").submit();
        belay.session("order 3").turn("delegate").id("in").submit();
        belay.session("order 4").turn("look cut").id("in").submit();
        try (OpenTurn turn = belay.session("order 5").begin("desk", "in", "desk")) {
            desk.loop(turn);
        }
        belay.processes().start(ProcessStart.body("report", Json.string("monthly")).id("report"));
        cut.await();
        while (tokens.size() < 3 || belay.processes()
                .get("report")
                .info()
                .status() != ProcessStatus.WAITING) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        tokens.put("order 5", desk.tokens.take());
    }

    /** Records it: a file of SQLite, which {@code build/dump-golden} writes as SQL, and the keys beside it. */
    public static void main(String[] args) throws Exception {
        var work = new GoldenWork(true);
        Path file = Path.of(args[0]);
        try (Belay belay = work.open(file)) {
            work.begin(belay);
        }
        Files.write(Path.of(args[0] + ".keys"),
                new TreeMap<>(work.tokens).entrySet()
                        .stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .toList());
    }
}
