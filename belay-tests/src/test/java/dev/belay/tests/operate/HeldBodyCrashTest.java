package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Timeouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract G.3 and V.3: a resumable body that runs out of time in a {@code ONCE} step is held, and its process dies at every write of that, on both
 * stores. Time stands still but for the minute that the body has, so that its second of grace cannot pass while its thread ends.
 */
@Timeout(180)
class HeldBodyCrashTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** What a person says of every doubt. */
    private enum Truth {
        HAPPENED("done: R-7"), DID_NOT_HAPPEN("done: paid T\\d");

        final String end;

        Truth(String end) {
            this.end = end;
        }
    }

    /** A world in which processes come and go; the step {@code pay} does not end in time when it runs first. */
    private static final class World implements AutoCloseable {

        final FakeTime time = new FakeTime();
        final AtomicInteger tickets = new AtomicInteger();
        final AtomicInteger paid = new AtomicInteger();
        final AtomicInteger settled = new AtomicInteger();
        final List<String> writes = new CopyOnWriteArrayList<>();
        private final Truth truth;
        private final OperatorBench bench;
        private final AtomicReference<@Nullable Thread> hangs = new AtomicReference<>();

        World(Truth truth, String where, Path folder) {
            this.truth = truth;
            bench = new OperatorBench(where, folder);
        }

        Belay open(JournalProbe probe) {
            ToolDefinition flow = tool("flow", ToolEffect.ONCE).resumable(true)
                    .onDoubt(OnDoubt.HOLD)
                    .timeouts(new Timeouts(TIMEOUT, null));
            return bench.dying(calling(List.of(call("c1", "flow"))), (moment, write) -> {
                if (moment == Moment.AFTER) {
                    writes.add(write);
                }
                probe.at(moment, write);
            }, builder -> with(builder, flow));
        }

        private BelayBuilder with(BelayBuilder builder, ToolDefinition flow) {
            return builder.time(time)
                    .parkAfter(Duration.ZERO)
                    .drain(Duration.ZERO)
                    .tools(StaticToolProvider.builder().raw(flow, (arguments, context) -> {
                        Json ticket = context.durable()
                                .run("ticket", Json.EMPTY_OBJECT,
                                        input -> Json.string("T" + tickets.incrementAndGet()));
                        return context.durable().run("pay", ticket, input -> {
                            if (paid.incrementAndGet() == 1) {
                                hangs.set(Thread.currentThread());
                                new CountDownLatch(1).await();
                            }
                            return Json.string("paid " + input.asString());
                        });
                    }).build());
        }

        /** Everything that a program and a person do until the end. */
        String toTheEnd(Belay belay, boolean afterDeath) throws InterruptedException {
            if (belay.session("s").input("in").isEmpty()) {
                belay.session("s").turn("go").id("in").submit();
            }
            while (true) {
                Optional<TurnResult.Ended> end = belay.session("s").input("in").orElseThrow().result();
                if (end.isPresent()) {
                    return end.get().text();
                }
                timeOut();
                if (afterDeath || writes.stream().anyMatch(write -> write.startsWith("park "))) {
                    belay.doubts().open(0, 9).forEach(doubt -> settle(belay, doubt));
                }
                LockSupport.parkNanos(SessionBench.A_MOMENT);
            }
        }

        /** Lets the time of the body pass, and no more: it ends by its interrupt before its grace does. */
        private void timeOut() throws InterruptedException {
            Thread body = hangs.getAndSet(null);
            if (body != null && body.isAlive()) {
                time.advance(TIMEOUT);
                body.join();
            }
        }

        private void settle(Belay belay, Doubt doubt) {
            VerbResult said = truth == Truth.HAPPENED
                    ? belay.doubts().happened(doubt.id(), Json.string("R-7"), "seen")
                    : belay.doubts().didNotHappen(doubt.id(), "no trace");
            if (said.equals(VerbResult.DONE)) {
                settled.incrementAndGet();
            }
        }

        @Override
        public void close() {
            bench.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> whatHappenedCountsAndNothingRunsTwiceInMemory(@TempDir Path folder) throws Exception {
        return deaths(Truth.HAPPENED, "memory", folder);
    }

    @TestFactory
    Stream<DynamicTest> whatHappenedCountsAndNothingRunsTwiceOnAFile(@TempDir Path folder) throws Exception {
        return deaths(Truth.HAPPENED, "sqlite", folder);
    }

    @TestFactory
    Stream<DynamicTest> whatDidNotHappenRunsOnceMoreForEachTimeThatItIsSaidInMemory(@TempDir Path folder)
            throws Exception {
        return deaths(Truth.DID_NOT_HAPPEN, "memory", folder);
    }

    @TestFactory
    Stream<DynamicTest> whatDidNotHappenRunsOnceMoreForEachTimeThatItIsSaidOnAFile(@TempDir Path folder)
            throws Exception {
        return deaths(Truth.DID_NOT_HAPPEN, "sqlite", folder);
    }

    private static Stream<DynamicTest> deaths(Truth truth, String where, Path folder) throws Exception {
        var world = new World(truth, where, folder);
        try (world) {
            assertThat(world.toTheEnd(world.open(JournalProbe.NONE), false)).matches(truth.end);
            assertThat(world.paid).hasValue(truth == Truth.HAPPENED ? 1 : 2);
            assertThat(world.settled).hasValue(1);
        }
        List<String> writes = world.writes; // complete: readers see a write before the probe does
        assertThat(writes).anyMatch(write -> write.endsWith("outcome/1 IN_DOUBT"))
                .anyMatch(write -> write.startsWith("park "))
                .anyMatch(write -> write.startsWith("settle "))
                .anyMatch(write -> write.startsWith("commit "));
        List<DynamicTest> tests = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String write : writes) {
            String name = alike(write);
            int times = seen.merge(name, 1, Integer::sum);
            for (Moment moment : Moment.values()) {
                int number = tests.size();
                tests.add(DynamicTest.dynamicTest(moment + " " + name + " " + times,
                        () -> survives(truth, where, Files.createDirectory(folder.resolve("death-" + number)),
                                new Death(moment, name, times))));
            }
        }
        return tests.stream();
    }

    /** The name of a write without the ids of its session and its doubt, which differ from play to play. */
    private static String alike(String write) {
        return write.replaceAll("[0-9a-f]{24,}", "*");
    }

    private static void survives(Truth truth, String where, Path folder, Death death) throws Exception {
        try (var world = new World(truth, where, folder)) {
            die(world, death);
            Belay next = world.open(JournalProbe.NONE);
            assertThat(world.toTheEnd(next, true)).matches(truth.end);
            assertThat(next.doubts().open(0, 9)).isEmpty();
            assertThat(next.stuck()).isEmpty();
            assertThat(next.audit(0, 9)).as("one row for each settlement")
                    .allMatch(entry -> entry.note().verb().equals("settle"))
                    .hasSizeBetween(1, 2);
            if (truth == Truth.HAPPENED) {
                assertThat(world.tickets).hasValueLessThan(2);
                assertThat(world.paid).hasValueLessThan(2);
            } else {
                assertThat(world.tickets.get() + world.paid.get())
                        .as("runs of steps; each more than the first was allowed by a person")
                        .isLessThanOrEqualTo(2 + next.audit(0, 9).size());
            }
        }
    }

    /** Runs a process until it dies; it always comes to the write, because it is the only one and goes on in one order. */
    private static void die(World world, Death death) throws InterruptedException {
        var over = new CountDownLatch(1);
        var left = new AtomicInteger(death.times());
        Belay first = world.open((moment, write) -> {
            if (moment == death.moment() && alike(write).equals(death.write())
                    && left.decrementAndGet() == 0) {
                over.countDown();
                throw new StackOverflowError("the process dies at " + moment + " " + write);
            }
        });
        Thread program = Thread.ofVirtual().start(() -> {
            try {
                world.toTheEnd(first, false);
            } catch (Throwable dead) {
                // as everything in its process
            } finally {
                over.countDown();
            }
        });
        over.await();
        first.close(); // its body ends by the interrupt
        program.join();
        assertThat(left).as("deaths that did not come").hasNonPositiveValue();
    }
}
