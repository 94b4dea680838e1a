package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} for real. A worker runs batches on SQLite and is killed at random moments; the ledger in this process saw every
 * body. {@code -Dbelay.kills=200} kills more often, {@code -Dbelay.kill.seed=…} repeats the moments as far as moments can be.
 */
class KillTest {

    private static final int KILLS = Integer.getInteger("belay.kills", 20);
    /** Of the usual build. */
    private static final int FEW = 3;

    @TempDir
    Path directory;

    /** Calls that a resolution was accepted for: each of them ends with exactly that. */
    private final Set<String> settled = new HashSet<>();
    private final Set<String> tried = new HashSet<>();
    /** Calls that a killed worker has left started and without an end: no other one may be in doubt. */
    private final Set<String> leftOpen = new HashSet<>();

    @Test
    @Timeout(300)
    void aWorkerThatIsKilledLosesNothingAndRepeatsNothing() throws Exception {
        killed(FEW);
    }

    @Test
    @Tag("deep")
    @Timeout(1800)
    void aWorkerThatIsKilledAgainAndAgainLosesNothingAndRepeatsNothing() throws Exception {
        killed(KILLS);
    }

    private void killed(int kills) throws Exception {
        long seed = Long.getLong("belay.kill.seed", System.nanoTime());
        var random = new Random(seed);
        try (var ledger = new Ledger()) {
            for (int kill = 0; kill < kills; kill++) {
                try (var worker = worker(ledger)) {
                    worker.tell("go " + (kill * 1_000_000));
                    int until = 30 + random.nextInt(300);
                    for (int event = 0; event < until; event++) {
                        resolve(ledger, worker, random.nextInt(3));
                        ledger.awaitEvent();
                    }
                    worker.kill();
                }
                lookAtWhatItLeft(ledger);
            }
            check(kills, ledger, finish(ledger), "seed " + seed);
        }
    }

    private void lookAtWhatItLeft(Ledger ledger) {
        try (var store = new StoreDriver(JdbcStore.sqlite(directory.resolve("journal.db")))) {
            for (String batch : ledger.accepted()) {
                for (EffectRow row : store.effects(new ScopeId(batch))) {
                    if (row.status() == EffectRow.Status.STARTED && row.effect() == ToolEffect.ONCE
                            && row.key().startsWith("call/")) {
                        leftOpen.add(KillBatch.key(batch, Integer.parseInt(row.key().split("/", -1)[1])));
                    }
                }
            }
        }
    }

    private void resolve(Ledger ledger, WorkerProcess worker, int most) throws IOException {
        int left = most;
        for (var entry : ledger.keys().entrySet()) {
            if (left > 0 && !tried.contains(entry.getKey())) {
                left--;
                worker.tell("resolve " + entry.getValue() + " value-of-" + entry.getKey());
                String delivery = worker.hear();
                assertThat(delivery).isIn("Accepted", "Lost");
                tried.add(entry.getKey());
                if (delivery.equals("Accepted")) {
                    settled.add(entry.getKey());
                }
            }
        }
    }

    /** One more worker, which is not killed: settles what waits, until every batch has ended. */
    private Map<String, List<ToolOutcome>> finish(Ledger ledger) throws Exception {
        Map<String, List<ToolOutcome>> ends = new HashMap<>();
        try (var worker = worker(ledger)) {
            for (String batch : ledger.accepted()) {
                String said;
                do {
                    resolve(ledger, worker, Integer.MAX_VALUE);
                    worker.tell("end? " + batch);
                    said = worker.hear();
                } while (said.equals("open"));
                ends.put(batch, Json.of(said).items().stream().map(OutcomeJson::outcome).toList());
            }
            worker.tell("doubts");
            assertThat(Json.of(worker.hear()).items()).extracting(Json::asString)
                    .as("what was accepted for a key is never thrown away")
                    .doesNotContainAnyElementsOf(settled);
            worker.tell("quit");
            assertThat(worker.exit()).isZero();
        }
        return ends;
    }

    private void check(int kills, Ledger ledger, Map<String, List<ToolOutcome>> ends, String seed) {
        assertThat(ends).as("%s: batches", seed).hasSizeGreaterThan(kills);
        assertThat(ledger.overlaps()).as("%s: bodies with one resource that overlapped", seed).isEmpty();
        int doubts = 0;
        for (var end : ends.entrySet()) {
            assertThat(end.getValue()).as("%s: outcomes of %s", seed, end.getKey())
                    .hasSize(KillBatch.TOOLS.size());
            for (int i = 0; i < KillBatch.TOOLS.size(); i++) {
                doubts += checkCall(ledger, KillBatch.TOOLS.get(i), KillBatch.key(end.getKey(), i),
                        end.getValue().get(i),
                        seed);
            }
        }
        for (var began : ledger.began().entrySet()) {
            if (isOnce(began.getKey())) {
                assertThat(began.getValue()).as("%s: runs of %s, which is ONCE", seed, began.getKey())
                        .isEqualTo(1);
            }
        }
        System.out.printf("%d kills, %d batches, %d bodies, %d calls in doubt, %s%n", kills, ends.size(),
                ledger.began().values().stream().mapToInt(Integer::intValue).sum(), doubts, seed);
    }

    /** An outcome is what the ledger gave, or doubt about something that may not be repeated. */
    private int checkCall(Ledger ledger, String tool, String key, ToolOutcome outcome, String seed) {
        String what = seed + ": " + tool + " " + key;
        if (outcome.code().filter("in_doubt"::equals).isPresent()) {
            assertThat(tool).as(what + " is in doubt").isIn("pay", "ask", "lock", "steps", "charge");
            assertThat(leftOpen).as(what + " is in doubt, so it was started").contains(key);
            return 1;
        }
        if (outcome.code().filter("doubt_unsettled"::equals).isPresent()) {
            assertThat(tool).as(what + " is held up by a doubt").isEqualTo("lock");
            assertThat(ledger.began()).as(what).doesNotContainKey(key);
            return 0;
        }
        String expected = tool.equals("steps")
                ? "value-of-" + key + "-READ,value-of-" + key + "-IDEMPOTENT,value-of-" + key + "-ONCE"
                : "value-of-" + key;
        assertThat(outcome).as(what).isEqualTo(new ToolOutcome.Success(Json.string(expected)));
        if (tool.equals("pay") || tool.equals("lock") || tool.equals("charge")) {
            assertThat(ledger.done()).as(what + " succeeded, so its body ended").containsEntry(key, 1);
        }
        return 0;
    }

    private static boolean isOnce(String key) {
        if (key.endsWith("-ONCE")) {
            return true;
        }
        if (key.contains("-")) {
            return false;
        }
        String tool = KillBatch.TOOLS.get(Integer.parseInt(key.substring(key.indexOf('.') + 1)));
        return List.of("pay", "ask", "lock", "charge").contains(tool);
    }

    private WorkerProcess worker(Ledger ledger) throws IOException {
        return new WorkerProcess(KillWorker.class, directory.resolve("journal.db"), ledger.port());
    }
}
