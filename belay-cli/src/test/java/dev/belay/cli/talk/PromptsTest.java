package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C and {@code kill -9} at every prompt, in a real pseudo-terminal. */
@Timeout(300)
class PromptsTest {

    private static final String CTRL_C = "\u0003";
    private static final String ENTER = "\r";
    private static final String WRITE = "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"out.txt\",\"content\":\"hello\"}}]}\n";

    @TempDir
    Path directory;

    /** How a prompt is reached, and what is left of the session after Ctrl-C. */
    enum Prompt {
        TRUST(130, "", "run -s one --script write.jsonl Write", "trust this workspace"),
        RUN_QUESTION(130, "cancelled", "run -s one --script write.jsonl Write", "Allow it?"),
        RUN_EDIT(130, "cancelled", "run -s one --script write.jsonl Write", "Allow it?", "e",
                "Arguments, as JSON"),
        RUN_ANSWER(130, "cancelled", "run -s one --script write.jsonl Write", "Allow it?", "a",
                "Result, as JSON"),
        CHAT_MESSAGE(130, "", "chat -s one --script write.jsonl", "> "),
        CHAT_QUESTION(0, "cancelled", "chat -s one --script write.jsonl", "> ", "write", "Allow it?"),
        CHAT_EDIT(0, "cancelled", "chat -s one --script write.jsonl", "> ", "write", "Allow it?", "e",
                "Arguments, as JSON"),
        CHAT_ANSWER(0, "cancelled", "chat -s one --script write.jsonl", "> ", "write", "Allow it?", "a",
                "Result, as JSON"),
        APPROVE(130, "active", "approve KEY", "Answer it so?"),
        RESUME_QUESTION(130, "cancelled", "resume one --script done.jsonl", "Allow it?");

        private final int exit;
        private final String left;
        private final String command;
        private final String way;

