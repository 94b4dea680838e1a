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
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The process with many sessions that is killed. {@code go FROM} says things without end, numbered from there, to sessions in
 * turn; {@code end? INPUT} prints the turn it was committed in, or {@code open}; {@code messages SESSION} prints the conversation;
 * {@code quit} closes.
 */
final class SessionWorker {

    static final int SESSIONS = 12;
    static final List<String> TOOLS = List.of("look", "put", "pay");

    private static final int AT_ONCE = 24;

    private final Ledger.Client ledger;
    private final Belay belay;
    private final Semaphore room = new Semaphore(AT_ONCE);

    private SessionWorker(Ledger.Client ledger, Path file) {
        this.ledger = ledger;
        belay = Belay.builder().model(new Asking()).tools(tools()).store(JdbcStore.sqlite(file)).build();
    }

    public static void main(String[] args) throws Exception {
        var worker = new SessionWorker(new Ledger.Client(Integer.parseInt(args[1])), Path.of(args[0]));
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
                case "quit" -> {
                    belay.close();
                    return;
                }
                default -> throw new IllegalStateException(line);
            }
        }
        Runtime.getRuntime().halt(1); // whoever started this is gone
    }

    private Session session(String input) {
        return belay.session("s" + Integer.parseInt(input.substring(1)) % SESSIONS);
    }

    /** A turn that was killed five times in a row before it wrote anything is stuck, and this operator lets it go on. */
    private String ended(String input) {
        belay.stuck().forEach(belay::retry);
        return session(input).input(input)
                .flatMap(InputHandle::result)
                .map(result -> result.turn() + " " + result.end().getClass().getSimpleName())
                .orElse("open");
    }

    private void load(int from) {
        for (int number = from;; number++) {
            String input = "i" + number;
            room.acquireUninterruptibly();
            InputHandle handle;
            try (var talk = ledger.talk()) {
                handle = session(input).turn(input).id(input).submit();
                talk.say("accepted " + input);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Thread.ofVirtual().start(() -> {
                try {
                    handle.await();
                } catch (InterruptedException | BelayException stopped) {
                    // the process ends, or the turn is stuck: the test asks for it again
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
                        (in, context) -> work(in))
                .raw(ToolDefinition.raw("put", "Puts.", schema).effect(ToolEffect.IDEMPOTENT),
                        (in, context) -> {
                            context.attachments().put(kept(key(in)), "text/plain");
                            return work(in);
                        })
                .raw(ToolDefinition.raw("pay", "Pays.", schema), (in, context) -> work(in))
                .build();
    }

    /** What a call of the tool {@code put} keeps: something of its own, and every other time something large. */
    static byte[] kept(String key) {
        return key.repeat(key.hashCode() % 2 == 0 ? 1 : 10_000).getBytes(StandardCharsets.UTF_8);
    }

    private static String key(Json in) {
        return in.get("key").orElseThrow().asString();
    }

    private String work(Json in) throws IOException {
        String key = key(in);
        try (var talk = ledger.talk()) {
            talk.say("began " + key);
            return talk.say("done " + key);
        }
    }

    /** Calls every tool for each thing that was said since it last spoke, and then says that it is done. */
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
                if (message instanceof Message.UserMessage said) {
                    for (String tool : TOOLS) {
                        calls.add(new Part.CallPart(said.text() + "." + tool, tool,
                                "{\"key\":\"" + said.text() + "." + tool + "\"}"));
                    }
                }
            }
            return calls.isEmpty()
                    ? new ModelResponse(Message.assistant("done"), FinishReason.STOP, Usage.of(1, 1),
                            "asking", "")
                    : new ModelResponse(new Message.AssistantMessage(calls), FinishReason.TOOL_CALLS,
                            Usage.of(1, 1), "asking", "");
        }
    }
}
