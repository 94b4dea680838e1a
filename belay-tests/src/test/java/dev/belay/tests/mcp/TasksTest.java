package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tool.ToolEffect;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of a server park their calls. */
@Timeout(180)
class TasksTest extends TaskCase {

    @Test
    void aTaskParksItsCallUntilItHasEnded() throws Exception {
        assertThat(run("build", server.described())).contains("built");
        assertThat(server.begun).containsExactly("build");
        assertThat(server.heard("tasks/get")).isEqualTo(3);
    }

    @Test
    void aQuestionThatFindsATaskAtWorkWritesOnlyTheNextWakeUp() throws Exception {
        server.working = 6;
        List<String> written = Collections.synchronizedList(new ArrayList<>());
        try (Belay belay = open("build", server.described(), (moment, write) -> {
            if (moment == JournalProbe.Moment.BEFORE) {
                written.add(write);
            }
        })) {
            belay.session("s").turn("Go.").run();
        }
        List<String> between = List.copyOf(written)
                .stream()
                .filter(write -> write.contains("task/1"))
                .toList();
        assertThat(between.stream().filter(write -> write.contains("wake/"))).hasSize(6);
        assertThat(between.stream().filter(write -> !write.contains("wake/"))).hasSize(1);
    }

    @Test
    void aTaskIsFoundAgainByTheNextProcessAndBegunOnce() throws Exception {
        server.working = 1_000_000;
        try (Belay first = open("build", server.described())) {
            first.session("s").turn("Go.").id("go").submit();
            while (server.heard("tasks/get") < 2) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
        server.working = 0;
        server.gate = new CountDownLatch(1);
        try (Belay next = builder("build", McpServers.of(server.described()), JournalProbe.NONE)) {
            server.gate.countDown(); // its tools are not there yet when the turn is taken over
            assertThat(next.session("s").turn("Go.").id("go").run().ended().text()).contains("built");
        }
        assertThat(server.begun).containsExactly("build");
        assertThat(server.heard("tasks/cancel")).isZero();
    }

    @Test
    void aTaskThatTheServerDoesNotKnowIsInDoubt() throws Exception {
        try (Belay belay = open("forgotten", server.described())) {
            TurnResult.Ended result = belay.session("s").turn("Go.").run().ended();
            assertThat(result.doubts()).hasSize(1);
            assertThat(result.text()).contains("mcp_task_lost", "forgotten-1");
        }
        try (Belay belay = open("forgotten", server.described().effect(ToolEffect.READ))) {
            assertThat(belay.session("reads").turn("Go.").run().ended().doubts()).isEmpty();
        }
    }

    @Test
    void aCallThatSomethingElseAnsweredIsInDoubt() throws Exception {
        for (String garbage : List.of("\"error\":\"upstream timeout\"", "\"result\":null", "\"status\":504",
                "\"result\":{\"message\":\"upstream timeout\"}", "\"error\":{\"code\":\"504\"}")) {
            server.instead = garbage;
            try (Belay belay = open("build", server.described())) {
                TurnResult.Ended result = belay.session(garbage.replaceAll("[^a-z0-9]", "-"))
                        .turn("Go.")
                        .run()
                        .ended();
                assertThat(result.doubts()).as(garbage).hasSize(1);
                assertThat(result.text()).as(garbage).contains("mcp_connection_lost", "may have happened");
            }
        }
        server.instead = "\"error\":{\"code\":-32000,\"message\":\"closed\"}";
        try (Belay belay = open("build", server.described())) {
            TurnResult.Ended result = belay.session("refused").turn("Go.").run().ended();
            assertThat(result.doubts()).isEmpty();
            assertThat(result.text()).contains("mcp_error", "closed");
        }
    }

    @Test
    void aTaskThatEndsWithoutTheResultOfAToolIsInDoubt() throws Exception {
        for (String garbage : List.of("{}", "null", "7", "{\"content\":\"built\"}")) {
            server.built = garbage;
            try (Belay belay = open("build", server.described())) {
                TurnResult.Ended result = belay.session("ends-" + garbage.replaceAll("[^a-z0-9]", "-"))
                        .turn("Go.")
                        .run()
                        .ended();
                assertThat(result.doubts()).as(garbage).hasSize(1);
                assertThat(result.text()).as(garbage).contains("may have happened");
            }
        }
    }

    @Test
    void aTaskWithAnEndlessIntervalIsAskedForAllTheSame() throws Exception {
        server.interval = "-1e400";
        assertThat(run("build", server.described())).contains("built");
    }

    @Test
    void aTaskThatAsksWhatCannotBeReadIsInDoubt() throws Exception {
        for (String odd : List.of("7", "[]",
                "{\"joke\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":7}}}")) {
            server.odd = odd;
            try (Belay belay = open("asking", server.described().sampling(McpServer.Sampling.ALLOWED))) {
                TurnResult.Ended result = belay.session("odd-" + odd.length()).turn("Go.").run().ended();
                assertThat(result.doubts()).as(odd).hasSize(1);
                assertThat(result.text()).as(odd).contains("mcp_result_unsupported", "cannot be read");
            }
        }
    }

    @Test
    void aTaskThatItsServerHasForgottenDuringARestartIsInDoubt() throws Exception {
        server.working = 1_000_000;
        leaveATask();
        server.forget();
        try (Belay next = open("build", server.described())) {
            TurnResult.Ended result = next.session("s").turn("Go.").id("go").run().ended();
            assertThat(result.doubts()).hasSize(1);
            assertThat(result.text()).contains("mcp_task_lost", "build-1");
        }
        assertThat(server.begun).containsExactly("build");
    }

    @Test
    void aTaskWhoseServerIsAwayAfterARestartWaitsForIt() throws Exception {
        server.working = 1_000_000;
        leaveATask();
        server.away = true;
        server.working = 0;
        try (Belay next = builder("build", kept(), JournalProbe.NONE)) {
            InputHandle input = next.session("s").turn("Go.").id("go").submit();
            tried(2);
            assertThat(next.doubts().open(0, 9)).isEmpty();
            server.away = false;
            TurnResult.Ended result = input.awaitCommit();
            assertThat(result.text()).contains("built");
            assertThat(result.doubts()).isEmpty();
        }
        assertThat(server.begun).containsExactly("build");
    }

    @Test
    void aServerThatIsAwayAtTheStartOffersTheToolsThatItListedLast() throws Exception {
        kept().close();
        server.away = true;
        try (Belay belay = builder("build", kept(), JournalProbe.NONE)) {
            assertThat(belay.session("new").turn("Go.").run().ended().text())
                    .contains("mcp_server_unavailable");
            assertThat(belay.doubts().open(0, 9)).isEmpty();
        }
        assertThat(server.begun).isEmpty();
    }

    @Test
    void tasksOf2025ParkToo() throws Exception {
        server.legacy = true;
        assertThat(run("build", server.described())).contains("built");
        assertThat(server.last("tools/call")).contains("\"task\":{\"ttl\":86400000}");
        assertThat(server.heard("tasks/get")).isEqualTo(3);
        try (Belay belay = open("fails", server.described())) {
            TurnResult.Ended result = belay.session("fails").turn("Go.").run().ended();
            assertThat(result.text()).contains("mcp_tool_error", "no bricks");
            assertThat(result.doubts()).isEmpty();
        }
    }

    @Test
    void aTaskOf2025IsFoundAgainByTheNextProcess() throws Exception {
        server.legacy = true;
        server.working = 1_000_000;
        leaveATask();
        server.working = 0;
        assertThat(open("build", server.described())).satisfies(next -> {
            try (next) {
                assertThat(next.session("s").turn("Go.").id("go").run().ended().text()).contains("built");
            }
        });
        assertThat(server.begun).containsExactly("build");
    }

    @Test
    void aCancelReachesTheTask() throws Exception {
        try (Belay belay = open("endless", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            while (server.heard("tasks/get") < 3) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
            input.cancel("enough");
            input.awaitCommit();
            while (server.heard("tasks/cancel") == 0) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
        assertThat(server.last("tasks/cancel")).contains("endless-1");
    }

    @Test
    void aListThatCannotBeReadOrKeptHarmsNoServer() throws Exception {
        Files.createDirectory(folder.resolve("tools.json.works")); // nothing can be kept under this name
        try (Belay belay = builder("build", kept(), JournalProbe.NONE)) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("built");
        }
        Files.delete(folder.resolve("tools.json.works"));
        Files.writeString(folder.resolve("tools.json.works"), "{\"tools\":7}");
        try (Belay belay = builder("build", kept(), JournalProbe.NONE)) {
            assertThat(belay.session("t").turn("Go.").run().ended().text()).contains("built");
        }
    }

    @Test
    void aListOfAnEarlierProcessApprovesNothing() throws Exception {
        kept().close();
        Files.delete(folder.resolve("tools.json"));
        server.away = true;
        try (McpServers servers = new McpServers(McpPins.file(folder.resolve("tools.json")))
                .attach(server.described());
                Belay belay = builder("build", servers, JournalProbe.NONE)) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("unknown_tool");
        }
    }
}
