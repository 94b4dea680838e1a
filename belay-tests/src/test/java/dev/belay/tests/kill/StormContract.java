package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.Part.ReplyPart;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.tool.context.Attachments;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code kill -9} of processes with many sessions on one store, each replaced as soon as it is dead. The ledger of what really
 * happened is outside of all. {@code -Dbelay.kills=…} kills as often as it says, {@code -Dbelay.kill.seed=…} chooses other moments.
 */
abstract class StormContract {

    /** How often processes are killed. */
    final int kills;
    private final int events;
    /** Inputs of one worker; no worker lives long enough to say more. */
    private static final int APART = 100_000;

    /**
     * A storm.
     *
     * @param usually how often processes are killed in the profile {@code long}
     * @param events fewer events than this come between two kills
     */
    StormContract(int usually, int events) {
        this.events = events;
        kills = Integer.getInteger("belay.kills", Boolean.getBoolean("belay.long") ? usually : 20);
    }

    /** What names the store to a worker. */
    abstract String store();

    /** Opens the store beside workers. */
    abstract Store open();

    /** How many workers run before the n-th kill. */
    abstract int workers(int kill);

    /** Harms what the workers use, before the n-th kill. */
    void disturb(int kill, Random random) throws Exception {}

    /** Looks at the store itself after the last worker has ended. */
    abstract void checkStore() throws Exception;

    @Test
    @Timeout(3600)
    void sessionsThatAreKilledAgainAndAgainSayEverythingOnceAndPayOnce() throws Exception {
        long seed = Long.getLong("belay.kill.seed", 16);
        try (var ledger = new Ledger()) {
            storm(ledger, new Random(seed));
            List<List<Message>> sessions = finish(ledger);
            check(ledger, sessions, "seed " + seed);
            checkKept(sessions, "seed " + seed);
            checkStore();
        }
    }

    private void storm(Ledger ledger, Random random) throws Exception {
        List<WorkerProcess> workers = new ArrayList<>();
        try {
            int started = 0;
            for (int kill = 0; kill < kills; kill++) {
                while (workers.size() < workers(kill)) {
                    workers.add(started(ledger, started++));
                }
                ledger.skip();
                int until = random.nextInt(events);
                for (int event = 0; event < until; event++) {
                    ledger.awaitEvent();
                }
                disturb(kill, random);
                int victim = random.nextInt(workers.size());
                workers.get(victim).kill();
                workers.set(victim, started(ledger, started++));
            }
        } finally {
            workers.forEach(WorkerProcess::close);
        }
    }

    private WorkerProcess started(Ledger ledger, int number) throws IOException {
        WorkerProcess worker = worker(ledger);
        resolveAll(ledger, worker);
        worker.tell("go " + number * APART);
        return worker;
    }

    /** Answers calls whose answer died with a worker. */
    private static void resolveAll(Ledger ledger, WorkerProcess worker) {
        ledger.keys().forEach((key, token) -> worker.tell("resolve " + key + " " + token));
    }

