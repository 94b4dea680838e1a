package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.journal.JournalProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.12: a monitor is a process of its plugin, started once for each session; its events arrive as notices. */
class MonitorsTest {

    private static final List<String> NOTICES = List.of("Note (monitor disk/space): disk.full: first",
            "Note (monitor disk/space): disk.full: second");

    @TempDir
    Path folder;

    private final PluginBench bench = new PluginBench();
    private final AtomicInteger entered = new AtomicInteger();

    private PluginFactory watching() {
        return PluginBench.plugin("disk", on -> on.monitors().start("space", context -> {
            entered.incrementAndGet();
            context.tell("disk.full", "first");
            context.tell("disk.full", "second");
        }));
    }

    private static List<String> notices(Belay belay) {
        return belay.session("s")
                .messages()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .map(message -> ((Message.UserMessage) message).text())
                .filter(text -> text.startsWith("Note (monitor"))
                .toList();
    }

    private static void awaitEnd(Belay belay) {
        until(() -> {
            var processes = belay.processes().list("s", 0, 9);
            return !processes.isEmpty()
                    && processes.stream().allMatch(one -> one.status() == ProcessStatus.COMPLETED);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void itIsStartedOncePerSessionAndTheModelIsToldAtTheNextQuestion(String where) throws Exception {
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(bench.calling(), builder -> builder.plugin(watching()));
            belay.session("s").turn("Hello.").run();
            awaitEnd(belay);
            belay.session("s").turn("And now?").run();
            assertThat(notices(belay)).isEqualTo(NOTICES);
            assertThat(bench.requests.getLast().messages().toString()).contains("disk.full: second");
            belay.close();
            Belay next = stores.open(bench.calling(), builder -> builder.plugin(watching()));
            next.session("s").turn("Once more.").run();
            next.session("s").turn("And again.").run();
            assertThat(notices(next)).isEqualTo(NOTICES);
            assertThat(next.processes().list("s", 0, 9)).hasSize(1);
            assertThat(entered).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void itGoesOnAfterARestartAndTellsNothingTwice(String where) throws Exception {
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        PluginFactory waiting = PluginBench.plugin("disk", on -> on.monitors().start("space", context -> {
            context.tell("disk.full", "first");
            var key = context.durable().externalEventKey("more");
            keys.add(key.token());
            context.tell("disk.full", context.durable().awaitEvent(key).asString());
        }));
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(bench.calling(), builder -> builder.plugin(waiting));
            belay.session("s").turn("Hello.").run();
            String key = keys.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            belay.close();
            Belay next = stores.open(bench.calling(), builder -> builder.plugin(waiting));
            next.resolve(key, Resolution.ok(Json.string("second")));
            awaitEnd(next);
            next.session("s").turn("And now?").run();
            assertThat(notices(next)).isEqualTo(NOTICES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aTurnOfAProgramsOwnLoopStartsItToo(String where) throws Exception {
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(bench.calling(), builder -> builder.plugin(watching()));
            for (String text : List.of("Hello.", "And now?")) {
                try (OpenTurn turn = belay.session("s").begin(text)) {
                    turn.step().answer();
                    turn.finish();
                }
                awaitEnd(belay);
            }
            assertThat(notices(belay)).isEqualTo(NOTICES);
            assertThat(entered).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void itEndsWithAnUnknownSessionOnceThatWasDeleted(String where) throws Exception {
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        PluginFactory waiting = PluginBench.plugin("disk", on -> on.monitors().start("space", context -> {
            var key = context.durable().externalEventKey("more");
            keys.add(key.token());
            context.tell("disk.full", context.durable().awaitEvent(key).asString());
        }));
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(bench.calling(), builder -> builder.plugin(waiting));
            belay.session("s").turn("Hello.").run();
            String key = keys.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            String id = belay.processes().list("s", 0, 9).getFirst().id().value();
            belay.session("s").delete();
            belay.resolve(key, Resolution.ok(Json.string("second")));
            assertThat(belay.processes().get(id).awaitEnd())
                    .isInstanceOfSatisfying(ProcessEnd.Failed.class,
                            end -> assertThat(end.failure().code()).isEqualTo("unknown_session"));
        }
    }

    /** What the session is told if the process dies at a write; the writes, if it dies at none. */
    private List<String> told(String where, Path in, int at, List<String> writes) throws Exception {
        try (var stores = new PluginStores(where, in)) {
            var dead = new CountDownLatch(1);
            int[] left = {at};
            JournalProbe probe = (moment, write) -> {
                synchronized (left) {
                    writes.add(moment + " " + write);
                    if (left[0]-- == 0) {
                        dead.countDown();
                        throw new StackOverflowError("the process dies at " + moment + " " + write);
                    }
                }
            };
            Belay first = stores.open(bench.calling(), probe, builder -> builder.plugin(watching()));
            Thread running = Thread.ofVirtual().start(() -> {
                try {
                    first.session("s").turn("Hello.").id("one").run();
                    awaitEnd(first);
                    first.session("s").turn("And now?").id("two").run();
                } catch (InterruptedException | RuntimeException | AssertionError died) {
                    Thread.currentThread().interrupt(); // the process is dead, as it should be
                }
            });
            if (at < 0) {
                running.join();
            } else if (!dead.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the process should have died at write " + at);
            }
            first.close();
            running.interrupt();
            Belay next = stores.open(bench.calling(), builder -> builder.plugin(watching()));
            next.session("s").turn("Hello.").id("one").run();
            awaitEnd(next);
            next.session("s").turn("And now?").id("two").run();
            next.session("s").turn("The last.").id("three").run();
            return notices(next);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whicheverWriteTheProcessDiesAtEachEventIsToldOnce(String where) throws Exception {
        List<String> writes = new ArrayList<>();
        assertThat(told(where, Files.createDirectory(folder.resolve("calm")), -1, writes)).isEqualTo(NOTICES);
        assertThat(writes).hasSizeGreaterThan(20);
        for (int at = 0; at < writes.size(); at++) {
            assertThat(
                    told(where, Files.createDirectory(folder.resolve("dies-" + at)), at, new ArrayList<>()))
                    .as(writes.get(at))
                    .isEqualTo(NOTICES);
        }
    }
}