        Prompt(int exit, String left, String command, String... way) {
            this.exit = exit;
            this.left = left;
            this.command = command;
            this.way = String.join("|", way);
        }
    }

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        Files.writeString(directory.resolve("write.jsonl"), WRITE);
        Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
    }

    @ParameterizedTest
    @EnumSource
    void ctrlCEndsWhatWasAskedAndKeepsTheSession(Prompt prompt) throws Exception {
        try (Pty terminal = at(prompt)) {
            terminal.type(CTRL_C);
            if (prompt == Prompt.CHAT_MESSAGE) {
                terminal.await("once more").await("> ").type(CTRL_C);
            } else if (prompt.name().startsWith("CHAT")) {
                terminal.await("cancelled").await("> ").type("\u0004");
            }
            assertThat(terminal.exit()).as(terminal.screen()).isEqualTo(prompt.exit);
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
        if (!prompt.left.isEmpty()) {
            assertThat(bench().run("sessions", "show", "one").out()).contains(prompt.left);
        }
        assertThat(bench().run("pending").out().contains("write_file"))
                .isEqualTo(prompt.left.equals("active"));
        if (prompt == Prompt.TRUST) {
            assertThat(directory.resolve("home/.local/state/belay/trusted")).doesNotExist();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TRUST", "RUN_QUESTION", "CHAT_MESSAGE", "APPROVE", "RESUME_QUESTION"})
    void aKillLosesNothing(Prompt prompt) throws Exception {
        at(prompt).close();
        assertThat(directory.resolve("out.txt")).doesNotExist();
        if (prompt == Prompt.TRUST || prompt == Prompt.CHAT_MESSAGE) {
            Files.deleteIfExists(directory.resolve("belay.toml"));
            Run run = bench().run("run", "-s", "one", "--script", "done.jsonl", "Hi");
            assertThat(run.out()).as(run.err()).isEqualTo("Done.\n");
            return;
        }
        assertThat(bench().run("pending").out()).contains("write_file");
        Run resumed = bench().terminals(0, 2).input("y\n").run("resume", "one", "--script", "done.jsonl");
        assertThat(resumed.out()).as(resumed.err()).isEqualTo("Done.\n");
        assertThat(directory.resolve("out.txt")).hasContent("hello");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theQuestionOfTheDemoLeavesThePaymentParked(boolean isKilled) throws Exception {
        try (Pty demo = new Pty(directory, 80, "demo", "--directory", "shop")) {
            demo.await("[y/n]");
            if (!isKilled) {
                assertThat(demo.type(CTRL_C).exit()).isEqualTo(130);
            }
        }
        assertThat(bench().run("pending", "--store", "shop/belay.db").out()).contains("approval", "pay");
        assertThat(directory.resolve("shop/bank.txt")).doesNotExist();
    }

    @Test
    void aSecondCtrlCLeavesAtOnceAsACrashWould() throws Exception {
        try (Pty terminal = at(Prompt.RUN_QUESTION);
                Connection other = DriverManager
                        .getConnection("jdbc:sqlite:" + directory.resolve(".belay/belay.db"));
                Statement lock = other.createStatement()) {
            lock.execute("BEGIN EXCLUSIVE"); // the first one cannot record that the turn is cancelled
            terminal.type(CTRL_C).await("again leaves").type(CTRL_C);
            assertThat(terminal.exit()).isEqualTo(130);
            lock.execute("ROLLBACK");
        }
        assertThat(bench().run("pending").out()).contains("write_file");
        assertThat(bench().run("resume", "one", "--approve", "all", "--script", "done.jsonl").out())
                .isEqualTo("Done.\n");
    }

    @Test
    void yesterdaysCrashedTurnGoesOnByResumeUnderTheRulesOfResume() throws Exception {
        Files.writeString(directory.resolve("belay.toml"),
                "[tools]\ngroups = [\"commands\", \"write_files\"]\n");
        assertThat(bench().run("trust").status()).isZero();
        Files.writeString(directory.resolve("long.jsonl"),
                "{\"calls\":[{\"name\":\"run_command\",\"arguments\":{\"command\":\"echo on >began; sleep 100\"}}]}\n");
        try (var run = new Pty(directory, 80, "run", "-s", "one", "--approve", "all", "--script",
                "long.jsonl",
                "Go")) {
            run.await("run_comma");
            while (!Files.exists(directory.resolve("began"))) {
                Thread.onSpinWait();
            }
        }
        Run refused = bench().run("run", "--continue", "--script", "done.jsonl", "--approve", "all", "More");
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).contains("'belay resume one' goes on with it");
        // what the first command was allowed does not count for the calls that come now
        Run resumed = bench().run("resume", "one", "--script", "write.jsonl");
        assertThat(resumed.status()).as(resumed.err()).isEqualTo(5);
        assertThat(resumed.err()).contains("may have happened");
        assertThat(directory.resolve("out.txt")).doesNotExist();
        assertThat(bench().run("doubts").out()).contains("run_command");
        assertThat(bench().run("resume", "one", "--script", "done.jsonl", "--approve", "never").out())
                .isEqualTo("Done.\n");
    }

    /** Records of these prompts are as those at the question of a run. */
    @ParameterizedTest
    @Tag("deep")
    @EnumSource(names = {"RUN_EDIT", "RUN_ANSWER", "CHAT_QUESTION", "CHAT_EDIT", "CHAT_ANSWER"})
    void aKillAtOtherPromptsLosesNothing(Prompt prompt) throws Exception {
        aKillLosesNothing(prompt);
    }

    @ParameterizedTest
    @EnumSource(names = {"TRUST", "RUN_QUESTION", "RUN_EDIT", "CHAT_QUESTION", "APPROVE"})
    void whatWasTypedBeforeAQuestionIsNoAnswer(Prompt prompt) throws Exception {
        String asked = prompt.way.substring(prompt.way.lastIndexOf('|') + 1);
        try (Pty terminal = at(prompt, "y" + ENTER + "y")) {
            terminal.await("is no answer to it.").question(asked).type(CTRL_C);
            if (prompt.name().startsWith("CHAT")) {
                terminal.await("cancelled").await("> ").type("\u0004");
            } else {
                assertThat(terminal.exit()).as(terminal.screen()).isEqualTo(prompt.exit);
            }
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
        if (prompt == Prompt.TRUST) {
            assertThat(directory.resolve("home/.local/state/belay/trusted")).doesNotExist();
        }
        assertThat(bench().run("pending").out().contains("write_file"))
                .isEqualTo(prompt.left.equals("active"));
    }

    /** They read their lines as the others do. */
    @ParameterizedTest
    @Tag("deep")
    @EnumSource(names = {"RUN_ANSWER", "CHAT_EDIT", "CHAT_ANSWER", "RESUME_QUESTION"})
    void whatWasTypedBeforeOtherQuestionsIsNoAnswer(Prompt prompt) throws Exception {
        whatWasTypedBeforeAQuestionIsNoAnswer(prompt);
    }

    @Test
    void theSecondOfTwoQuestionsIsAnsweredByWhatIsTypedBehindIt() throws Exception {
        Files.writeString(directory.resolve("write.jsonl"), WRITE.replace("]}", ","
                + "{\"name\":\"write_file\",\"arguments\":{\"path\":\"two.txt\",\"content\":\"2\"}}]}")
                + "{\"text\":\"Done.\"}\n");
        try (Pty terminal = at(Prompt.RUN_QUESTION)) {
            terminal.type("y" + ENTER + "y" + ENTER).await("is no answer to it.");
            assertThat(terminal.question("Allow it?").type("n" + ENTER).await("Done.").exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("hello");
        assertThat(directory.resolve("two.txt")).doesNotExist();
    }

    @Test
    void aPastedLineAnswersWithEnterOnly() throws Exception {
        Files.writeString(directory.resolve("write.jsonl"), WRITE + "{\"text\":\"Done.\"}\n");
        try (Pty terminal = at(Prompt.RUN_QUESTION)) {
            terminal.type("\u001b[200~y" + ENTER + "y" + ENTER + "\u001b[201~").await("y").await("y");
            terminal.type(CTRL_C);
            assertThat(terminal.exit()).isEqualTo(130);
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"WINCH", "CONT"})
    void aQuestionThatWasPaintedAnewAsksAgain(String signal) throws Exception {
        Files.writeString(directory.resolve("write.jsonl"), WRITE + "{\"text\":\"Done.\"}\n");
        try (Pty terminal = at(Prompt.RUN_QUESTION)) {
            terminal.type("y").await("y").signal(signal).question("Allow it?").type(ENTER);
            terminal.question("Allow it?").type("n" + ENTER);
            assertThat(terminal.await("Done.").exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void linesOfOtherCallsComeBehindTheAnswer() throws Exception {
        Path tools = Files.createDirectories(directory.resolve(".belay/tools"));
        Path program = Files.writeString(tools.resolve("look"), "#!/bin/sh\nread line <gate; echo seen\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(tools.resolve("look.json"), """
                {"name":"look","description":"Looks.","command":["look"],"effect":"read",
                "input":{"type":"object"}}
                """);
        Files.writeString(directory.resolve("belay.toml"), """
                [tools]
                groups = ["project", "read_files"]

                [[policy.rule]]
                id = "ask"
                verdict = "ask"
                tools = "glob"
                """);
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("gate").toString()).start().waitFor())
                .isZero();
        assertThat(bench().run("trust").status()).isZero();
        Files.writeString(directory.resolve("write.jsonl"), """
                {"calls":[{"name":"look"},{"name":"glob","arguments":{"pattern":"*"}}]}
                {"text":"Done."}
                """);
        try (Pty terminal = at(Prompt.RUN_QUESTION)) {
            Files.writeString(directory.resolve("gate"), "now\n");
            Path log = directory.resolve(".belay/sessions/one/events.jsonl");
            while (!Files.readString(log).contains("seen")) {
                Thread.onSpinWait();
            }
            terminal.type("n").await("n").type(ENTER).await(" look").await("Done.");
            assertThat(terminal.screen()).containsOnlyOnce(" look {}");
            assertThat(terminal.exit()).isZero();
        }
    }

    @Test
    void whatWasTypedBeforeTheQuestionOfTheDemoIsNoAnswer() throws Exception {
        try (Pty demo = new Pty(directory, 80, "demo", "--directory", "shop")) {
            demo.type("y" + ENTER).await("is no answer to it.").question("[y/n]").type(CTRL_C);
            assertThat(demo.exit()).isEqualTo(130);
        }
        assertThat(directory.resolve("shop/bank.txt")).doesNotExist();
    }

    /** A terminal that has come to a prompt. */
    private Pty at(Prompt prompt) throws IOException, InterruptedException {
        Pty terminal = at(prompt, "");
        String asked = prompt.way.substring(prompt.way.lastIndexOf('|') + 1);
        return prompt == Prompt.CHAT_MESSAGE ? terminal.await(asked) : terminal.question(asked);
    }

    /** A terminal that comes to a prompt, with a line that is typed before it. */
    private Pty at(Prompt prompt, String early) throws IOException, InterruptedException {
        String command = prompt.command;
        if (prompt == Prompt.TRUST) {
            Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"http\"]\n");
        }
        if (prompt == Prompt.APPROVE || prompt == Prompt.RESUME_QUESTION) {
            assertThat(bench().run("run", "-s", "one", "--script", "write.jsonl", "Write").status())
                    .isEqualTo(5);
            command = command.replace("KEY",
                    bench().run("pending").out().lines().skip(1).findFirst().orElseThrow().split(" ", -1)[0]);
        }
        var terminal = new Pty(directory, 80, command.split(" ", -1));
        List<String> way = List.of(prompt.way.split("\\|", -1));
        if (way.size() == 1 && !early.isEmpty()) {
            terminal.type(early + ENTER);
        }
        for (int i = 0; i + 1 < way.size(); i += 2) {
            String keys = way.get(i + 1) + ENTER;
            (way.get(i).equals("> ") ? terminal.await("> ") : terminal.question(way.get(i)))
                    .type(i + 3 < way.size() || early.isEmpty() ? keys : keys + early + ENTER);
        }
        return terminal;
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
