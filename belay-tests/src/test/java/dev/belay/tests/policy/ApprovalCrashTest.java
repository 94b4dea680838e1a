package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract I.3, I.4, I.9: a worker that asks, and decides, dies at every write, on both stores and in both loops. Of the first three calls of its
 * turn one is changed, one approved for the session and one denied; the fourth is let through by the grant. A durable process asks once.
 */
class ApprovalCrashTest {

    private static final int CLEAN_RUNS = 8;
    private static final int TRIES = 20;

    private static final Map<String, ApprovalAnswer> ANSWERS = Map.of(
            "a", ApprovalAnswer.edit(Json.of("{\"amount\":90}")),
            "b", ApprovalAnswer.forSession(),
            "c", ApprovalAnswer.deny("no"));

    /** Says its calls by the replies that it has, because a notice of a change is a message of the user. */
    private static final Model MODEL = model(request -> switch ((int) request.messages()
            .stream()
            .filter(Message.ToolMessage.class::isInstance)
            .count()) {
        case 0 -> calls(List.of(call("a", "{\"amount\":250}"), call("b", "{\"amount\":300}"),
                call("c", "{\"amount\":400}")));
        case 1 -> calls(List.of(call("d", "{\"amount\":500}")));
        default -> text("done: " + lastReplies(request));
    });

    /** What is recorded of the calls. */
    private static final Map<String, String> CALLS = Map.of("a", "round/1/call/0", "b",
            "round/1/call/1", "c", "round/1/call/2", "d", "round/2/call/0");

    /** What is done in a world in which processes come and go, and what must be true in the end. */
    private interface Story {

        /** Everything that a program does before it waits; repeated in each process. */
        void begin(World world, Belay belay);

        /** How it ended; empty until it has. */
        Optional<String> end(Belay belay);

        /** Decides about what is open. */
        void decide(Belay belay);

        /** How many bodies run if no process dies. */
        int bodies();

        /** Checks what the processes have left. */
        void check(World world, Belay last, String end);
    }

    private static final Story TURN = new Story() {

        @Override
        public void begin(World world, Belay belay) {
            if (belay.session("s").input("in").isEmpty()) {
                world.bench.submit(belay, "in");
            }
        }

        @Override
        public Optional<String> end(Belay belay) {
            return belay.session("s").input("in").orElseThrow().result().map(TurnResult.Ended::text);
        }

        @Override
        public void decide(Belay belay) {
            for (OpenApproval open : belay.approvals().open(null, 9).items()) {
                String id = open.request().call().id();
                if (!id.equals("b") || othersAreDecided(belay)) {
                    belay.approvals()
                            .decide(open.keyId(), open.request().digest(),
                                    Objects.requireNonNull(ANSWERS.get(id)));
                }
            }
        }

        // a grant that is given before the others have asked would cover them
        private boolean othersAreDecided(Belay belay) {
            return belay.audit(0, 99)
                    .stream()
                    .filter(entry -> !entry.note().verb().equals("ask"))
                    .count() == 2;
        }

        @Override
        public int bodies() {
            return 3;
        }

        @Override
        public void check(World world, Belay last, String end) {
            Set<String> open = world.leftOpen;
            assertThat(end)
                    .matches(open.contains(CALLS.get("d")) ? "done: .*in_doubt.*" : "done: refunded 500");
            assertThat(SessionBench.inDoubt(last.session("s").messages()).stream().map(CALLS::get))
                    .as("in doubt is what was started and left no end")
                    .hasSameElementsAs(open.stream().filter(CALLS::containsValue).toList());
            assertThat(world.bench.refunds).doesNotHaveDuplicates()
                    .isSubsetOf("{\"amount\":90}", "{\"amount\":300}", "{\"amount\":500}");
            assertThat(last.audit(0, 99).stream().map(entry -> entry.note().verb()))
                    .containsExactlyInAnyOrder("ask", "ask", "ask", "approve", "approve", "deny");
            assertThat(last.session("s").grants().list()).hasSize(1);
            List<Message> messages = last.session("s").messages();
            assertThat(History.problems(messages)).isEmpty();
            assertThat(messages.toString()).containsOnlyOnce("arguments_changed")
                    .containsOnlyOnce("a person has denied this call: no");
            assertThat(last.session("s").calls(1)).extracting(TurnCall::asked)
                    .extracting(asked -> asked == null ? "" : asked.proposed() + " " + asked.decided())
                    .containsExactly("{\"amount\":250} {\"amount\":90}", "{\"amount\":300} {\"amount\":300}",
                            "{\"amount\":400} {\"amount\":400}", "");
        }
    };

