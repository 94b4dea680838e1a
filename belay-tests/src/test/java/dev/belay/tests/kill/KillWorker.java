package dev.belay.tests.kill;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.Scheduling;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The process that is killed. Reads commands: {@code go FROM} submits batches without end, numbered from there;
 * {@code resolve TOKEN VALUE} settles a wait; {@code end? BATCH} prints its outcomes, or {@code open}; {@code quit} closes.
 */
final class KillWorker {

    private static final int AT_ONCE = 8;

    private final Ledger.Client ledger;
    private final DurableCalls calls;
    private final Store store;
    private final Semaphore room = new Semaphore(AT_ONCE);

    private KillWorker(Ledger.Client ledger, Path journal) {
        this.ledger = ledger;
        store = JdbcStore.sqlite(journal);
        this.calls = DurableCalls.open(JournalEffectHost.open(store), tools());
        free();
    }

    /** The operator of the shared resource: a call of it that is in doubt would hold up all others. */
    private void free() {
        for (Doubt doubt : new StoreDriver(store).doubts(0, 10_000)) {
            if (doubt.about().resource() != null) {
                new StoreDriver(store)
                        .settle(doubt.id(), Reconciliation.didNotHappen("it was undone"),
                                new AuditEntry.Note(Actor.PROGRAM, "settle", doubt.id(), Json.NULL), false,
                                Instant.now());
            }
        }
    }

    /** The keys of calls that are in doubt. */
    private String doubts() {
        return Json.array(new StoreDriver(store)
                .doubts(0, 100_000)
                .stream()
                .map(doubt -> doubt.about().call().arguments())
                .map(in -> in.kind() == Json.Kind.OBJECT ? in.get("key").orElse(in) : in)
                .toList()).text();
    }

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        var worker = new KillWorker(new Ledger.Client(Integer.parseInt(args[1])), Path.of(args[0]));
        System.out.println("ready");
        worker.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void obey(BufferedReader commands) throws IOException, InterruptedException {
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "go" -> Thread.ofVirtual().start(() -> load(Integer.parseInt(words[1])));
                case "resolve" -> System.out.println(
                        calls.resolve(words[1], Resolution.ok(Json.string(words[2])))
                                .getClass()
                                .getSimpleName());
                case "doubts" -> System.out.println(doubts());
                case "end?" -> System.out.println(ended(words[1]));
                case "quit" -> {
                    calls.close();
                    return;
                }
                default -> throw new IllegalStateException(line);
            }
        }
        Runtime.getRuntime().halt(1); // the test is gone
    }

    /** A batch that was killed five times in a row before it wrote anything is stuck, and this operator lets it go on. */
    private String ended(String batch) throws InterruptedException {
        if (calls.retry(batch).equals(VerbResult.DONE)
                || calls.state(batch).filter(state -> !state.isSettled()).isPresent()) {
            return "open";
        }
        return Json.array(calls.join(batch).orElseThrow().stream().map(OutcomeJson::of).toList()).text();
    }

    private void load(int from) {
        for (int number = from;; number++) {
            String name = "b" + number;
            room.acquireUninterruptibly();
            try (var talk = ledger.talk()) {
                calls.submit(name, KillBatch.calls(name));
                talk.say("accepted " + name);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Thread.ofVirtual().start(() -> {
                try {
                    calls.join(name);
                } catch (InterruptedException | BelayException stopped) {
                    // the process ends, or the batch is stuck: the test asks for it again
                } finally {
                    room.release();
                }
            });
        }
    }

    private ToolProvider tools() {
        Json schema = Json.of("{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"},"
                + "\"resource\":{\"type\":\"string\"}},\"required\":[\"key\",\"resource\"]}");
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("look", "Looks.", schema).effect(ToolEffect.READ),
                        (in, context) -> work(key(in)))
                .raw(ToolDefinition.raw("put", "Puts.", schema).effect(ToolEffect.IDEMPOTENT),
                        (in, context) -> work(key(in)))
                .raw(ToolDefinition.raw("pay", "Pays.", schema), (in, context) -> work(key(in)))
                .raw(ToolDefinition.raw("glance", "Looks in turn.", schema)
                        .effect(ToolEffect.READ)
                        .scheduling(Scheduling.SERIAL), (in, context) -> work(key(in)))
                .raw(ToolDefinition.raw("charge", "Pays in turn.", schema).scheduling(Scheduling.SERIAL),
                        (in, context) -> work(key(in)))
                .raw(ToolDefinition.raw("ask", "Asks and waits.", schema), this::ask)
                .raw(ToolDefinition.raw("lock", "Works alone.", schema).exclusive("r:{resource}"),
                        this::alone)
                .raw(ToolDefinition.raw("steps", "Works in steps.", schema).resumable(true), this::steps)
                .build();
    }

    private static String key(Json in) {
        return in.get("key").orElseThrow().asString();
    }

    private String work(String key) throws IOException {
        try (var talk = ledger.talk()) {
            talk.say("began " + key);
            return talk.say("done " + key);
        }
    }

    private ToolResult<String> ask(Json in, ToolContext context) throws IOException {
        try (var talk = ledger.talk()) {
            talk.say("began " + key(in));
            talk.say("waits " + key(in) + " " + context.completionKey().token());
        }
        return ToolResult.pending();
    }

    private String alone(Json in, ToolContext context) throws IOException {
        String resource = in.get("resource").orElseThrow().asString();
        try (var talk = ledger.talk()) {
            talk.say("holds " + resource + " " + key(in));
            String value = work(key(in));
            talk.say("frees " + resource);
            return value;
        }
    }

    private String steps(Json in, ToolContext context) {
        DurableEffects durable = context.durable();
        List<String> values = new ArrayList<>();
        for (ToolEffect effect : ToolEffect.values()) {
            String key = key(in) + "-" + effect;
            values.add(durable
                    .run(effect.name(), Json.string(key), effect,
                            input -> Json.string(work(input.asString())))
                    .asString());
        }
        return String.join(",", values);
    }
}
