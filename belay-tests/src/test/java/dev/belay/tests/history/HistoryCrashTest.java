package dev.belay.tests.history;

import static dev.belay.tests.history.HistoryBench.look;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract O.7, O.9: whichever write of a compaction a process dies at, the session comes to the same history. */
class HistoryCrashTest {

    private static final int CONTEXT = 4_000;
    private static final int TURNS = 8;

    /** Asks for two looks; the second one does not fit beside what came before. */
    private static Model model() {
        return new HistoryBench().looking(2);
    }

    private static PluginHarness harness() {
        return PluginHarness.of(() -> HistoryBench.plugin("other", on -> {}), model())
                .with(builder -> builder.tools(look(1)).maxContextTokens(CONTEXT))
                .input("Question 1")
                .input("Question 2")
                .input("Question 3");
    }

    @Test
    void aKilledTurnEndsWithTheSameHistory() throws Exception {
        assertThat(harness().verify()).isGreaterThan(40);
    }

    @Test
    void soItDoesOnAFile(@TempDir Path folder) throws Exception {
        var files = new AtomicInteger();
        int kills = harness().on(() -> {
            Path file = folder.resolve(files.incrementAndGet() + ".db");
            return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        }).verify();
        assertThat(kills).isGreaterThan(40);
    }

    @Test
    void aRecordedCompactionIsNotMadeAgain() throws Exception {
        var memory = new SharedMemory();
        var summaries = new ArrayList<Integer>();
        for (boolean dies : new boolean[]{true, false}) {
            var bench = new HistoryBench();
            var dead = new CountDownLatch(1);
            JournalProbe probe = (moment, write) -> {
                if (dies && moment == JournalProbe.Moment.AFTER && write.startsWith("effect compact/")) {
                    dead.countDown();
                    throw new StackOverflowError("dies after the compaction");
                }
            };
            try (Belay belay = Belay.builder()
                    .model(bench.looking(0))
                    .maxContextTokens(2_000)
                    .store(memory.open(probe))
                    .drain(Duration.ZERO)
                    .build()) {
                for (int i = 0; i < 12; i++) {
                    var input = belay.session("s").turn(i + " word".repeat(300)).id("in-" + i).submit();
                    if (dies) {
                        SessionBench.awaitThat("the turn ends, or its process dies",
                                () -> dead.getCount() == 0 || input.result().isPresent());
                    } else {
                        assertThat(input.awaitCommit()).isInstanceOf(TurnResult.Finished.class);
                    }
                    if (dead.getCount() == 0) {
                        break;
                    }
                }
                if (!dies) {
                    assertThat(bench.requests.getLast().messages()).as("what the model was sent last")
                            .isEqualTo(belay.session("s").request(12, 1).orElseThrow().messages());
                }
            } catch (StackOverflowError | RuntimeException died) {
                assertThat(dies).as("it should die").isTrue();
            }
            assertThat(dead.getCount()).as("deaths that did not come").isEqualTo(dies ? 0 : 1);
            summaries.add(bench.summaries.size());
            if (!dies) {
                try (Belay belay = Belay.builder().model(model()).store(memory.open()).build()) {
                    assertThat(belay.session("s")
                            .history()
                            .stream()
                            .mapToInt(step -> step.models().size())
                            .sum())
                            .isEqualTo(summaries.get(0) + summaries.get(1));
                }
            }
        }
    }

    /** A loop of a program's own is entered again from the top. */
    @Test
    void aLoopOfYourOwnThatIsKilledSendsTheSameAgain() {
        killedEverywhere(() -> new SharedMemory()::open);
    }

    @Test
    void soDoesALoopOfYourOwnOnAFile(@TempDir Path folder) {
        var files = new AtomicInteger();
        killedEverywhere(() -> {
            Path file = folder.resolve(files.incrementAndGet() + ".db");
            return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        });
    }

    private static void killedEverywhere(Supplier<Function<JournalProbe, Store>> places) {
        List<String> writes = new ArrayList<>();
        var calm = new HistoryBench();
        List<List<Message>> shown = played(places.get(), calm, (moment, write) -> {
            if (moment == JournalProbe.Moment.AFTER) {
                writes.add(write);
            }
        });
        assertThat(calm.requests).extracting(ModelRequest::messages)
                .as("what the model was sent")
                .isEqualTo(shown);
        Map<Message, Set<List<Message>>> expected = sent(calm);
        assertThat(expected).hasSize(TURNS).allSatisfy((turn, one) -> assertThat(one).hasSize(1));
        int first = 0;
        while (!writes.get(first).startsWith("effect compact/")) {
            first++; // throws if there is none
        }
        for (int at = first - 3; at < writes.size(); at++) { // writes of turns without a compaction are killed elsewhere
            for (JournalProbe.Moment moment : JournalProbe.Moment.values()) {
                int[] left = {at + 1};
                Function<JournalProbe, Store> shared = places.get();
                var bench = new HistoryBench();
                try {
                    played(shared, bench, (now, write) -> {
                        if (now == moment && --left[0] == 0) {
                            throw new StackOverflowError("dies at " + write);
                        }
                    });
                } catch (StackOverflowError | RuntimeException dead) {
                    // the next process goes on
                }
                assertThat(left[0]).as("deaths that did not come, %s %s", moment, writes.get(at))
                        .isNotPositive();
                List<List<Message>> again = played(shared, bench, (now, write) -> {});
                assertThat(again).as("killed %s %s", moment, writes.get(at)).isEqualTo(shown);
                assertThat(sent(bench)).as("what the model was sent, killed %s %s", moment, writes.get(at))
                        .isEqualTo(expected);
            }
        }
    }

    /** What models were really sent, by the input of the turn, whichever process asked: the same each time. */
    private static Map<Message, Set<List<Message>>> sent(HistoryBench bench) {
        return bench.requests.stream()
                .map(ModelRequest::messages)
                .collect(Collectors.groupingBy(List::getLast, Collectors.toSet()));
    }

    /** What the session says that the model was sent in each turn. */
    private static List<List<Message>> played(Function<JournalProbe, Store> place, HistoryBench bench,
            JournalProbe probe) {
        try (Belay belay = Belay.builder()
                .model(bench.looking(0))
                .maxContextTokens(2_000)
                .store(place.apply(probe))
                .drain(Duration.ZERO)
                .build()) {
            List<List<Message>> sent = new ArrayList<>();
            for (int i = 0; i < TURNS; i++) {
                var known = belay.session("s").input("in-" + i).flatMap(input -> input.result());
                if (known.isEmpty()) {
                    try (OpenTurn turn = belay.session("s").begin(i + " word".repeat(300), "in-" + i)) {
                        turn.step().answer();
                    }
                }
                sent.add(belay.session("s").request(i + 1, 1).orElseThrow().messages());
            }
            return sent;
        }
    }
}
