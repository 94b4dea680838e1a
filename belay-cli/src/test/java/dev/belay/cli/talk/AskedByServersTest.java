package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.cli.local.DeskServer;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A question that an MCP server asks during a call: listed, asked at the terminal, answered by another command. */
@Timeout(180)
class AskedByServersTest {

    @TempDir
    Path directory;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[mcp.desk]\ncommand = " + DeskServer.command() + "\neffect = \"read\"\n");
        Files.writeString(directory.resolve("description"), "Greets.");
        Files.writeString(directory.resolve("question"), "");
        Files.writeString(directory.resolve("script.jsonl"),
                "{\"calls\":[{\"name\":\"mcp__desk__greet\",\"arguments\":{}}]}\n{\"text\":\"Done.\"}\n");
        Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        assertThat(bench().run("trust").status()).isZero();
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }

    private static Run go(CommandBench bench, String... more) {
        var command = new ArrayList<>(
                List.of("run", "-s", "one", "--script", "script.jsonl"));
        command.addAll(List.of(more));
        command.add("Go");
        return bench.run(command.toArray(String[]::new));
    }

    private String answered() {
        return bench().run("sessions", "show", "one").out();
    }

    /** The key of what the command waits for; fails with what it has said if it ends before. */
    private String keyId(CompletableFuture<Run> command) {
        while (true) {
            boolean ended = command.isDone();
            String waits = bench().run("pending", "--json").out();
            if (!waits.isBlank()) {
                return Json.of(waits.lines().findFirst().orElseThrow())
                        .get("key_id")
                        .orElseThrow()
                        .asString();
            }
            assertThat(ended).as(() -> "it has ended: " + command.join()).isFalse();
        }
    }

    @Test
    void aPersonAtTheTerminalIsAskedUntilTheAnswerFits() {
        Run run = go(bench().terminals(0, 2).input("high\n{\"shelf\":\"high\"}\n{\"shelf\":4}\n"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("    | MCP server desk asks:\n    |   | Which shelf?\\u{202E}\n", "That is no JSON",
                        "That does not fit: ")
                .doesNotContain("\u202e");
        assertThat(answered()).contains("said {\"action\":\"accept\",\"content\":{\"shelf\":4}}");
    }

    @Test
    void aPersonSaysNo() {
        Run run = go(bench().terminals(0, 2).input("n\n"), "--approve", "all");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(answered()).contains("said {\"action\":\"decline\"}");
    }

    @Test
    void anotherCommandAnswersWhatIsListed() throws Exception {
        var told = new CountDownLatch(1);
        CommandBench asking = bench().watch("--value JSON' answers", told::countDown);
        CompletableFuture<Run> run = CompletableFuture.supplyAsync(() -> go(asking),
                task -> Thread.ofPlatform().start(task));
        String keyId = keyId(run);
        assertThat(bench().run("pending").out()).contains(keyId, "MCP server desk asks:", "Which shelf?");
        assertThat(bench().run("pending", keyId).out()).contains("Which shelf?\\u{202E}", "\"shelf\"",
                "expires: ");
        Run wrong = bench().run("answer", keyId, "--value", "{\"action\":\"perhaps\"}");
        assertThat(wrong.status()).isEqualTo(3);
        assertThat(wrong.err()).contains("does not fit");
        told.await(); // an answer that comes first is not told any more
        assertThat(bench().run("answer", keyId, "--value",
                "{\"action\":\"accept\",\"content\":{\"shelf\":7}}"))
                .isEqualTo(new Run(0, "answered\n", ""));
        assertThat(run.get().status()).as(run.get().err()).isZero();
        assertThat(run.get().err()).contains("'belay answer " + keyId + " --value JSON' answers");
        assertThat(answered()).contains("\"shelf\":7");
        assertThat(bench().run("pending", keyId).status()).isEqualTo(4);
        assertThat(bench().run("answer", keyId, "--value", "{}").status()).isEqualTo(3);
    }

    @Test
    void aCommandThatAsksNobodyDoesNotLetServersAsk() {
        for (String mode : List.of("never", "safe", "all")) {
            assertThat(go(bench(), "--approve", mode).status()).isZero();
            assertThat(answered()).contains("said nothing");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void atTheQuestionCtrlCCancelsTheTurnAndAKillLosesNothing(boolean isKilled) throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        try (Pty run = new Pty(directory, 80, "run", "-s", "one", "--script", "script.jsonl", "Go")) {
            run.await("Your answer: ");
            if (!isKilled) {
                assertThat(run.type("\u0003").exit()).isEqualTo(130);
            }
        }
        if (isKilled) {
            Run resumed = bench().terminals(0, 2)
                    .input("{\"shelf\":4}\n")
                    .run("resume", "one", "--script", "done.jsonl");
            assertThat(answered()).as(resumed.err()).contains("\"shelf\":4");
        } else {
            assertThat(answered()).contains("cancelled");
        }
    }

    @Test
    void whatWasTypedBeforeAServerAsksIsNoAnswer() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        try (Pty run = new Pty(directory, 80, "run", "-s", "one", "--script", "script.jsonl", "Go")) {
            run.type("y\r").await("is no answer to it.").question("Your answer: ").type("n\r");
            assertThat(run.await("Done.").exit()).isZero();
        }
        assertThat(answered()).contains("said {\"action\":\"decline\"}");
    }

    @Test
    void aChatAsksInItsTerminal() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        try (Pty chat = new Pty(directory, 200, "chat", "--script", "script.jsonl", "-s", "one")) {
            chat.await("> ").type("Go\r").question("Your answer: ").type("{\"shelf\":3}\r");
            chat.await("Done.").await("> ").type("\u0004");
            assertThat(chat.exit()).isZero();
        }
        assertThat(answered()).contains("\"shelf\":3");
    }
}
