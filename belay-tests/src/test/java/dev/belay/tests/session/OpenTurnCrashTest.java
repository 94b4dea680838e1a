package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.effect.JournalProbe.Moment;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.session.DeskTools.Ask;
import dev.belay.tests.session.DeskTools.Look;
import dev.belay.tests.session.DeskTools.Pay;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.ToolResult;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Contract N.10: a process that runs a loop of its own dies at every write, and the next one finishes the turn. */
class OpenTurnCrashTest {

    private static final Toolset<DeskTools> TOOLS = Toolset.of(DeskTools.class);
    private static final Model MODEL = SessionBench.calling(
            List.of(new CallPart("a", "look", "{\"at\":\"sky\"}"), new CallPart("b", "pay", "{\"amount\":5}"),
                    new CallPart("c", "ask", "{\"question\":\"ok?\"}")),
            List.of(new CallPart("d", "pay", "{\"amount\":7}")));

    /** A world in which processes come and go. */
    private static final class World implements AutoCloseable {

        final SessionBench bench = new SessionBench();
        final List<String> ran = new CopyOnWriteArrayList<>();
        final Queue<String> tokens = new ConcurrentLinkedQueue<>();

        static BelayBuilder settings(BelayBuilder builder) {
            return builder.parkAfter(Duration.ZERO).random(new Random(7));
        }

        ToolReply execute(ToolCall<DeskTools> call) {
            return switch (call.input()) {
                case Look in -> call.run(in, ctx -> {
                    ran.add("look");
                    return "saw " + in.at();
                });
                case Pay in -> call.run(in, ctx -> {
                    ran.add("pay " + in.amount());
                    return "paid " + in.amount();
                });
                case Ask in -> call.attempt(in, ctx -> {
                    tokens.add(ctx.completionKey().token());
                    ran.add("ask");
                    return ToolResult.pending();
                });
            };
        }

        String loop(OpenTurn turn) {
            while (true) {
                switch (turn.step().tools(TOOLS).run()) {
                    case Step.Finished<DeskTools, String>(String text) -> {
                        return text;
                    }
                    case Step.Refused<DeskTools, String>(String why) -> {
                        return why;
                    }
                    case Step.NeedsTools<DeskTools, String>(var round) -> {
                        if (round.commit(round.calls()
                                .stream()
                                .map(this::execute)
                                .toList()) instanceof RoundEnd.Parked) {
                            return "parked";
                        }
                    }
                }
            }
        }

        /** Everything that a program does until the turn is committed: its answer. */
        String toTheEnd(Belay belay) {
            while (true) {
                try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                    if (turn.result().isPresent()) {
                        return turn.result().get().text();
                    }
                    String said = loop(turn);
                    if (!said.equals("parked")) {
                        return said;
                    }
                }
                tokens.forEach(token -> belay.resolve(token, new Resolution.Ok(Json.string("yes"))));
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
            assertThat(world.ran).containsExactly("look", "pay 5", "ask", "pay 7");
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
            assertThat(world.ran.stream().filter("pay 5"::equals).count()).isLessThanOrEqualTo(1);
            assertThat(world.ran.stream().filter("pay 7"::equals).count()).isLessThanOrEqualTo(1);
            List<Message> messages = next.session("s").messages();
            assertThat(messages).hasSize(6);
            assertThat(History.problems(messages)).isEmpty();
            assertThat(next.session("s").head().orElseThrow().revision()).isEqualTo(1);
            assertThat(next.stuck()).isEmpty();
            assertThat(next.openTurns(null, 9)).isEmpty();
        }
    }
}
