package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tool.context.PluginState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.10: whichever write a process dies at, a reset of a plugin is audited and counts once, or was never given. */
class ResetCrashTest {

    private static final SessionId S = new SessionId("s");

    @TempDir
    Path folder;

    record Count(int value) {}

    private static final PluginState<Count, Count> COUNT = PluginState.of("count", Count.class, new Count(0),
            Count.class, (before, more) -> new Count(before.value() + more.value()));

    private static PluginFactory counter() {
        return PluginBench.plugin("counter", on -> {
            on.state(COUNT);
            on.actions().command("count", Count.class, Count.class, (more, context) -> {
                context.update(COUNT, more);
                return context.get(COUNT);
            });
        });
    }

    private static Belay open(PluginStores stores, JournalProbe probe) {
        return stores.open(new PluginBench().calling(), probe, builder -> builder.plugin(counter()));
    }

    private static int counted(Belay belay, String id) throws InterruptedException {
        return belay.session(S).actions().submit("count", new Count(1), id).await(Count.class).value();
    }

    /** Counts to three, resets, counts on, and dies at a write; the writes if it dies at none. */
    private static void run(String where, Path in, int at, List<String> writes) throws Exception {
        try (var stores = new PluginStores(where, in)) {
            Belay first = open(stores, JournalProbe.NONE);
            first.session(S).actions().call("count", new Count(3));
            first.close();
            var dead = new CountDownLatch(1);
            int[] left = {at};
            Belay dying = open(stores, (moment, write) -> {
                synchronized (left) {
                    writes.add(moment + " " + write);
                    if (left[0]-- == 0) {
                        dead.countDown();
                        throw new StackOverflowError("the process dies at " + moment + " " + write);
                    }
                }
            });
            var reset = new AtomicReference<VerbResult>();
            Thread running = Thread.ofVirtual().start(() -> {
                try {
                    reset.set(dying.resetPlugin(S, "counter"));
                    counted(dying, "one");
                    counted(dying, "two");
                } catch (InterruptedException | RuntimeException | StackOverflowError died) {
                    Thread.currentThread().interrupt(); // the process is dead, as it should be
                }
            });
            if (at < 0) {
                running.join();
            } else {
                assertThat(dead.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
            dying.close();
            running.interrupt();
            running.join();
            Belay next = open(stores, JournalProbe.NONE);
            boolean given = !next.audit(0, 9).isEmpty();
            assertThat(counted(next, "one")).isEqualTo(given ? 1 : 4);
            assertThat(counted(next, "two")).isEqualTo(given ? 2 : 5);
            assertThat(next.audit(0, 9)).hasSize(given ? 1 : 0);
            assertThat(reset.get() == null || given).as("what was answered was given").isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whicheverWriteTheProcessDiesAtAResetIsAuditedAndCountsOnce(String where) throws Exception {
        List<String> writes = new ArrayList<>();
        run(where, Files.createDirectory(folder.resolve("calm")), -1, writes);
        assertThat(writes).hasSizeGreaterThan(4);
        for (int at = 0; at < writes.size(); at++) {
            try {
                run(where, Files.createDirectory(folder.resolve("dies-" + at)), at, new ArrayList<>());
            } catch (AssertionError e) {
                throw new AssertionError("killed at " + writes.get(at), e);
            }
        }
    }
}
