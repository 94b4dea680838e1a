package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.mcp.McpServer;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that dies at any write with a task under way. */
@Timeout(180)
class TaskDeathsTest extends TaskCase {

    private boolean files;

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aTaskOfEitherRevisionIsBegunAtMostOnceAfterEachDeath(boolean older, boolean onFiles)
            throws Exception {
        server.legacy = older;
        files = onFiles;
        everyDeath(server.described(), true, Duration.ZERO); // parks at once
    }

    @Test
    void aCallThatMayBeRepeatedComesToTheSameAfterEachDeath() throws Exception {
        everyDeath(server.described().effect(ToolEffect.READ), false, Duration.ofMinutes(1)); // holds its thread
    }

    /** A place for the records of a process and the next one: memory, or a new file. */
    private Function<JournalProbe, Store> place(int number) {
        if (!files) {
            return new SharedMemory()::open;
        }
        Path file = folder.resolve("deaths-" + number + ".db");
        return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
    }

    private void everyDeath(McpServer described, boolean once, Duration parkAfter) throws Exception {
        server.working = 1;
        int deaths = 0;
        int doubts = 0;
        for (int at = 0;; at++) {
            Function<JournalProbe, Store> place = place(at);
            int before = server.begun.size();
            boolean died = dies(place, described, parkAfter, at);
            try (Belay next = on(place, described, parkAfter, JournalProbe.NONE)) {
                TurnResult.Ended result = next.session("s").turn("Go.").id("go").run().ended();
                if (once && !result.doubts().isEmpty()) {
                    doubts++;
                    assertThat(result.text()).as("death " + at).contains("in_doubt");
                } else {
                    assertThat(result.text()).as("death " + at).contains("built");
                }
            }
            if (once) {
                assertThat(server.begun.size() - before).as("death " + at).isLessThanOrEqualTo(1);
            }
            if (!died) {
                break;
            }
            deaths++;
        }
        assertThat(deaths).isGreaterThan(15);
        assertThat(doubts).as("only between the request and its record").isLessThanOrEqualTo(3);
    }

    private Belay on(Function<JournalProbe, Store> place, McpServer described, Duration parkAfter,
            JournalProbe probe)
            throws InterruptedException {
        return Belay.builder()
                .model(calling("build"))
                .plugin(attached(described))
                .store(place.apply(probe))
                .parkAfter(parkAfter)
                .drain(Duration.ZERO)
                .build();
    }

    /** Runs until the write of this number, at which the process dies; false if there are fewer. */
    private boolean dies(Function<JournalProbe, Store> place, McpServer described, Duration parkAfter,
            int at)
            throws InterruptedException {
        var over = new CountDownLatch(1);
        var left = new int[]{at};
        Belay dying = on(place, described, parkAfter, (moment, write) -> {
            if (left[0]-- == 0) {
                over.countDown();
                throw new StackOverflowError("the process dies at " + moment + " " + write);
            }
        });
        boolean[] finished = {false};
        Thread running = Thread.ofVirtual().start(() -> {
            try {
                dying.session("s").turn("Go.").id("go").run();
                finished[0] = true;
            } catch (InterruptedException | RuntimeException died) {
                Thread.currentThread().interrupt(); // as it should
            }
            over.countDown();
        });
        assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
        dying.close();
        running.join();
        return !finished[0] || left[0] < 0;
    }
}