    /** A process whose call asks and is changed. */
    private static final Story PROCESS = new Story() {

        @Override
        public void begin(World world, Belay belay) {
            belay.processes().start(ProcessStart.tool("refund", Json.of("{\"amount\":250}")).id("p"));
        }

        @Override
        public Optional<String> end(Belay belay) {
            return belay.processes().get("p").end().map(Object::toString);
        }

        @Override
        public void decide(Belay belay) {
            for (OpenApproval open : belay.approvals().open(null, 9).items()) {
                belay.approvals()
                        .decide(open.keyId(), open.request().digest(),
                                ApprovalAnswer.edit(Json.of("{\"amount\":90}")));
            }
        }

        @Override
        public int bodies() {
            return 1;
        }

        @Override
        public void check(World world, Belay last, String end) {
            assertThat(end).contains(world.leftOpen.contains("call/0")
                    ? "in_doubt"
                    : "refunded 90");
            assertThat(world.bench.refunds).hasSizeLessThan(2).isSubsetOf("{\"amount\":90}");
            assertThat(last.audit(0, 99).stream().map(entry -> entry.note().verb()))
                    .containsExactly("ask", "approve");
        }
    };

    /** A world in which processes come and go. */
    private static final class World implements AutoCloseable {

        final ApprovalBench bench;
        /** Calls that the process that died has left started and without an end. */
        final Set<String> leftOpen = new TreeSet<>();
        private final Story story;
        private final SharedMemory memory = new SharedMemory();
        private final Path file;
        private final boolean inMemory;
        private final List<Belay> opened = new ArrayList<>();

        World(Story story, String where, Path folder) {
            this.story = story;
            bench = new ApprovalBench(where, folder);
            inMemory = where.startsWith("memory");
            file = folder.resolve("belay.db");
        }

        Belay open(JournalProbe probe) {
            Belay belay = bench.tools(Belay.builder()
                    .model(MODEL)
                    .policy(ApprovalBench.ASKING)
                    .parkAfter(Duration.ZERO)
                    .drain(Duration.ZERO)
                    .random(new Random(7))
                    .store(store(probe)))
                    .build();
            opened.add(belay);
            return bench.serving(belay);
        }

        private Store store(JournalProbe probe) {
            return inMemory
                    ? memory.open(probe)
                    : JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        }

        /** By the records: of writes that share a commit, a process that dies after it tells one. */
        void lookAtWhatIsLeft() {
            try (var store = new StoreDriver(store(JournalProbe.NONE))) {
                List<ScopeId> scopes = new ArrayList<>(List.of(new ScopeId("process/p")));
                store.head(new SessionId("s"))
                        .ifPresent(head -> scopes.add(TurnScope.id(head.incarnation(), 1)));
                for (ScopeId scope : scopes) {
                    store.effects(scope)
                            .stream()
                            .filter(row -> row.status() == EffectRow.Status.STARTED)
                            .forEach(row -> leftOpen.add(row.key().replaceFirst("/attempt/[0-9]+$", "")));
                }
            }
        }

        /** Everything that a program and a person do until the end. */
        String toTheEnd(Belay belay) {
            story.begin(this, belay);
            while (true) {
                Optional<String> end = story.end(belay);
                if (end.isPresent()) {
                    return end.get();
                }
                story.decide(belay);
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
        }

        @Override
        public void close() {
            opened.forEach(Belay::close);
        }
    }

