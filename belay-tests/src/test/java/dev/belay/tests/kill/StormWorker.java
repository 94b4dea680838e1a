package dev.belay.tests.kill;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.store.TestServer;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A process with many sessions that is killed. Its turns call tools of each kind, wait for keys, child sessions and processes.
 * {@code go FROM} says things without end, numbered from there, to sessions in turn; {@code resolve KEY TOKEN} settles a call that
 * waits; {@code end? INPUT} prints the turn it was committed in, or {@code open}; {@code messages SESSION} prints the conversation;
 * {@code quit} prints how many turns are stuck, and closes.
 */
final class StormWorker {

    static final int SESSIONS = 12;
    static final List<String> TOOLS = List.of("look", "put", "pay", "ask", "delegate", "start");

    /** What a child session is told begins so. */
    private static final String HELP = "help ";
    /** What the runtime tells a session about a process begins so. */
    private static final String NOTE = "Note (";
    private static final int AT_ONCE = 8;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

    private final Ledger.Client ledger;
    private final Belay belay;
    private final Semaphore room = new Semaphore(AT_ONCE);

    private StormWorker(Ledger.Client ledger, Store store) {
        this.ledger = ledger;
        belay = Belay.builder()
                .model(new Asking())
                .tools(tools())
                .process("step", (context, key) -> context.durable()
                        .run("work", key, ToolEffect.IDEMPOTENT,
                                recorded -> Json.string(work(recorded.asString()))))
                .store(store)
                .parkAfter(Duration.ZERO)
                .build();
    }

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        Store store = args[0].startsWith("jdbc:")
                ? TestServer.open(args[0])
                : JdbcStore.sqlite(Path.of(args[0]));
        var worker = new StormWorker(new Ledger.Client(Integer.parseInt(args[1])), store);
        System.out.println("ready");
        worker.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void obey(BufferedReader commands) throws IOException {
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "go" -> Thread.ofVirtual().start(() -> load(Integer.parseInt(words[1])));
                case "end?" -> System.out.println(ended(words[1]));
                case "messages" -> System.out.println(Json.array(
                        belay.session(words[1]).messages().stream().map(MessageJson::of).toList()).text());
                case "resolve" -> Thread.ofVirtual().start(() -> resolve(words[1], words[2]));
                case "quit" -> {
                    System.out.println(belay.stuck().size());
                    belay.close();
                    return;
                }
                default -> throw new IllegalStateException(line);
            }
        }
        Runtime.getRuntime().halt(1); // the test is gone
    }

    private Session session(String input) {
        return belay.session("s" + Integer.parseInt(input.substring(1)) % SESSIONS);
    }

    /** A turn that was killed five times in a row before it wrote anything is stuck, and this operator lets it go on. */
    private String ended(String input) {
        retryAll();
        return session(input).input(input)
                .flatMap(InputHandle::result)
                .map(result -> result.turn() + " " + result.getClass().getSimpleName())
                .orElse("open");
    }

    private void retryAll() {
        untilTheStoreAnswers(() -> {
            belay.stuck().forEach(belay::retry);
            return true;
        });
    }

    /** Repeats what a client may repeat while the server of the store is down. */
    private static <T> T untilTheStoreAnswers(Supplier<T> work) {
        while (true) {
            try {
                return work.get();
            } catch (BelayException e) {
                if (!e.retryable()) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    private void load(int from) {
        for (int number = from;; number++) {
            String input = "i" + number;
            room.acquireUninterruptibly();
            InputHandle handle;
            try (var talk = ledger.talk()) {
                handle = untilTheStoreAnswers(() -> session(input).turn(input).id(input).submit());
                talk.say("accepted " + input);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Thread.ofVirtual().start(() -> {
                try {
                    handle.awaitCommit();
                } catch (InterruptedException | BelayException stopped) {
                    retryAll(); // the process ends, or the turn is stuck
                } finally {
                    room.release();
                }
            });
        }
    }

    private ToolProvider tools() {
        Json schema = Json.of("{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"}},"
                + "\"required\":[\"key\"]}");
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("look", "Looks.", schema).effect(ToolEffect.READ),
                        (in, context) -> work(key(in), context))
                .raw(ToolDefinition.raw("put", "Puts.", schema).effect(ToolEffect.IDEMPOTENT),
                        (in, context) -> {
                            context.attachments().put(kept(key(in)), "text/plain");
                            return work(key(in), context);
                        })
                .raw(ToolDefinition.raw("pay", "Pays.", schema), (in, context) -> work(key(in), context))
                .raw(ToolDefinition.raw("ask", "Asks.", schema).effect(ToolEffect.IDEMPOTENT),
                        (in, context) -> ask(key(in), context.completionKey().token()))
                .raw(ToolDefinition.raw("delegate", "Lets a child pay.", schema)
                        .effect(ToolEffect.IDEMPOTENT)
                        .resumable(true),
                        (in, context) -> ((SessionToolContext) context).sessions()
                                .create("helper")
                                .turn("t", HELP + key(in))
                                .await()
                                .text())
                .raw(ToolDefinition.raw("start", "Waits for a process.", schema)
                        .effect(ToolEffect.IDEMPOTENT)
                        .resumable(true),
                        (in, context) -> ((SessionToolContext) context).processes()
                                .start("p", ProcessStart.body("step", Json.string(key(in))))
                                .awaitEnd()
                                .summary())
                .build();
    }

    /** Another thread answers, as a person would; whether before or after the call is parked is left to chance. */
    private ToolResult<String> ask(String key, String token) throws IOException {
        try (var talk = ledger.talk()) {
            talk.say("waits " + key + " " + token);
        }
        Thread.ofVirtual().start(() -> resolve(key, token));
        return ToolResult.pending();
    }

    private void resolve(String key, String token) {
        untilTheStoreAnswers(() -> belay.resolve(token, Resolution.ok(Json.string("value-of-" + key))));
        try (var talk = ledger.talk()) {
            talk.say("resolved " + key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a call of the tool {@code put} keeps: something of its own, and every other time something large. */
    static byte[] kept(String key) {
        return key.repeat(key.hashCode() % 2 == 0 ? 1 : 10_000).getBytes(StandardCharsets.UTF_8);
    }

    private static String key(Json in) {
        return in.get("key").orElseThrow().asString();
    }

    private String work(String key, ToolContext context) throws IOException {
        return work(key, " " + context.idempotencyKey().value());
    }

    private String work(String key) throws IOException {
        return work(key, "");
    }

    private String work(String key, String idempotencyKey) throws IOException {
        try (var talk = ledger.talk()) {
            talk.say("began " + key + idempotencyKey);
            return talk.say("done " + key);
        }
    }

    /** Calls every tool for each thing that was said since it last spoke, or pays as a child; then says what it was told last. */
    private static final class Asking implements Model {

        @Override
        public String id() {
            return "asking";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            List<Part.AssistantPart> calls = new ArrayList<>();
            for (Message message : request.messages().reversed()) {
                if (message instanceof Message.AssistantMessage) {
                    break;
                }
                if (message instanceof Message.UserMessage said && said.text().startsWith(HELP)) {
                    calls.add(call(said.text().substring(HELP.length()) + ".child", "pay"));
                } else if (message instanceof Message.UserMessage said && !said.text().startsWith(NOTE)) {
                    TOOLS.forEach(tool -> calls.add(call(said.text() + "." + tool, tool)));
                }
            }
            return calls.isEmpty()
                    ? new ModelResponse(Message.assistant(lastReply(request)), FinishReason.STOP,
                            Usage.of(1, 1), "asking", "")
                    : new ModelResponse(new Message.AssistantMessage(calls), FinishReason.TOOL_CALLS,
                            Usage.of(1, 1), "asking", "");
        }

        private static Part.CallPart call(String key, String tool) {
            return new Part.CallPart(key, tool, "{\"key\":\"" + key + "\"}");
        }

        private static String lastReply(ModelRequest request) {
            for (Message message : request.messages().reversed()) {
                if (message instanceof Message.ToolMessage tool) {
                    return tool.replies().getLast().text();
                }
            }
            return "nothing";
        }
    }
}
