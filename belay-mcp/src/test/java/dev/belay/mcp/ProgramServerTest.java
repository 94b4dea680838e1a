package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.json.Json;
import dev.belay.mcp.client.LiveServer;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Actor;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are programs. */
@Timeout(60)
class ProgramServerTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final LiveServer.Backoff QUICK = new LiveServer.Backoff(Duration.ofMillis(20),
            Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofMillis(20));

    @TempDir
    Path folder;

    private final McpServers servers = new McpServers(McpPins.inMemory(), QUICK);

    @AfterEach
    void close() {
        servers.close();
    }

    private McpServer server(String... how) {
        return McpServer.program("files", ScriptedServer.command(how));
    }

    private void attach(McpServer server) throws InterruptedException {
        servers.attach(server);
        assertThat(servers.await(LONG)).as("%s", servers.list()).isTrue();
    }

    private String call(String tool, String arguments) {
        return ToolCaller.of(servers.tools()).call(tool, arguments).text();
    }

    private ToolDefinition tool(String name) {
        return servers.tools()
                .definitions()
                .stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void until(java.util.function.BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("waited in vain");
            }
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void toolsOfAServerOfEitherRevisionAreCalled(String revision) throws Exception {
        attach(server(revision));
        assertThat(call("mcp__files__echo", "{\"text\":\"Grüße 🌍\"}")).isEqualTo("Grüße 🌍");
        assertThat(call("mcp__files__add", "{\"a\":2,\"b\":3}")).isEqualTo("{\"sum\":5}");
        assertThat(servers.list().getFirst().revision())
                .isEqualTo(revision.equals("modern") ? "2026-07-28" : "2025-11-25");
    }

    @Test
    void argumentsAreValidatedByTheSchemaOfTheServerBeforeAnythingIsSent() throws Exception {
        Path log = folder.resolve("log");
        attach(server("log=" + log));
        assertThat(call("mcp__files__add", "{\"a\":\"two\"}")).contains("invalid_arguments", "/a",
                "\"b\" is missing");
        assertThat(Files.readString(log)).doesNotContain("tools/call");
    }

    @Test
    void whatAToolSaysOfItsFailureReachesTheModel() throws Exception {
        attach(server());
        assertThat(call("mcp__files__fail", "{}"))
                .isEqualTo("Error (mcp_tool_error): the printer is out of paper");
    }

    @Test
    void aResultThatBreaksItsOwnSchemaIsAnInvalidOutput() throws Exception {
        attach(server());
        String name = servers.list()
                .getFirst()
                .tools()
                .stream()
                .filter(one -> one.contains("wrong"))
                .findFirst()
                .orElseThrow();
        assertThat(call(name, "{}")).contains("invalid_tool_output", "\"sum\"");
    }

    @Test
    void aBadToolIsLeftOutAloneWithTheReason() throws Exception {
        attach(server());
        assertThat(servers.list().getFirst().left())
                .isEqualTo(Map.of("no schema", "its inputSchema is missing"));
        assertThat(servers.list().getFirst().tools()).contains("mcp__files__echo");
    }

    @Test
    void aNameWithOtherCharactersGetsAHashOfItself() throws Exception {
        attach(server());
        // SHA-256 of "wrong.sum" begins with these digits (sha256sum)
        assertThat(servers.list().getFirst().tools()).contains("mcp__files__wrong_sum_" + sha("wrong.sum"));
    }

    private static String sha(String text) throws Exception {
        Process process = new ProcessBuilder("sha256sum").start();
        try (var out = process.getOutputStream()) {
            out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                .substring(0, 8);
    }

    @Test
    void toolsAreOnceUnlessTheHostOrATrustedServerSaysOtherwise() throws Exception {
        attach(server());
        assertThat(tool("mcp__files__echo").manifest().effect()).isEqualTo(ToolEffect.ONCE);
        servers.detach("files");
        attach(server().trusted());
        assertThat(tool("mcp__files__echo").manifest().effect()).isEqualTo(ToolEffect.READ);
        assertThat(tool("mcp__files__slow").manifest().effect()).isEqualTo(ToolEffect.ONCE);
        servers.detach("files");
        attach(server().trusted().effect(ToolEffect.IDEMPOTENT).effect("echo", ToolEffect.ONCE));
        assertThat(tool("mcp__files__echo").manifest().effect()).isEqualTo(ToolEffect.ONCE);
        assertThat(tool("mcp__files__slow").manifest().effect()).isEqualTo(ToolEffect.IDEMPOTENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stray", "twice", "foreign-ids"})
    void strayOutputSecondRepliesAndForeignIdsChangeNothing(String how) throws Exception {
        attach(server(how));
        assertThat(call("mcp__files__echo", "{\"text\":\"one\"}")).isEqualTo("one");
        assertThat(call("mcp__files__echo", "{\"text\":\"two\"}")).isEqualTo("two");
    }

    @Test
    void aProgramThatDiesInACallMayHaveDoneItAndIsStartedAgain() throws Exception {
        attach(server());
        assertThat(call("mcp__files__die", "{}")).contains("mcp_connection_lost", "exit code 3",
                "segmentation fault",
                "may have happened");
        assertThat(call("mcp__files__echo", "{\"text\":\"back\"}")).isEqualTo("back");
    }

    @Test
    void aCallThatOnlyReadsIsNotInDoubtWhenItsServerDies() throws Exception {
        attach(server().effect("die", ToolEffect.READ));
        assertThat(call("mcp__files__die", "{}")).contains("mcp_connection_lost")
                .doesNotContain("may have happened");
    }

    @Test
    void aLineWithoutEndEndsTheConnectionAndNotTheProcess() throws Exception {
        attach(server("long-line"));
        assertThat(call("mcp__files__echo", "{\"text\":\"x\"}")).contains("mcp_connection_lost",
                "more than 16777216 bytes");
    }

    @Test
    void anInterruptedCallIsCancelledAtTheServer() throws Exception {
        Path log = folder.resolve("log");
        attach(server("log=" + log));
        var caller = Thread.ofVirtual().start(() -> call("mcp__files__slow", "{}"));
        until(() -> read(log).contains("tools/call"));
        caller.interrupt();
        until(() -> read(log).contains("notifications/cancelled"));
        caller.join();
        assertThat(call("mcp__files__echo", "{\"text\":\"on\"}")).isEqualTo("on");
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aProgramGetsOnlyItsDeclaredVariablesAndFewOthers() throws Exception {
        attach(server().variable("TICKET_KEY", "s3cret"));
        assertThat(List.of(call("mcp__files__environment", "{}").split(","))).contains("TICKET_KEY")
                .isSubsetOf("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TICKET_KEY");
        assertThat(server().variable("TICKET_KEY", "s3cret").toString()).contains("TICKET_KEY")
                .doesNotContain("s3cret");
    }

    @Test
    void aChangedListIsSwappedAsAWhole() throws Exception {
        attach(server("changes"));
        assertThat(servers.list().getFirst().tools()).doesNotContain("mcp__files__late");
        call("mcp__files__echo", "{\"text\":\"x\"}");
        until(() -> servers.list().getFirst().left().containsKey("late"));
        approve("late");
        until(() -> servers.list().getFirst().tools().contains("mcp__files__late"));
        assertThat(servers.list().getFirst().tools()).contains("mcp__files__echo");
    }

    private void approve(String tool) {
        McpPins.Waiting seen = servers.waiting()
                .stream()
                .filter(one -> one.tool().equals(tool))
                .findFirst()
                .orElseThrow();
        try (Belay belay = Belay.builder().build()) {
            assertThat(servers.approve(belay, seen)).isEqualTo(VerbResult.DONE);
        }
    }

    @Test
    void aRenamedToolWaitsForAnApproval() throws Exception {
        attach(server("renames"));
        call("mcp__files__echo", "{\"text\":\"x\"}");
        until(() -> servers.list().getFirst().left().containsKey("echo2"));
        assertThat(servers.list().getFirst().left()).containsEntry("echo2",
                "it is new, and was not approved");
        assertThat(servers.list().getFirst().tools()).doesNotContain("mcp__files__echo", "mcp__files__echo2")
                .contains("mcp__files__add");
        assertThat(call("mcp__files__echo2", "{\"text\":\"x\"}")).contains("unknown_tool");
        assertThat(servers.waiting()).singleElement()
                .satisfies(seen -> assertThat(seen.definition()).contains("Says it again."));
    }

    @Test
    void manyAnnouncedChangesAreOneQuestion() throws Exception {
        Path log = folder.resolve("log");
        var slow = new LiveServer.Backoff(Duration.ofMillis(20), Duration.ofMillis(100), LONG,
                Duration.ofHours(1));
        try (var gathering = new McpServers(McpPins.inMemory(), slow)) {
            gathering.attach(server("changes", "log=" + log));
            assertThat(gathering.await(LONG)).isTrue();
            ToolCaller caller = ToolCaller.of(gathering.tools());
            for (int i = 0; i < 100; i++) {
                caller.call("mcp__files__echo", "{\"text\":\"x\"}"); // announces seven changes
            }
            assertThat(read(log).lines().filter(line -> line.startsWith("tools/list"))).hasSize(1);
        }
    }

    @Test
    void aLongCallIsAnsweredBesideQuickOnes() throws Exception {
        Path log = folder.resolve("log");
        attach(server("log=" + log));
        for (int i = 0; i < 20; i++) {
            call("mcp__files__echo", "{\"text\":\"x\"}");
        }
        var answer = new java.util.concurrent.CompletableFuture<String>();
        Thread.ofVirtual().start(() -> answer.complete(call("mcp__files__later", "{}")));
        until(() -> read(log).contains("\"later\""));
        assertThat(call("mcp__files__echo", "{\"text\":\"y\"}")).isEqualTo("y");
        assertThat(answer.join()).isEqualTo("at last");
    }

    @Test
    void contentIsShownInThePlaceOfAStructuredResult() throws Exception {
        attach(server("worded"));
        assertThat(call("mcp__files__add", "{\"a\":2,\"b\":3}")).isEqualTo("It is five.");
    }

    @Test
    void aToolWhoseDescriptionChangesIsOutUntilItIsApprovedAgain() throws Exception {
        attach(server("poison"));
        call("mcp__files__echo", "{\"text\":\"x\"}");
        until(() -> servers.list().getFirst().left().containsKey("echo"));
        assertThat(call("mcp__files__echo", "{\"text\":\"x\"}")).contains("unknown_tool");
        McpPins.Waiting seen = servers.waiting().getFirst();
        assertThat(seen.definition()).contains("id_rsa");
        try (Belay belay = Belay.builder().build()) {
            BelayClient anna = belay.as(new Actor("anna", "test"));
            assertThat(servers.approve(anna, new McpPins.Waiting("files", "echo", "another hash", "")))
                    .isInstanceOf(VerbResult.NotPossible.class);
            assertThat(servers.approve(anna, seen)).isEqualTo(VerbResult.DONE);
            until(() -> servers.list().getFirst().tools().contains("mcp__files__echo"));
            assertThat(servers.approve(anna, seen)).isEqualTo(VerbResult.ALREADY);
            assertThat(belay.audit(0, 10)).singleElement().satisfies(row -> {
                assertThat(row.note().by().name()).isEqualTo("anna");
                assertThat(row.note().verb()).isEqualTo("mcp_approve");
                assertThat(row.note().target()).isEqualTo("files/echo");
                assertThat(row.note().details().text()).contains(seen.hash());
            });
        }
    }

    @Test
    void anotherProcessApprovesByTheFile() throws Exception {
        Path file = folder.resolve("shared.json");
        try (var asking = new McpServers(McpPins.asking(file), QUICK);
                Belay belay = Belay.builder().build()) {
            asking.attach(server());
            assertThat(asking.await(LONG)).isTrue();
            assertThat(asking.list().getFirst().tools()).isEmpty();
            McpPins other = McpPins.asking(file);
            McpPins.Waiting echo = other.waiting()
                    .stream()
                    .filter(tool -> tool.tool().equals("echo"))
                    .findFirst()
                    .orElseThrow();
            assertThat(other.approve(belay, echo)).isEqualTo(VerbResult.DONE);
            until(() -> asking.list().getFirst().tools().contains("mcp__files__echo"));
            assertThat(asking.list().getFirst().tools()).hasSize(1);
        }
    }

    @Test
    void pinsAreForTheirOwnerAlone() throws Exception {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"),
                "this file system has no users");
        try (var first = new McpServers(McpPins.file(folder.resolve("pins.json")), QUICK)) {
            first.attach(server());
            assertThat(first.await(LONG)).isTrue();
        }
        for (String file : new String[]{"pins.json", "pins.json.files"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void approvedToolsAreKnownInTheNextProcess() throws Exception {
        Path file = folder.resolve("pins.json");
        try (var first = new McpServers(McpPins.file(file), QUICK)) {
            first.attach(server());
            assertThat(first.await(LONG)).isTrue();
        }
        try (var next = new McpServers(McpPins.asking(file), QUICK)) {
            next.attach(server());
            assertThat(next.await(LONG)).isTrue();
            assertThat(next.list().getFirst().tools()).contains("mcp__files__echo");
        }
        try (var strict = new McpServers(McpPins.asking(folder.resolve("other.json")), QUICK)) {
            strict.attach(server());
            assertThat(strict.await(LONG)).isTrue();
            assertThat(strict.list().getFirst().tools()).isEmpty();
        }
        Files.writeString(file, "{");
        assertThatThrownBy(() -> McpPins.file(file)).hasMessageContaining("approve the tools again");
    }

    @Test
    void aServerThatDoesNotStartIsNotTheProblemOfAnother() throws Exception {
        servers.attach(McpServer.program("broken", ScriptedServer.command("die-on-start")));
        servers.attach(McpServer.program("missing", folder.resolve("no-such-program").toString()));
        servers.attach(server());
        assertThat(servers.await(LONG)).isFalse();
        until(() -> servers.list()
                .stream()
                .anyMatch(one -> one.server().equals("files") && one.state() == McpStatus.State.READY));
        assertThat(call("mcp__files__echo", "{\"text\":\"fine\"}")).isEqualTo("fine");
        Optional<McpStatus> broken = servers.list()
                .stream()
                .filter(one -> one.server().equals("broken"))
                .findFirst();
        assertThat(broken.orElseThrow().problem()).contains("exit code 7", "no such licence");
    }

    @Test
    void aServerThatEndsAtOnceTenTimesIsLeftAlone() throws Exception {
        servers.attach(McpServer.program("broken", ScriptedServer.command("die-on-start")));
        until(() -> servers.list().getFirst().state() == McpStatus.State.FAILED);
        assertThat(servers.list().getFirst().problem()).contains("exit code 7");
    }

    @Test
    void detachingEndsTheProgramAndTakesItsToolsAway() throws Exception {
        attach(server("log=" + folder.resolve("log")));
        assertThat(servers.detach("files")).isTrue();
        assertThat(servers.detach("files")).isFalse();
        assertThat(servers.tools().definitions()).isEmpty();
        assertThat(read(folder.resolve("log"))).contains("end of input");
    }

    @Test
    void aProgramThatIgnoresTheSignalIsEnded() throws Exception {
        attach(server("deaf"));
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        assertThat(before).isNotEmpty();
        servers.detach("files");
        before.forEach(one -> assertThat(
                one.onExit().completeOnTimeout(null, 5, java.util.concurrent.TimeUnit.SECONDS).join())
                .isNotNull());
    }

    @Test
    void tenThousandToolsAreListedInPages() throws Exception {
        attach(server("many"));
        assertThat(servers.tools().manifests()).hasSize(10_000);
        assertThat(call("mcp__files__tool9999", "{\"x\":1}")).contains("invalid_arguments");
    }

    @Test
    void twoServersOfOneNameAreRefused() throws Exception {
        attach(server());
        assertThatThrownBy(() -> servers.attach(server())).hasMessageContaining("there is a server files");
        assertThatThrownBy(() -> McpServer.program("no good!", "x"))
                .hasMessageContaining("is no name of a server");
        assertThatThrownBy(() -> McpServer.http("web", java.net.URI.create("file:///etc/passwd")))
                .hasMessageContaining("http://");
    }

    @Test
    void onlyTheToolsThatWereNamedAreTaken() throws Exception {
        attach(server().only("echo"));
        assertThat(servers.list().getFirst().tools()).isEqualTo(List.of("mcp__files__echo"));
    }

    @Test
    void outcomesAreThoseOfAnyOtherTool() throws Exception {
        attach(server());
        var outcome = ToolCaller.of(servers.tools()).call("mcp__files__add", "{\"a\":1,\"b\":1}");
        assertThat(outcome).isEqualTo(new ToolOutcome.Success(Json.of("{\"sum\":2}")));
    }
}