    private static List<String> writesOfACleanRun(Story story, String where, Path folder) {
        List<String> writes = new CopyOnWriteArrayList<>();
        try (var world = new World(story, where, folder)) {
            String end = world.toTheEnd(world.open((moment, name) -> {
                if (moment == Moment.AFTER) {
                    writes.add(name);
                }
            }));
            assertThat(end).contains("refunded");
            assertThat(world.bench.refunds).hasSize(story.bodies());
        }
        return writes;
    }

    @TestFactory
    Stream<DynamicTest> eachCallIsDecidedAndRunOnceInMemory(@TempDir Path folder) {
        return deaths(TURN, "memory", folder);
    }

    @TestFactory
    Stream<DynamicTest> soItIsInAnOwnLoop(@TempDir Path folder) {
        return deaths(TURN, "memory own-loop", folder);
    }

    @TestFactory
    Stream<DynamicTest> soItIsOnAFile(@TempDir Path folder) {
        return deaths(TURN, "sqlite", folder);
    }

    @TestFactory
    Stream<DynamicTest> soItIsInAnOwnLoopOnAFile(@TempDir Path folder) {
        return deaths(TURN, "sqlite own-loop", folder);
    }

    @TestFactory
    Stream<DynamicTest> theCallOfAProcessIsDecidedAndRunOnceInMemory(@TempDir Path folder) {
        return deaths(PROCESS, "memory", folder);
    }

    @TestFactory
    Stream<DynamicTest> theCallOfAProcessIsDecidedAndRunOnceOnAFile(@TempDir Path folder) {
        return deaths(PROCESS, "sqlite", folder);
    }

    private static Stream<DynamicTest> deaths(Story story, String where, Path folder) {
        List<DynamicTest> tests = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        List<String> writes = writesOfACleanRun(story, where, folder);
        assertThat(writes).hasSizeGreaterThan(4 * story.bodies());
        Map<String, Integer> always = new HashMap<>();
        writes.forEach(write -> always.merge(write, 1, Integer::sum));
        for (int i = 0; i < CLEAN_RUNS; i++) { // how often a turn parks is up to the order of threads
            List<String> again = writesOfACleanRun(story, where, made(folder, "clean-" + i));
            always.replaceAll((write, times) -> Math.min(times, Collections.frequency(again, write)));
        }
        for (String write : writes) {
            int times = seen.merge(write, 1, Integer::sum);
            if (times > always.getOrDefault(write, 0)) {
                continue;
            }
            for (Moment moment : Moment.values()) {
                int number = tests.size();
                tests.add(DynamicTest.dynamicTest(where + " " + moment + " " + write + " " + times,
                        () -> survives(story, where, Files.createDirectory(folder.resolve("death-" + number)),
                                new Death(moment, write, times))));
            }
        }
        return tests.stream();
    }

    private static Path made(Path folder, String name) {
        try {
            return Files.createDirectory(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void survives(Story story, String where, Path folder, Death death) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            try (var world = new World(story, where, Files.createDirectory(folder.resolve("play-" + i)))) {
                if (died(world, death)) {
                    world.lookAtWhatIsLeft();
                    Belay next = world.open(JournalProbe.NONE);
                    story.check(world, next, world.toTheEnd(next));
                    assertThat(next.approvals().open(null, 9).items()).isEmpty();
                    assertThat(next.stuck()).isEmpty();
                    assertThat(next.processes().stuck()).isEmpty();
                    return;
                }
            }
        }
        throw new AssertionError("no process died at " + death + ", in " + TRIES + " plays");
    }

    /** Runs a process until it dies, or to its end if threads met in an order in which it does not write that. */
    private static boolean died(World world, Death death) throws InterruptedException {
        var over = new CountDownLatch(1);
        var left = new AtomicInteger(death.times());
        Belay first = world.open((moment, name) -> {
            if (moment == death.moment() && name.equals(death.write()) && left.decrementAndGet() == 0) {
                over.countDown();
                throw new StackOverflowError("the process dies at " + moment + " " + name);
            }
        });
        Thread program = Thread.ofVirtual().start(() -> {
            try {
                world.toTheEnd(first);
            } catch (Throwable dead) {
                // as everything in its process
            } finally {
                over.countDown();
            }
        });
        over.await();
        first.close();
        program.join();
        return left.get() <= 0;
    }
}
