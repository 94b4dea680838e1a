package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a process with many durable processes on SQLite. {@code -Dbelay.kills=200} kills more often,
 * {@code -Dbelay.kill.seed=…} repeats the moments as far as moments can be.
 */
@Tag("deep")
class ProcessKillTest {

    private static final int KILLS = Integer.getInteger("belay.kills", 6);

    @TempDir
    Path directory;

    /** Processes that a killed worker has left started and without an end: no other one may be abandoned. */
    private final Set<String> leftOpen = new HashSet<>();

    @Test
    @Timeout(1800)
    void processesThatAreKilledAgainAndAgainEndOnceAndTellEverythingOnce() throws Exception {
        long seed = Long.getLong("belay.kill.seed", System.nanoTime());
        var random = new Random(seed);
        try (var ledger = new Ledger()) {
            for (int kill = 0; kill < KILLS; kill++) {
                try (var worker = worker(ledger)) {
                    worker.tell("go " + (kill * 1_000_000));
                    int until = 20 + random.nextInt(150);
                    for (int event = 0; event < until; event++) {
                        ledger.awaitEvent();
                    }
                    worker.kill();
                }
                lookAtWhatItLeft(ledger);
            }
            finish(ledger, "seed " + seed);
        }
    }

    private void lookAtWhatItLeft(Ledger ledger) {
        try (var store = new StoreDriver(JdbcStore.sqlite(directory.resolve("belay.db")))) {
            for (String id : ledger.accepted()) {
                store.effects(new ScopeId("process/" + id))
                        .stream()
                        .filter(row -> row.status() == EffectRow.Status.STARTED)
                        .forEach(row -> leftOpen.add(id));
            }
        }
    }

    private WorkerProcess worker(Ledger ledger) throws IOException {
        return new WorkerProcess(ProcessWorker.class, directory.resolve("belay.db"), ledger.port());
    }

    /** One more worker, which is not killed: until everything that was accepted has ended. */
    private void finish(Ledger ledger, String seed) throws Exception {
        Map<String, String> ends = new TreeMap<>();
        List<String> notes;
        try (var worker = worker(ledger)) {
            for (String id : new TreeSet<>(ledger.accepted())) {
                String said;
                do {
                    worker.tell("end? " + id);
                    said = worker.hear();
                } while (said.equals("open"));
                ends.put(id, said);
            }
            worker.tell("notes");
            notes = Json.of(worker.hear()).items().stream().map(Json::asString).toList();
            worker.tell("quit");
            assertThat(worker.exit()).isZero();
        }
        check(ledger, ends, notes, seed);
    }

    private void check(Ledger ledger, Map<String, String> ends, List<String> notes, String seed) {
        assertThat(ends).as(seed).hasSizeGreaterThan(KILLS);
        Map<String, Integer> told = new HashMap<>();
        notes.forEach(
                note -> told.merge(note.replaceAll("^Note \\(process_ended\\): process (\\w+) .*", "$1"),
                        1, Integer::sum));
        int abandoned = 0;
        for (Map.Entry<String, String> end : ends.entrySet()) {
            String id = end.getKey();
            String said = end.getValue();
            if (id.startsWith("r")) {
                assertThat(said).as("%s %s", seed, id)
                        .isEqualTo("completed: [\"value-of-" + id + ".put\",\"went\"] | began put went");
            } else if (said.startsWith("was abandoned")) {
                abandoned++;
                assertThat(leftOpen).as("%s %s was abandoned, so it was started", seed, id).contains(id);
            } else {
                assertThat(said).as("%s %s", seed, id).isEqualTo("completed: value-of-" + id + ".never | ");
            }
            assertThat(told.get(id)).as("%s: notes of %s", seed, id).isEqualTo(1);
        }
        ledger.began().forEach((key, runs) -> {
            if (key.endsWith(".never")) {
                assertThat(runs).as("%s: runs of %s", seed, key).isEqualTo(1);
            }
        });
        System.out.printf("%d kills, %d processes, %d abandoned, %s%n", KILLS, ends.size(), abandoned, seed);
    }
}
