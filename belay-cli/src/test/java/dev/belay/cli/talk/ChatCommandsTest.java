package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can be typed in a chat beside messages, in a real pseudo-terminal. */
@Timeout(180)
class ChatCommandsTest {

    private static final String CTRL_D = "\u0004";
    private static final String ENTER = "\r";
    private static final String ALT_ENTER = "\u001b\r";

    @TempDir
    Path directory;

    @BeforeEach
    void aPseudoTerminalIsThere() throws IOException {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        Files.writeString(directory.resolve("script.jsonl"), """
                {"text":"First.","usage":{"input":1200,"output":34}}
                {"text":"Second.","usage":{"input":1300,"output":36}}
                {"text":"Third."}
                """);
    }

    @Test
    void aSlashListsTheCommandsAndAnUnknownOneIsRefusedWithTheNearest() throws Exception {
        try (Pty chat = chat("one")) {
            chat.await("> ").type("/").await("begins a new session").await("compact").await("tools");
            chat.type("cler" + ENTER).await("no command /cler, and nothing was sent. Did you mean /clear?");
            chat.await("> ").type("/nosuch thing" + ENTER).await("nothing was sent");
            chat.await("> ").type("/ " + ENTER).await("nothing was sent");
            chat.await("> ").type("/etc/passwd is a path" + ENTER).await("First.").await("1 round");
            leave(chat);
        }
        assertThat(bench("sessions", "show", "one", "--messages")).contains("/etc/passwd is a path")
                .doesNotContain("cler", "nosuch");
    }

    @Test
    void helpToolsModelCostAndSessionAreTold() throws Exception {
        try (Pty chat = chat("one")) {
            chat.await("> ").type("/help" + ENTER).await("/resume [SESSION]").await("Alt-Enter");
            chat.await("> ").type("/tools" + ENTER).await("write_file");
            chat.await("> ").type("/mcp" + ENTER).await("> ");
            chat.type("/cost" + ENTER).await("no session \"one\" yet");
            chat.await("> ").type("/model small" + ENTER).await("The model small answers.");
            chat.await("> ").type("hello" + ENTER).await("First.").await("1.2k tokens").await("context 1.2k");
            chat.await("> ")
                    .type("/cost" + ENTER)
                    .await("1 turn, 1200 tokens read, 34 tokens written, cost unknown");
            chat.await("> ").type("/compact" + ENTER).await("shorter history");
            chat.await("> ").type("/session" + ENTER).await("one");
            chat.await("> ").type("/quit" + ENTER);
            assertThat(chat.exit()).isZero();
        }
    }

    @Test
    void clearBeginsAnotherSessionAndResumeGoesBackByWhatWasSaid() throws Exception {
        try (Pty chat = chat("one")) {
            chat.await("> ").type("Fix the ropes" + ENTER).await("First.").await("1 round");
            chat.await("> ").type("/clear" + ENTER).await("Session 2");
            chat.await("> ").type("Count the harnesses" + ENTER).await("Second.").await("1 round");
            chat.await("> ").type("/resume" + ENTER).await("Count the harnesses").await("Fix the ropes");
            chat.question("Which session?").type("ropes" + ENTER).await("Session one.");
            chat.await("> ").type("And the knots" + ENTER).await("Third.").await("1 round");
            chat.await("> ").type("/resume nosuch" + ENTER).await("no session \"nosuch\"");
            leave(chat);
        }
        assertThat(bench("sessions", "show", "one")).contains("you: Fix the ropes", "you: And the knots");
        assertThat(bench("sessions", "ls")).contains("TITLE", "Fix the ropes", "Count the harnesses");
    }

    @Test
    void continueAndResumeLetAPersonChoose() throws Exception {
        for (String session : new String[]{"one", "two"}) {
            new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                    .run("run", "-s", session, "--script", "script.jsonl", "Task of " + session);
        }
        try (Pty chat = new Pty(directory, 80, "chat", "--continue", "--script", "script.jsonl")) {
            chat.await("Task of two").await("Task of one").question("Which session?").type("7" + ENTER);
            chat.await("no such session").question("Which session?").type("Task" + ENTER);
            chat.await("More than one").question("Which session?").type("2" + ENTER).await("Session one.");
            leave(chat);
        }
        try (Pty resume = new Pty(directory, 80, "resume", "--script", "script.jsonl")) {
            resume.question("Which session?").type(ENTER).await("First.");
            assertThat(resume.exit()).isZero();
        }
        CommandBench.Run run = new CommandBench(directory).run("resume");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("name a session, or say --all");
    }

    @Test
    void altEnterAndPasteMakeSeveralLinesAndOneEntryOfTheHistory() throws Exception {
        try (Pty chat = chat("one")) {
            chat.await("> ")
                    .type("one" + ALT_ENTER + "two\\" + ENTER + "three" + ENTER)
                    .await("First.")
                    .await("1 round");
            chat.await("> ")
                    .type("\u001b[200~four\nfive\u001b[201~" + ENTER)
                    .await("Second.")
                    .await("1 round");
            chat.await("> ").type("\u001bOA\u001bOA" + ENTER).await("Third.").await("1 round");
            leave(chat);
        }
        assertThat(bench("sessions", "show", "one", "--messages")).contains("\"one\\ntwo\\nthree\"",
                "\"four\\nfive\"");
        assertThat(bench("sessions", "show", "one", "--messages").split("four", -1))
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aFileThatIsNotThereIsTold() throws Exception {
        Files.writeString(directory.resolve("notes.md"), "two ropes");
        try (Pty chat = chat("one")) {
            chat.await("> ")
                    .type("Read @nofile.md and '@notes.md'." + ENTER)
                    .await("there is no file nofile.md")
                    .await("First.");
            leave(chat);
        }
        assertThat(bench("sessions", "show", "one", "--messages")).contains("@nofile.md", "two ropes");
    }

    private void leave(Pty chat) throws Exception {
        chat.await("> ").type(CTRL_D);
        assertThat(chat.exit()).isZero();
    }

    private Pty chat(String session) throws IOException {
        return new Pty(directory, 80, "chat", "--script", "script.jsonl", "-s", session);
    }

    private String bench(String... command) {
        return new CommandBench(directory).run(command).out();
    }
}
