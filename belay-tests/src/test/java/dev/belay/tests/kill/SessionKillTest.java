package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.Part.ReplyPart;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.context.Attachments;
import java.io.IOException;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a process with many sessions on SQLite. {@code -Dbelay.kills=200} kills more often,
 * {@code -Dbelay.kill.seed=…} repeats the moments as far as moments can be.
 */
class SessionKillTest {

    private static final int KILLS = Integer.getInteger("belay.kills", 20);

    @TempDir
    Path directory;

    @Test
    @Timeout(1800)
    void sessionsThatAreKilledAgainAndAgainSayEverythingOnceAndPayOnce() throws Exception {
        long seed = Long.getLong("belay.kill.seed", System.nanoTime());
        var random = new Random(seed);
        try (var ledger = new Ledger()) {
            for (int kill = 0; kill < KILLS; kill++) {
                try (var worker = worker(ledger)) {
                    worker.tell("go " + (kill * 1_000_000));
                    int until = 30 + random.nextInt(300);
                    for (int event = 0; event < until; event++) {
                        ledger.awaitEvent();
                    }
                    worker.kill();
                }
            }
            List<List<Message>> sessions = finish(ledger);
            check(ledger, sessions, "seed " + seed);
            checkKept(sessions, "seed " + seed);
        }
    }

    /** What a call has put that was answered is kept, also when all that can be collected is. */
    private void checkKept(List<List<Message>> sessions, String seed) throws Exception {
        try (SessionStore store = JdbcStore.sqlite(directory.resolve("belay.db"))) {
            store.journal().collectEffects(Instant.parse("2200-01-01T00:00:00Z"));
            store.journal().collectOutputs(Instant.parse("2200-01-01T00:00:00Z"));
            for (int session = 0; session < sessions.size(); session++) {
                String keeper = TurnScope
                        .prefix(store.head(new SessionId("s" + session)).orElseThrow().incarnation());
                for (ReplyPart reply : replies(sessions.get(session))) {
                    if (reply.toolName().equals("put")) {
                        byte[] put = SessionWorker.kept(reply.callId());
                        var reference = new Attachments.Reference(HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(put)), "text/plain",
                                put.length);
                        assertThat(store.journal().kept(keeper, reference)).as("%s: %s", seed, reply)
                                .hasValueSatisfying(found -> assertThat(found).isEqualTo(put));
                    }
                }
            }
        }
    }

    private static List<ReplyPart> replies(List<Message> messages) {
        return messages.stream()
                .filter(Message.ToolMessage.class::isInstance)
                .flatMap(message -> ((Message.ToolMessage) message).replies().stream())
                .toList();
    }

    private WorkerProcess worker(Ledger ledger) throws IOException {
        return new WorkerProcess(SessionWorker.class, directory.resolve("belay.db"), ledger.port());
    }

    /** One more worker, which is not killed: until everything that was accepted is committed. */
    private List<List<Message>> finish(Ledger ledger) throws Exception {
        try (var worker = worker(ledger)) {
            for (String input : new TreeSet<>(ledger.accepted())) {
                String said;
                do {
                    worker.tell("end? " + input);
                    said = worker.hear();
                } while (said.equals("open"));
                assertThat(said).as(input).endsWith(" Finished");
            }
            List<List<Message>> all = new ArrayList<>();
            for (int session = 0; session < SessionWorker.SESSIONS; session++) {
                worker.tell("messages s" + session);
                all.add(Json.of(worker.hear()).items().stream().map(MessageJson::message).toList());
            }
            worker.tell("quit");
            assertThat(worker.exit()).isZero();
            return all;
        }
    }

    private static void check(Ledger ledger, List<List<Message>> sessions, String seed) {
        Map<String, Integer> said = new HashMap<>();
        Map<String, String> replies = new HashMap<>();
        for (List<Message> messages : sessions) {
            assertThat(History.problems(messages)).as(seed).isEmpty();
            for (Message message : messages) {
                if (message instanceof Message.UserMessage user) {
                    said.merge(user.text(), 1, Integer::sum);
                } else if (message instanceof Message.ToolMessage tool) {
                    for (ReplyPart reply : tool.replies()) {
                        assertThat(replies.put(reply.callId(), reply.text())).as(seed + " " + reply).isNull();
                    }
                }
            }
        }
        Set<String> accepted = ledger.accepted();
        assertThat(accepted).as(seed).hasSizeGreaterThan(KILLS);
        assertThat(said.keySet()).as("%s: everything that was accepted was said", seed).containsAll(accepted);
        assertThat(said.values()).as("%s: and once", seed).containsOnly(1);
        int doubts = 0;
        for (String input : said.keySet()) {
            for (String tool : SessionWorker.TOOLS) {
                String key = input + "." + tool;
                String reply = replies.get(key);
                boolean doubt = reply != null && reply.startsWith("Error (in_doubt)") && tool.equals("pay");
                doubts += doubt ? 1 : 0;
                assertThat(doubt || ("value-of-" + key).equals(reply))
                        .as("%s: %s was answered %s", seed, key, reply)
                        .isTrue();
            }
        }
        ledger.began().forEach((key, runs) -> {
            if (key.endsWith(".pay")) {
                assertThat(runs).as("%s: runs of %s, which is ONCE", seed, key).isEqualTo(1);
            }
        });
        System.out.printf("%d kills, %d inputs, %d bodies, %d calls in doubt, %s%n", KILLS, said.size(),
                ledger.began().values().stream().mapToInt(Integer::intValue).sum(), doubts, seed);
    }
}
