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

/** The chat in a real pseudo-terminal. */
@Timeout(180)
class ChatVerbTest {

    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String ENTER = "\r";
    private static final String UP = "\u001bOA";

    @TempDir
    Path directory;

    @BeforeEach
    void aPseudoTerminalIsThere() {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
    }

    @Test
    void messagesAreEditedRepeatedAndGoOnInFurtherLines() throws Exception {
        script("{\"text\":\"First.\"}\n{\"text\":\"Second.\"}\n{\"text\":\"Third.\"}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ").type("helo\u007flo" + ENTER).await("First.").await("1 round");
            chat.await("> ").type(UP).await("hello").type(ENTER).await("Second.").await("1 round");
            chat.await("> ").type("one\\" + ENTER + "two" + ENTER).await("Third.").await("1 round");
            chat.await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(messages()).contains("\"text\":\"hello\"", "one\\ntwo");
        assertThat(Files.readString(directory.resolve(".belay/chat-history"))).contains("hello");
    }

    @Test
    void filesAndCommandsAreCompleted() throws Exception {
        Files.writeString(directory.resolve("shopping.txt"), "two ropes");
        script("{\"text\":\"Read.\"}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ").type("sum up @shop\t").await("shopping.txt").type(ENTER).await("Read.");
            chat.await("> ").type("/se\t").await("ssion").type(ENTER).await("one");
            chat.await("> ").type("/exit" + ENTER);
            assertThat(chat.exit()).isZero();
        }
        assertThat(messages()).contains("two ropes");
    }

    @Test
    void ctrlCCancelsTheTurnAndKeepsTheSession() throws Exception {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\"]\n");
        script("{\"calls\":[{\"name\":\"run_command\",\"arguments\":{\"command\":\"sleep 100\"}}]}\n{\"text\":\"After.\"}\n");
        assertThat(new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .run("trust")
                .status())
                .isZero();
        try (Pty chat = new Pty(directory, 80, "chat", "--script", "script.jsonl", "-s", "one", "--approve",
                "all")) {
            chat.await("> ").type("wait" + ENTER).await("run_comma").type(CTRL_C).await("cancelled");
            chat.await("> ").type("go on" + ENTER).await("After.");
            chat.await("> ").type(CTRL_C).await("once more").await("> ").type(CTRL_C);
            assertThat(chat.exit()).isEqualTo(130);
        }
        assertThat(bench("sessions", "show", "one")).contains("After.");
    }

    @Test
    void ctrlCAtAQuestionCancelsTheTurn() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ").type("write" + ENTER).question("Allow it?").type(CTRL_C).await("cancelled");
            chat.await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench("pending")).isEmpty();
    }

    @Test
    void whatIsTypedWhileATurnRunsIsTheDraftOfTheNextMessage() throws Exception {
        script("{\"text\":\"First.\"}\n{\"calls\":[" + WRITE
                + "]}\n{\"text\":\"Second.\"}\n{\"text\":\"Third.\"}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ")
                    .type("one" + ENTER + "two" + ENTER + UP)
                    .await("First.")
                    .await("> ")
                    .await("two");
            chat.type(" more" + ENTER + "y" + ENTER + "then three")
                    .await("is no answer to it.")
                    .question("Allow it?")
                    .type("n" + ENTER)
                    .await("Second.")
                    .await("then three");
            chat.type(ENTER).await("Third.").await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(messages()).contains("\"text\":\"two more\"", "\"text\":\"y\\nthen three\"");
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void endOfInputAtAQuestionLeavesTheCallParked() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ").type("write" + ENTER).question("Allow it?").type(CTRL_D).await("belay approve");
            assertThat(chat.exit()).isEqualTo(5);
        }
        assertThat(bench("pending")).contains("write_file");
    }

    @Test
    void argumentsAreEditedInPlace() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty chat = chat(200)) {
            chat.await("> ")
                    .type("write" + ENTER)
                    .question("Allow it?")
                    .type("e" + ENTER)
                    .await("Arguments, as JSON: ");
            chat.question("\"hello\"}").type("\u007f\u007f\u007f\u007f\u007f\u007f\u007fbye\"}" + ENTER);
            chat.question("Allow it?").type("y" + ENTER).await("After.");
            chat.await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("bye");
    }

    @Test
    void anAnswerOfAnotherCommandEndsTheQuestion() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ").type("write" + ENTER).await("Allow it?");
            String key = bench("pending").lines().skip(1).findFirst().orElseThrow().split(" ", -1)[0];
            assertThat(bench("deny", key, "not now")).contains("denied");
            chat.await("After.").await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
    }

    @Test
    void aTerminalOfTwentyColumnsIsServed() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n{\"text\":\"After.\"}\n");
        try (Pty chat = chat(20)) {
            chat.await("> ").type("write" + ENTER).question("Allow it?").type("y" + ENTER).await("After.");
            chat.await("> ").type(CTRL_D);
            assertThat(chat.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void aKillAtAQuestionLosesNothing() throws Exception {
        script("{\"calls\":[" + WRITE + "]}\n");
        try (Pty chat = chat(80)) {
            chat.await("> ").type("write" + ENTER).await("Allow it?");
        }
        script("{\"text\":\"After.\"}\n");
        try (Pty resumed = new Pty(directory, 80, "resume", "one", "--script", "script.jsonl")) {
            resumed.question("Allow it?").type("y" + ENTER).await("After.");
            assertThat(resumed.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @Test
    void withoutATerminalItSaysWhatToDo() {
        CommandBench.Run run = new CommandBench(directory).run("chat");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("belay run");
    }

    private static final String WRITE = "{\"name\":\"write_file\",\"arguments\":{\"path\":\"out.txt\",\"content\":\"hello\"}}";

    private Pty chat(int columns) throws IOException {
        return new Pty(directory, columns, "chat", "--script", "script.jsonl", "-s", "one");
    }

    private void script(String lines) throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), lines);
    }

    private String messages() {
        return bench("sessions", "show", "one", "--messages");
    }

    private String bench(String... command) {
        return new CommandBench(directory).run(command).out();
    }
}
