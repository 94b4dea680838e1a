package dev.belay.tests.kill;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessContext;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.Recovery;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.ToolEffect;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The process with many processes in it that is killed. {@code go FROM} starts some without end, numbered from there, and sends
 * each its signal; {@code end? ID} prints how it ended and what it told, or {@code open}; {@code notes} prints what the session
 * was told; {@code quit} closes.
 */
final class ProcessWorker {

    private static final int AT_ONCE = 16;
    private static final Duration SOON = Duration.ofMillis(20);

    private final Ledger.Client ledger;
    private final Belay belay;
    private final Semaphore room = new Semaphore(AT_ONCE);

    private ProcessWorker(Ledger.Client ledger, Path file) {
        this.ledger = ledger;
        ProcessBody rerun = (context, input) -> rerun(context, input.asString());
        ProcessBody never = (context, input) -> Json.string(work(input.asString() + ".never"));
        belay = Belay.builder()
                .model(new Quiet())
                .process("rerun", rerun)
                .process("never", never)
                .parkAfter(SOON)
                .store(JdbcStore.sqlite(file))
                .build();
    }

    private Json rerun(ProcessContext context, String id) {
        context.emit("began", Json.string(id));
        Json put = context.durable()
                .run("put", Json.string(id), ToolEffect.IDEMPOTENT, in -> Json.string(work(id + ".put")));
        context.emit("put", put);
        Json go = context.awaitSignal("go");
        context.emit("went", go);
        return Json.array(List.of(put, go));
    }

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        var worker = new ProcessWorker(new Ledger.Client(Integer.parseInt(args[1])), Path.of(args[0]));
        System.out.println("ready");
        worker.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void obey(BufferedReader commands) throws Exception {
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "go" -> Thread.ofVirtual().start(() -> load(Integer.parseInt(words[1])));
                case "end?" -> System.out.println(ended(words[1]));
                case "notes" -> {
                    askUntilNothingIsNew();
                    System.out.println(Json.array(belay.session("s")
                            .messages()
                            .stream()
                            .filter(Message.UserMessage.class::isInstance)
                            .map(message -> Json.string(((Message.UserMessage) message).text()))
                            .toList()).text());
                }
                case "quit" -> {
                    belay.close();
                    return;
                }
                default -> throw new IllegalStateException(line);
            }
        }
        Runtime.getRuntime().halt(1); // the test is gone
    }

    /** Notes come fifty at a time; a turn without one adds the question and the answer alone. */
    private void askUntilNothingIsNew() throws InterruptedException {
        for (int i = 0;; i++) {
            int before = belay.session("s").messages().size();
            belay.session("s").turn("What is new?").id("ask" + i).run();
            if (belay.session("s").messages().size() - before <= 2) {
                return;
            }
        }
    }

    /** One that was killed five times in a row before it wrote anything is stuck, and this operator lets it go on. */
    private String ended(String id) {
        belay.processes().stuck().stream().map(ProcessInfo::id).forEach(belay.processes()::retry);
        DurableProcess process = belay.processes().get(id);
        ProcessEnd end = process.end().orElse(null);
        if (end == null) {
            try {
                signal(process);
            } catch (BelayException ended) {
                if (!ended.code().equals("process_ended")) { // meanwhile, by the signal that was sent before
                    throw ended;
                }
            }
            return "open";
        }
        return end.summary() + " | " + String.join(" ",
                process.events(0, 99).stream().map(event -> event.type()).toList());
    }

    private static void signal(DurableProcess process) {
        if (process.id().value().startsWith("r")) {
            process.signal("go", Json.string("went"), "the only one");
        }
    }

    private void load(int from) {
        for (int number = from;; number++) {
            String id = (number % 2 == 0 ? "r" : "n") + number;
            room.acquireUninterruptibly();
            DurableProcess process;
            try (var talk = ledger.talk()) {
                process = belay.processes().start(start(id));
                talk.say("accepted " + id);
                signal(process);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Thread.ofVirtual().start(() -> {
                try {
                    process.awaitEnd();
                } catch (InterruptedException | RuntimeException stopped) {
                    // the test asks for it again
                } finally {
                    room.release();
                }
            });
        }
    }

    private static ProcessStart start(String id) {
        ProcessStart start = id.startsWith("r")
                ? ProcessStart.body("rerun", Json.string(id))
                : ProcessStart.body("never", Json.string(id)).recovery(Recovery.NEVER);
        return start.id(id).grantTo("s");
    }

    private String work(String key) throws IOException {
        try (var talk = ledger.talk()) {
            talk.say("began " + key);
            return talk.say("done " + key);
        }
    }

    private static final class Quiet implements Model {

        @Override
        public String id() {
            return "quiet";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return new ModelResponse(Message.assistant("thanks"), FinishReason.STOP, Usage.of(1, 1), "quiet",
                    "");
        }
    }
}
