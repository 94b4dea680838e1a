package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.mcp.client.LiveServer;
import dev.belay.tool.ToolCaller;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that misbehaves harms neither this process nor the server beside it, and leaves nothing behind. */
@Timeout(120)
class HostileServerTest {

    private static final LiveServer.Backoff QUICK = new LiveServer.Backoff(Duration.ofMillis(20),
            Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofMillis(20));

    private static String echo(McpServers servers, String server, String text) {
        return ToolCaller.of(servers.tools())
                .call("mcp__" + server + "__echo", "{\"text\":\"" + text + "\"}")
                .text();
    }

    private static McpServers beside(String... how) throws InterruptedException {
        var servers = new McpServers(McpPins.inMemory(), QUICK);
        servers.attach(McpServer.program("good", ScriptedServer.command("modern")));
        assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
        servers.attach(McpServer.program("bad", ScriptedServer.command(how)));
        return servers;
    }

    private static void nothingIsLeft(List<ProcessHandle> before) {
        List<ProcessHandle> left = ProcessHandle.current()
                .descendants()
                .filter(one -> !before.contains(one))
                .filter(ProcessHandle::isAlive)
                .toList();
        left.forEach(one -> one.onExit().join()); // a process that was killed is listed until it is collected
        assertThat(left).noneMatch(ProcessHandle::isAlive);
    }

    /** Messages are, in this order: server/discover, initialize, notifications/initialized, tools/list. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aServerThatDiesWhileItIsConnectedIsAlone(int message) throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        try (McpServers servers = beside("die-at=" + message)) {
            assertThat(servers.await(Duration.ofSeconds(60))).isFalse();
            assertThat(servers.list().getFirst().problem()).contains("exit code 9");
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
        nothingIsLeft(before);
    }

    @Test
    void aServerThatDiesAtEveryCallFailsEachAloneAndKeepsItsTools() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        try (McpServers servers = beside("die-at=5")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            for (int i = 0; i < 3; i++) {
                assertThat(echo(servers, "bad", "x")).contains("mcp_connection_lost", "exit code 9");
                assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
            }
            assertThat(servers.list().getFirst().tools()).contains("mcp__bad__echo");
        }
        nothingIsLeft(before);
    }

    @Test
    void aServerThatNeverAnswersHoldsUpNoOther() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        try (McpServers servers = beside("silent")) {
            assertThat(servers.await(Duration.ofMillis(100))).isFalse();
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
            assertThat(servers.list()).extracting(McpStatus::state)
                    .containsExactly(McpStatus.State.CONNECTING, McpStatus.State.READY);
        }
        nothingIsLeft(before);
    }

    @Test
    void aHundredMegabytesWithoutALineBreakEndTheConnectionAlone() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        try (McpServers servers = beside("flood")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(echo(servers, "bad", "x")).contains("mcp_connection_lost");
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
        nothingIsLeft(before);
    }

    @Test
    void pingsThatAreTakenAreAnsweredAndHoldUpNoCall(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        try (McpServers servers = beside("polite-pings", "log=" + log)) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(echo(servers, "bad", "x")).isEqualTo("x");
            assertThat(echo(servers, "bad", "y")).isEqualTo("y");
            while (Files.readAllLines(log).stream().filter(" null"::equals).count() < 200) { // replies have no method
                Thread.onSpinWait();
            }
            assertThat(servers.list().getFirst().state()).isEqualTo(McpStatus.State.READY);
        }
    }

    /** An answer proves that the server has read the request, so that the next one may be written by the thread that asks. */
    @Test
    void theIdOfARequestCannotBeGuessed() throws Exception {
        try (McpServers servers = beside("guesses")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            var answer = new CompletableFuture<String>();
            Thread.ofVirtual()
                    .start(() -> answer.complete(
                            ToolCaller.of(servers.tools()).call("mcp__bad__slow", "{}").text()));
            for (int i = 0; i < 20; i++) {
                assertThat(echo(servers, "bad", "read")).isEqualTo("read");
            }
            ToolCaller.of(servers.tools()).call("mcp__bad__die", "{}");
            assertThat(answer.join()).contains("mcp_");
        }
    }

    @Test
    void aListWhosePagesHaveNoEndEndsTheConnectionAlone() throws Exception {
        try (McpServers servers = beside("endless-list")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isFalse();
            assertThat(servers.list().getFirst().problem())
                    .contains("lists tools of more than 16777216 characters");
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
    }

    @Test
    void namesThatAreWrittenAlikeStayApart() throws Exception {
        try (McpServers servers = beside("alike")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            List<String> alike = servers.list()
                    .getFirst()
                    .tools()
                    .stream()
                    .filter(name -> name.startsWith("mcp__bad__an_echo"))
                    .toList();
            assertThat(alike).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void aServerThatIsSilentAboutTheNewerRevisionIsGreetedWithTheOlder() throws Exception {
        try (McpServers servers = beside("mute-probe")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(servers.list().getFirst().revision()).isEqualTo("2025-11-25");
            assertThat(echo(servers, "bad", "x")).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void aServerThatRefusesARevisionIsSpokenToInTheOneThatItNames(String named) throws Exception {
        try (McpServers servers = beside("modern", "supported={\"supported\":[\"" + named + "\"]}")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(servers.list().getFirst().revision()).isEqualTo(named);
            assertThat(echo(servers, "bad", "x")).isEqualTo("x");
        }
    }

    @Test
    void aServerThatRefusesARevisionAndNamesNoneIsAway() throws Exception {
        try (McpServers servers = beside("modern", "supported=7")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isFalse();
            assertThat(servers.list().getFirst().problem()).contains("-32022", "not this one");
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
    }

    @Test
    void aListWhosePagesGoInACircleIsReadOnce(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        try (McpServers servers = beside("circle", "log=" + log)) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(Files.readAllLines(log)).filteredOn(line -> line.startsWith("tools/list")).hasSize(2);
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
    }

    @Test
    void whatAProgramHasStartedEndsWithIt() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        List<ProcessHandle> started; // a child whose parent has ended is no descendant any more
        try (McpServers servers = beside("child")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            started = ProcessHandle.current().descendants().filter(one -> !before.contains(one)).toList();
            assertThat(started).hasSize(3);
        }
        started.forEach(one -> one.onExit().orTimeout(10, TimeUnit.SECONDS).join());
    }

    @Test
    void aServerThatDoesNotComeBackKeepsItsToolsAndDidNothing(@TempDir Path folder) throws Exception {
        try (McpServers servers = beside("once=" + folder.resolve("mark"), "die-at=5")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(echo(servers, "bad", "x")).contains("mcp_connection_lost");
            assertThat(echo(servers, "bad", "x")).contains("mcp_server_unavailable", "exit code 7")
                    .doesNotContain("may have happened");
            assertThat(servers.list().getFirst().tools()).contains("mcp__bad__echo");
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
    }

    @Test
    void aToolThatIsGoneBeforeItsCallHasEndedIsAnswered() throws Exception {
        try (McpServers servers = beside("vanish")) {
            assertThat(servers.await(Duration.ofSeconds(60))).isTrue();
            assertThat(echo(servers, "bad", "x")).isEqualTo("it was there");
            while (servers.list().getFirst().tools().contains("mcp__bad__echo")) {
                Thread.onSpinWait();
            }
            assertThat(echo(servers, "bad", "x")).contains("unknown_tool");
            assertThat(echo(servers, "good", "still here")).isEqualTo("still here");
        }
    }
}
