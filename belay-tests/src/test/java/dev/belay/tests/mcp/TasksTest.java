package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks and questions of a server park their calls. */
@Timeout(180)
class TasksTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final TaskServer server = server();
    private final SharedMemory records = new SharedMemory();
    private boolean files;

    @TempDir
    Path folder;

    private static TaskServer server() {
        try {
            return new TaskServer();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Model calling(String tool) {
        return SessionBench.model(request -> SessionBench.roundsSinceUser(request) == 0
                ? SessionBench.calls(List.of(new CallPart("c", "mcp__works__" + tool, "{}")))
                : SessionBench.text("done: " + SessionBench.lastReplies(request)));
    }

    private static McpServers attached(McpServer described) throws InterruptedException {
        McpServers servers = McpServers.of(described);
        assertThat(servers.await(LONG)).as("%s", servers.list()).isTrue();
        return servers;
    }

    private Belay open(String tool, McpServer described) throws InterruptedException {
        return open(tool, described, JournalProbe.NONE);
    }

    private Belay open(String tool, McpServer described, JournalProbe probe) throws InterruptedException {
        return builder(tool, attached(described), probe);
    }

    private Belay builder(String tool, McpServers servers, JournalProbe probe) {
        return Belay.builder()
                .model(calling(tool))
                .plugin(servers)
                .store(records.open(probe))
                .parkAfter(Duration.ZERO)
                .drain(Duration.ZERO)
                .build();
    }

    private String run(String tool, McpServer described) throws InterruptedException {
        try (Belay belay = open(tool, described)) {
            return belay.session("s").turn("Go.").run().text();
        }
    }

    /** The only wait, once it is there. */
    private static PendingWait waiting(Belay belay) throws InterruptedException {
        while (true) {
            List<PendingWait> open = belay.pending(null, 10).items();
            if (!open.isEmpty()) {
                return open.getFirst();
            }
            TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
        }
    }

    private static Delivery answer(Belay belay, PendingWait wait, String answer) {
        return belay.resolve(belay.reissue(wait.keyId()).token(), Resolution.ok(Json.of(answer)));
    }

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
            assertThat(next.session("s").turn("Go.").id("go").run().text()).contains("built");
        }
        assertThat(server.begun).containsExactly("build");
        assertThat(server.heard("tasks/cancel")).isZero();
    }

    @Test
    void aTaskThatTheServerDoesNotKnowIsInDoubt() throws Exception {
        try (Belay belay = open("forgotten", server.described())) {
            TurnResult result = belay.session("s").turn("Go.").run();
            assertThat(result.doubts()).hasSize(1);
            assertThat(result.text()).contains("mcp_task_lost", "forgotten-1");
        }
        try (Belay belay = open("forgotten", server.described().effect(ToolEffect.READ))) {
            assertThat(belay.session("reads").turn("Go.").run().doubts()).isEmpty();
        }
    }

    @Test
    void aTaskThatItsServerHasForgottenDuringARestartIsInDoubt() throws Exception {
        server.working = 1_000_000;
        leaveATask();
        server.forget();
        try (Belay next = open("build", server.described())) {
            TurnResult result = next.session("s").turn("Go.").id("go").run();
            assertThat(result.doubts()).hasSize(1);
            assertThat(result.text()).contains("mcp_task_lost", "build-1");
        }
        assertThat(server.begun).containsExactly("build");
    }

    private void leaveATask() throws InterruptedException {
        try (Belay first = builder("build", kept(), JournalProbe.NONE)) {
            first.session("s").turn("Go.").id("go").submit();
            while (server.heard("tasks/get") < 2) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
    }

    /** Servers whose tools are kept in a file for the next process. */
    private McpServers kept() throws InterruptedException {
        var servers = new McpServers(McpPins.file(folder.resolve("tools.json"))).attach(server.described());
        servers.await(LONG);
        return servers;
    }

    /** The next process has tried to reach the server so often. */
    private void tried(int times) throws InterruptedException {
        long before = server.heard("server/discover");
        while (server.heard("server/discover") < before + times) {
            TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
        }
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
            TurnResult result = input.await();
            assertThat(result.text()).contains("built");
            assertThat(result.doubts()).isEmpty();
        }
        assertThat(server.begun).containsExactly("build");
    }

    @Test
    void aQuestionWhoseServerIsAwayAfterARestartIsAnsweredWhenItIsBack() throws Exception {
        try (Belay first = builder("confirm", kept(), JournalProbe.NONE)) {
            first.session("s").turn("Go.").id("go").submit();
            waiting(first);
        }
        server.away = true;
        try (Belay next = builder("confirm", kept(), JournalProbe.NONE)) {
            InputHandle input = next.session("s").turn("Go.").id("go").submit();
            answer(next, waiting(next), "{\"action\":\"accept\",\"content\":{\"sure\":true}}");
            tried(2);
            server.away = false;
            assertThat(input.await().text()).contains("said accept", "sealed");
            assertThat(next.doubts().open(0, 9)).isEmpty();
        }
    }

    @Test
    void aServerThatIsAwayAtTheStartOffersTheToolsThatItListedLast() throws Exception {
        kept().close();
        server.away = true;
        try (Belay belay = builder("build", kept(), JournalProbe.NONE)) {
            assertThat(belay.session("new").turn("Go.").run().text()).contains("mcp_server_unavailable");
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
            TurnResult result = belay.session("fails").turn("Go.").run();
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
                assertThat(next.session("s").turn("Go.").id("go").run().text()).contains("built");
            }
        });
        assertThat(server.begun).containsExactly("build");
    }

    @Test
    void aTaskThatIsRefusedItsQuestionIsCancelledAndInDoubt() throws Exception {
        try (Belay belay = open("asking", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            waiting(belay);
            input.cancel("enough");
            assertThat(input.await().doubts()).as("the task had begun").hasSize(1);
            while (server.heard("tasks/cancel") == 0) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
        assertThat(server.last("tasks/cancel")).contains("asking-1");
    }

    @Test
    void samplingCountsForTheTurnAndHasAnEnd() throws Exception {
        List<String> limits = Collections.synchronizedList(new ArrayList<>());
        Model model = SessionBench.model(request -> {
            limits.add(request.generation().maxOutputTokens().toString());
            return request.tools().isEmpty()
                    ? SessionBench.text("A joke.")
                    : SessionBench.roundsSinceUser(request) == 0
                            ? SessionBench.calls(List.of(
                                    new CallPart("c", "mcp__works__" + request.messages()
                                            .getLast()
                                            .toString()
                                            .replaceAll("(?s).*text=(\\w+).*", "$1"), "{}")))
                            : SessionBench.text("done: " + SessionBench.lastReplies(request));
        });
        McpServers servers = attached(server.described().sampling(McpServer.Sampling.ALLOWED));
        try (Belay belay = Belay.builder().model(model).plugin(servers).store(records.open()).build()) {
            TurnResult once = belay.session("s").turn("sample").run();
            assertThat(once.text()).contains("the model said A joke.");
            // two questions of the turn (7 and 10 in, 3 and 5 out) and one of the server (10 in, 5 out)
            assertThat(once.usage().input()).hasValue(27);
            assertThat(once.usage().output()).hasValue(13);
            assertThat(limits.get(1)).as("9999 were asked for").isEqualTo("OptionalInt[4096]");
            limits.clear();
            TurnResult greedy = belay.session("t").turn("greedy").run();
            assertThat(greedy.text()).contains("mcp_sampling_refused", "more than 10 times");
            assertThat(limits).hasSize(12).filteredOn("OptionalInt[50]"::equals).hasSize(10);
        }
    }

    @Test
    void aCancelReachesTheTask() throws Exception {
        try (Belay belay = open("endless", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            while (server.heard("tasks/get") < 3) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
            input.cancel("enough");
            input.await();
            while (server.heard("tasks/cancel") == 0) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
        assertThat(server.last("tasks/cancel")).contains("endless-1");
    }

    @Test
    void aQuestionOfTheServerParksAndNamesTheServer() throws Exception {
        try (Belay belay = open("confirm", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            PendingWait wait = waiting(belay);
            assertThat(wait.kind()).isEqualTo(PendingWait.Kind.EVENT);
            assertThat(wait.tool()).isEqualTo("mcp__works__confirm");
            assertThat(wait.announcement()).contains("MCP server works", "tool confirm",
                    "Delete all\\u{202E} files?", "\"sure\"");
            assertThat(answer(belay, wait, "{\"action\":\"accept\",\"content\":{\"sure\":\"perhaps\"}}"))
                    .isInstanceOf(Delivery.Refused.class);
            assertThat(answer(belay, wait, "{\"action\":\"accept\",\"content\":{\"sure\":true}}"))
                    .isInstanceOf(Delivery.Accepted.class);
            assertThat(input.await().text())
                    .contains("said accept {\\\"sure\\\":true,\\\"why\\\":\\\"none\\\"} sealed"
                            .replace("\\\"", "\""));
        }
    }

    @Test
    void aQuestionOfATaskParksToo() throws Exception {
        try (Belay belay = open("asking", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            answer(belay, waiting(belay),
                    "{\"action\":\"accept\",\"content\":{\"sure\":false,\"why\":\"no\"}}");
            assertThat(input.await().text()).contains("answered {\"sure\":false,\"why\":\"no\"}");
        }
        assertThat(server.begun).containsExactly("asking");
    }

    @ParameterizedTest
    @CsvSource({"true, mcp_error", "false, mcp_task_cancelled"})
    void aTaskWithoutAResultIsInDoubtAlsoAfterItHasAsked(boolean refuses, String code) throws Exception {
        server.refuses = refuses;
        server.cancels = true;
        try (Belay belay = open("asking", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            answer(belay, waiting(belay),
                    "{\"action\":\"accept\",\"content\":{\"sure\":true,\"why\":\"\"}}");
            TurnResult result = input.await();
            assertThat(result.text()).contains(code);
            assertThat(result.doubts()).hasSize(1);
            assertThat(belay.session("s").turn("Go.").run().text()).contains("doubt_unsettled");
        }
        assertThat(server.begun).containsExactly("asking");
    }

    @Test
    void aListThatCannotBeReadOrKeptHarmsNoServer() throws Exception {
        Files.createDirectory(folder.resolve("tools.json.works")); // nothing can be kept under this name
        try (Belay belay = builder("build", kept(), JournalProbe.NONE)) {
            assertThat(belay.session("s").turn("Go.").run().text()).contains("built");
        }
        Files.delete(folder.resolve("tools.json.works"));
        Files.writeString(folder.resolve("tools.json.works"), "{\"tools\":7}");
        try (Belay belay = builder("build", kept(), JournalProbe.NONE)) {
            assertThat(belay.session("t").turn("Go.").run().text()).contains("built");
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
            assertThat(belay.session("s").turn("Go.").run().text()).contains("unknown_tool");
        }
    }

    @Test
    void aServerAsksTheModelOnlyAfterAPersonAllowedIt() throws Exception {
        try (Belay belay = open("sample", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            PendingWait wait = waiting(belay);
            assertThat(wait.announcement()).contains("MCP server works", "May it ask the model", "A joke?");
            answer(belay, wait, "{\"action\":\"accept\"}");
            assertThat(input.await().text()).contains("the model said");
        }
        try (Belay belay = open("sample", server.described())) {
            InputHandle input = belay.session("refused").turn("Go.").submit();
            answer(belay, waiting(belay), "{\"action\":\"decline\"}");
            assertThat(input.await().text()).contains("mcp_sampling_refused");
        }
        String allowed = run("sample", server.described().sampling(McpServer.Sampling.ALLOWED));
        assertThat(allowed).contains("the model said");
    }

    @Test
    void onlyWhatCanBeAnsweredIsDeclared() throws Exception {
        run("where", server.described()
                .roots(Path.of("/srv/work"))
                .sampling(McpServer.Sampling.REFUSED));
        assertThat(server.last("tools/call")).contains("\"roots\":{}", "\"elicitation\":{",
                "\"io.modelcontextprotocol/tasks\":{}").doesNotContain("sampling");
        assertThat(server.heard.toString()).contains("file:///srv/work");
        run("build", server.described());
        assertThat(server.last("tools/call")).contains("\"sampling\":{}").doesNotContain("\"roots\"");
    }

    @Test
    void aCallThatMayBeRepeatedComesToTheSameAfterEachDeath() throws Exception {
        everyDeath(server.described().effect(ToolEffect.READ), false, Duration.ofMinutes(1)); // holds its thread
    }

    @Test
    void aTaskIsBegunAtMostOnceAfterEachDeath() throws Exception {
        everyDeath(server.described(), true, Duration.ZERO); // parks at once
    }

    @Test
    void onAFileATaskIsBegunAtMostOnceAfterEachDeath() throws Exception {
        files = true;
        everyDeath(server.described(), true, Duration.ZERO);
    }

    /** A place for the records of a process and the next one: memory, or a new file. */
    private Function<JournalProbe, SessionStore> place(int number) {
        if (!files) {
            return new SharedMemory()::open;
        }
        Path file = folder.resolve("deaths-" + number + ".db");
        return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
    }

    private void everyDeath(McpServer described, boolean once, Duration parkAfter) throws Exception {
        server.working = 1;
        int deaths = 0;
        for (int at = 0;; at++) {
            Function<JournalProbe, SessionStore> place = place(at);
            int before = server.begun.size();
            boolean died = dies(place, described, parkAfter, at);
            try (Belay next = on(place, described, parkAfter, JournalProbe.NONE)) {
                TurnResult result = next.session("s").turn("Go.").id("go").run();
                if (once && !result.doubts().isEmpty()) {
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
    }

    private Belay on(Function<JournalProbe, SessionStore> place, McpServer described, Duration parkAfter,
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
    private boolean dies(Function<JournalProbe, SessionStore> place, McpServer described, Duration parkAfter,
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
