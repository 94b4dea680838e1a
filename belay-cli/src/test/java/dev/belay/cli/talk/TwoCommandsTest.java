package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two commands on one session: the turn of one never runs under the {@code --approve} of the other. */
@Timeout(180)
class TwoCommandsTest {

    @TempDir
    Path directory;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(directory.resolve("write.jsonl"),
                "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"out.txt\",\"content\":\"hello\"}}]}\n");
        Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
    }

    @Test
    void ofTwoRunsOnOneIdleSessionTheLaterIsRefusedAndLeavesNoInput() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"http\"]\n");
        Files.createDirectories(directory.resolve(".belay"));
        Path other = directory.resolve("other");
        Files.createDirectories(other.resolve(".belay"));
        // the first run comes while the later one asks for trust: that has found the session idle
        Run later = bench(directory).terminals(0, 2)
                .input("y\n", () -> assertThat(bench(other).run("run", "-s", "one", "--store",
                        directory.resolve(".belay/belay.db").toString(), "--script", "../write.jsonl",
                        "Write")
                        .status()).isEqualTo(5))
                .run("run", "-s", "one", "--approve", "all", "--script", "done.jsonl", "Later");
        assertThat(later.status()).as(later.err()).isEqualTo(3);
        assertThat(later.err().replace("\n    | ", " ")).contains("session one has a turn that has not ended",
                "'belay resume one' goes on with it");
        assertThat(other.resolve("out.txt")).doesNotExist();
        assertThat(directory.resolve("out.txt")).as("approved by the later run").doesNotExist();
        assertThat(bench(directory).run("pending").out()).contains("write_file");

        Run resumed = bench(directory).run("resume", "one", "--approve", "never", "--script", "done.jsonl");
        assertThat(resumed.out()).as(resumed.err()).isEqualTo("Done.\n");
        assertThat(bench(directory).run("sessions", "show", "one", "--messages").out()).contains("Write")
                .doesNotContain("Later");
        assertThat(directory.resolve(".belay/sessions/one/events.jsonl")).content().doesNotContain("Later");
    }

    @Test
    void aTurnThatIsTriedAgainBeforeTheCommandHasEndedIsLeftToResume() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        Files.writeString(directory.resolve("fails.jsonl"),
                "{\"error\":{\"kind\":\"authentication\",\"message\":\"wrong key\"}}\n"
                        + Files.readString(directory.resolve("write.jsonl"))
                        + Files.readString(directory.resolve("done.jsonl")));
        Path out = directory.resolve("out.txt");
        var tried = new AtomicReference<>(new Run(-1, "", ""));
        var looked = new AtomicReference<>("no look");
        Run run = bench(directory).watch("\"event\":\"committed\"", () -> {
            tried.set(bench(directory).run("turns", "again", "one"));
            looked.set(awaitALook());
        }).run("run", "-s", "one", "--approve", "all", "--json", "--script", "fails.jsonl", "Write");
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(tried.get().status()).as(tried.get().err()).isZero();
        assertThat(looked.get()).isEqualTo("completed: hi, and the turn is READY");
        assertThat(out).as("approved by the command that had ended its turn").doesNotExist();

        Run resumed = bench(directory).run("resume", "one", "--script", "write.jsonl");
        assertThat(resumed.status()).as(resumed.err()).isEqualTo(5);
        assertThat(bench(directory).run("pending").out()).contains("write_file");
        assertThat(out).doesNotExist();
    }

    @Test
    void aMessageToASessionThatAnotherCommandUsesDoesNotEndTheChat() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        try (Pty chat = new Pty(directory, 200, "chat", "--script", "done.jsonl", "-s", "one")) {
            chat.await("> ");
            assertThat(bench(directory).run("run", "-s", "one", "--script", "write.jsonl", "Write").status())
                    .isEqualTo(5);
            chat.type("hi\r").await("has a turn that has not ended");
            assertThat(bench(directory).run("turns", "abandon", "one", "--reason", "in the way").status())
                    .isZero();
            chat.await("> ").type("hi\r").await("Done.").await("> ").type("\u0004");
            assertThat(chat.exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    /**
     * The end of a process that the command runs. A look for work that finds the process finds ready turns
     * before it, and would take them.
     */
    private String awaitALook() {
        try (var client = Belay.client(JdbcStore.existing(directory.resolve(".belay/belay.db")))) {
            var end = client.processes()
                    .start(ProcessStart.tool("echo", Json.of("{\"text\":\"hi\"}")))
                    .awaitEnd();
            return end.summary() + ", and the turn is "
                    + client.sessions(SessionFilter.ALL, null, 1).items().getFirst().state();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static CommandBench bench(Path in) {
        return new CommandBench(in).set("HOME", in.resolve("home").toString());
    }
}
