package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench.Death;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Contract N.10: a process that runs a loop of its own dies at every write, and the next one finishes the turn. */
class OpenTurnCrashTest {

    private static final Model MODEL = SessionBench.calling(
            List.of(Desk.LOOK, Desk.PAY, Desk.ASK),
            List.of(new CallPart("d", "pay", "{\"amount\":7}")));

    /** What is recorded of the calls that must not be repeated. */
    private static final Map<String, String> CALLS = Map.of("b", "round/1/call/1", "c",
            "round/1/call/2", "d", "round/2/call/0");

    /** A world in which processes come and go. */
    private static final class World implements AutoCloseable {

        final SessionBench bench = new SessionBench();
        final Desk desk = new Desk();

        static BelayBuilder settings(BelayBuilder builder) {
            return builder.parkAfter(Duration.ZERO).random(new Random(7));
        }

        /** Everything that a program does until the turn is committed: its answer. */
        String toTheEnd(Belay belay) {
            while (true) {
                try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                    if (turn.result().isPresent()) {
                        return turn.result().get().text();
                    }
                    String said = desk.loop(turn);
                    if (!said.equals("parked")) {
                        return said;
                    }
                }
                desk.tokens.forEach(token -> belay.resolve(token, new Resolution.Ok(Json.string("yes"))));
            }
        }

        @Override
        public void close() {
            bench.close();
        }
    }

    private static List<String> writesOfACleanRun() {
        try (var world = new World()) {
            Belay belay = world.bench.open(MODEL, World::settings);
            assertThat(world.toTheEnd(belay)).isEqualTo("done: paid 7");
            assertThat(world.desk.ran).containsExactly("look sky", "pay 5 64", "ask ok?", "pay 7 64");
            return world.bench.writes();
        }
    }

    @TestFactory
    Stream<DynamicTest> whateverTheLastWriteWasTheNextProcessFinishesTheTurn() {
        List<DynamicTest> tests = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        List<String> writes = writesOfACleanRun();
        assertThat(writes).hasSizeGreaterThan(12);
        for (String write : writes) {
            int times = seen.merge(write, 1, Integer::sum);
            for (Moment moment : Moment.values()) {
                tests.add(DynamicTest.dynamicTest(moment + " " + write + " " + times,
                        () -> survives(new Death(moment, write, times))));
            }
        }
        return tests.stream();
    }

    private static void survives(Death death) throws Exception {
        try (var world = new World()) {
            SessionBench.Dying first = world.bench.dying(MODEL, death, World::settings);
            Thread program = Thread.ofVirtual().start(() -> {
                try {
                    world.toTheEnd(first.belay);
                } catch (Throwable dead) {
                    // as everything in its process
                }
            });
            first.awaitDeath();
            program.join();
            Belay next = world.bench.open(MODEL, World::settings);
            String answer = world.toTheEnd(next);
            assertThat(answer).matches("done: (paid 7|.*in_doubt.*)");
            assertThatDoubtsWereStarted(next.session("s").messages(), SessionBench.leftOpen(first.written()));
            assertThat(world.desk.ran.stream().filter("pay 5 64"::equals).count()).isLessThanOrEqualTo(1);
            assertThat(world.desk.ran.stream().filter("pay 7 64"::equals).count()).isLessThanOrEqualTo(1);
            List<Message> messages = next.session("s").messages();
            assertThat(messages).hasSize(6);
            assertThat(History.problems(messages)).isEmpty();
            assertThat(next.session("s").head().orElseThrow().revision()).isEqualTo(1);
            assertThat(next.stuck()).isEmpty();
            assertThat(next.openTurns(null, 9)).isEmpty();
        }
    }

    /** A payment is in doubt exactly if it was started and left no end; the question may be answered by its key, too. */
    private static void assertThatDoubtsWereStarted(List<Message> messages, Set<String> leftOpen) {
        Set<String> started = new TreeSet<>();
        CALLS.forEach((id, key) -> {
            if (leftOpen.contains(key)) {
                started.add(id);
            }
        });
        Set<String> doubts = SessionBench.inDoubt(messages);
        assertThat(started).containsAll(doubts);
        started.remove("c");
        assertThat(doubts).containsAll(started);
    }
}