    /** What a call has put that was answered is kept, also when all that can be collected is. */
    private void checkKept(List<List<Message>> sessions, String seed) throws Exception {
        try (var store = new StoreDriver(open())) {
            store.collectEffects(Instant.parse("2200-01-01T00:00:00Z"));
            store.collectOutputs(Instant.parse("2200-01-01T00:00:00Z"));
            for (int session = 0; session < sessions.size(); session++) {
                String keeper = TurnScope
                        .prefix(store.head(new SessionId("s" + session)).orElseThrow().incarnation());
                for (ReplyPart reply : replies(sessions.get(session))) {
                    if (reply.toolName().equals("put")) {
                        byte[] put = StormWorker.kept(reply.callId());
                        var reference = new Attachments.Reference(HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(put)), "text/plain",
                                put.length);
                        assertThat(store.kept(keeper, reference)).as("%s: %s", seed, reply)
                                .hasValueSatisfying(found -> assertThat(found).isEqualTo(put));
                    }
                }
            }
            assertThat(store.inconsistencies(9)).as("%s: what the storm has left", seed).isEmpty();
        }
    }

    private static List<ReplyPart> replies(List<Message> messages) {
        return messages.stream()
                .filter(Message.ToolMessage.class::isInstance)
                .flatMap(message -> ((Message.ToolMessage) message).replies().stream())
                .toList();
    }

    private WorkerProcess worker(Ledger ledger) throws IOException {
        return new WorkerProcess(StormWorker.class, store(), ledger.port());
    }

    /** One more worker, which is not killed: until everything that was accepted is committed. */
    private List<List<Message>> finish(Ledger ledger) throws Exception {
        try (var worker = worker(ledger)) {
            resolveAll(ledger, worker);
            for (String input : new TreeSet<>(ledger.accepted())) {
                String said;
                do {
                    worker.tell("end? " + input);
                    said = worker.hear();
                } while (said.equals("open"));
                assertThat(said).as(input).endsWith(" Finished");
            }
            List<List<Message>> all = new ArrayList<>();
            for (int session = 0; session < StormWorker.SESSIONS; session++) {
                worker.tell("messages s" + session);
                all.add(Json.of(worker.hear()).items().stream().map(MessageJson::message).toList());
            }
            worker.tell("quit");
            assertThat(worker.hear()).as("stuck turns").isEqualTo("0");
            assertThat(worker.exit()).isZero();
            return all;
        }
    }

    private void check(Ledger ledger, List<List<Message>> sessions, String seed) {
        Map<String, Integer> said = new HashMap<>();
        Map<String, String> replies = new HashMap<>();
        for (List<Message> messages : sessions) {
            assertThat(History.problems(messages)).as(seed).isEmpty();
            for (Message message : messages) {
                if (message instanceof Message.UserMessage user && !user.text().startsWith("Note (")) {
                    said.merge(user.text(), 1, Integer::sum);
                } else if (message instanceof Message.ToolMessage tool) {
                    for (ReplyPart reply : tool.replies()) {
                        assertThat(replies.put(reply.callId(), reply.text())).as(seed + " " + reply).isNull();
                    }
                }
            }
        }
        Set<String> accepted = ledger.accepted();
        assertThat(accepted).as(seed).hasSizeGreaterThan(kills / 2);
        assertThat(said.keySet()).as("%s: everything that was accepted was said", seed).containsAll(accepted);
        assertThat(said.values()).as("%s: and once", seed).containsOnly(1);
        int doubts = 0;
        int unbegun = 0;
        for (String input : said.keySet()) {
            for (String tool : StormWorker.TOOLS) {
                String key = input + "." + tool;
                String reply = replies.get(key);
                boolean pays = tool.equals("pay") || tool.equals("delegate");
                boolean doubt = reply != null && reply.startsWith("Error (in_doubt)") && pays;
                doubts += doubt ? 1 : 0;
                unbegun += doubt && !ledger.began().containsKey(tool.equals("pay") ? key : key + ".child")
                        ? 1
                        : 0;
                assertThat(doubt || answer(tool, key).equals(reply))
                        .as("%s: %s was answered %s", seed, key, reply)
                        .isTrue();
            }
        }
        assertThat(unbegun).as("%s: calls in doubt that never began, %d in doubt", seed, doubts)
                .isLessThanOrEqualTo(kills / 2);
        ledger.began().forEach((key, runs) -> {
            if (key.endsWith(".pay") || key.endsWith(".child")) {
                assertThat(runs).as("%s: runs of %s, which is ONCE", seed, key).isEqualTo(1);
            }
        });
        assertThat(ledger.idempotencyKeys()).as("%s: each repetition has the key of its call", seed)
                .isNotEmpty()
                .allSatisfy((key, keys) -> assertThat(keys).hasSize(1));
        System.out.printf("%d kills, %d inputs, %d bodies, %d calls in doubt, %d of which never began, %s%n",
                kills, said.size(),
                ledger.began().values().stream().mapToInt(Integer::intValue).sum(), doubts, unbegun, seed);
    }

    /** What the ledger gave, as the tool tells it. */
    private static String answer(String tool, String key) {
        return switch (tool) {
            case "delegate" -> "value-of-" + key + ".child";
            case "start" -> "completed: value-of-" + key;
            default -> "value-of-" + key;
        };
    }
}
