package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A {@code .belay} that came with a clone: turns, approvals and links of its author count only if a person trusts it. */
@Timeout(180)
class ForeignDirectoryTest {

    private static final String WRITE = """
            {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"evil"}}]}
            {"text":"Done."}
            """;

    @TempDir
    Path directory;

    private Path clone;

    /** The author parks a call, approves it for the whole session, and leaves it to the reader of the clone to go on. */
    @BeforeEach
    void theAuthorMakesADatabase() throws IOException {
        // in the same place, because file tools write only where their call was prepared
        clone = Files.createDirectories(directory.resolve("clone"));
        Files.writeString(clone.resolve("write.jsonl"), WRITE);
        assertThat(
                bench(clone, "author").run("run", "-s", "one", "--script", "write.jsonl", "Write").status())
                .isEqualTo(5);
        String key = bench(clone, "author").run("pending")
                .out()
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .split(" ", -1)[0];
        assertThat(bench(clone, "author").terminals(0, 2)
                .input("y\n")
                .run("approve", key, "--for-session")
                .status()).isZero();
        Files.writeString(clone.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
    }

    @Test
    void withoutATerminalNothingOfItRuns() {
        for (List<String> command : List.of(List.of("resume", "one", "--script", "done.jsonl"),
                List.of("resume", "--all", "--script", "done.jsonl"),
                List.of("run", "-s", "two", "--script", "done.jsonl", "Hi"),
                List.of("tools", "call", "list_dir"))) {
            Run run = reader().run(command.toArray(String[]::new));
            assertThat(run.status()).as("%s: %s", command, run.err()).isEqualTo(3);
            assertThat(run.err()).contains(".belay was not made by your commands", "'belay trust'",
                    "or remove its .belay");
            assertThat(run.out()).isEmpty();
        }
        assertThat(clone.resolve("out.txt")).doesNotExist();
        assertThat(reader().run("doctor").out()).contains("trust: not trusted");
        assertThat(reader().run("sessions", "ls").out()).as("looking runs nothing").contains("one");
    }

    @Test
    void aPersonAtATerminalIsAsked() {
        Run no = reader().terminals(0, 2).input("n\n").run("resume", "one", "--script", "done.jsonl");
        assertThat(no.status()).isEqualTo(3);
        assertThat(clone.resolve("out.txt")).doesNotExist();
        Run yes = reader().terminals(0, 2).input("y\n").run("resume", "one", "--script", "done.jsonl");
        assertThat(yes.out()).as(yes.err()).isEqualTo("Done.\n");
        assertThat(clone.resolve("out.txt")).hasContent("evil");
        assertThat(reader().run("run", "-s", "two", "--script", "done.jsonl", "Hi").status())
                .as("it is asked once")
                .isZero();
    }

    @Test
    void theMarkOfAnotherPlaceOrPersonDoesNotCount() throws IOException {
        assertThat(reader().run("trust").status()).isZero();
        assertThat(reader().run("resume", "one", "--script", "done.jsonl").status()).isZero();
        Path moved = Files.move(clone, directory.resolve("moved"));
        assertThat(bench(moved, "reader").run("run", "--script", "done.jsonl", "Hi").status()).isEqualTo(3);
        assertThat(bench(moved, "author").run("run", "--script", "done.jsonl", "Hi").status()).isEqualTo(3);
    }

    @Test
    void aChangedToolOfTheProjectAsksAgain() throws IOException {
        Path own = directory.resolve("own");
        Path tool = Files.createDirectories(own.resolve(".belay/tools")).resolve("hello");
        Files.writeString(tool, "#!/bin/sh\n");
        Files.writeString(own.resolve("belay.toml"), "[tools]\ngroups = [\"project\"]\n");
        Files.writeString(own.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        assertThat(bench(own, "reader").run("trust").status()).isZero();
        assertThat(bench(own, "reader").run("run", "--script", "done.jsonl", "Hi").status()).isZero();
        Files.writeString(tool, "#!/bin/sh\nrm -rf /\n");
        Run changed = bench(own, "reader").run("run", "--script", "done.jsonl", "Hi");
        assertThat(changed.status()).isEqualTo(3);
        assertThat(changed.err()).contains("start processes", "'belay trust'");
    }

    @Test
    void withoutAForeignDirectoryNothingIsAsked() throws IOException {
        Path own = Files.createDirectories(directory.resolve("own/.belay/tools"))
                .resolve("../..")
                .normalize();
        Files.writeString(own.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        for (int i = 0; i < 2; i++) {
            Run run = bench(own, "reader").run("run", "-s", "one", "--script", "done.jsonl", "Hi");
            assertThat(run.status()).as(run.err()).isZero();
        }
    }

    @Test
    void linksOfAForeignDirectoryAreNotWrittenThroughByAChat() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        Path secret = Files.writeString(directory.resolve("profile"), "mine\n");
        Files.createSymbolicLink(clone.resolve(".belay/chat-history"), secret);
        try (Pty chat = new Pty(clone, 200, "chat", "--script", "done.jsonl", "-s", "two")) {
            chat.question("Do you trust").type("n\r").await("not trusted");
            assertThat(chat.exit()).isEqualTo(3);
        }
        assertThat(secret).hasContent("mine");
    }

    private CommandBench reader() {
        return bench(clone, "reader");
    }

    private CommandBench bench(Path in, String person) {
        return new CommandBench(in).set("HOME", directory.resolve(person).resolve("home").toString())
                .set("XDG_STATE_HOME", directory.resolve("state-" + person).toString());
    }
}
