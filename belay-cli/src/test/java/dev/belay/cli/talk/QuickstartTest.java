package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The steps of {@code docs/start/quickstart.md}, with its script and a real kill. */
@Timeout(180)
class QuickstartTest {

    @TempDir
    Path directory;

    @Test
    void aCallIsResumedAfterAKill() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        String page = Files.readString(Path.of("..", "docs", "start", "quickstart.md"));
        int begin = page.indexOf("```json\n") + "```json\n".length();
        Files.writeString(directory.resolve("task.jsonl"), page.substring(begin, page.indexOf("```", begin)));
        assertThat(bench().run("init").status()).isZero();

        try (Pty run = new Pty(directory, 200, "run", "-s", "first", "--script", "task.jsonl",
                "'Write it down'")) {
            run.await("asked by: rule \"changes\": it may change something").await("Allow it? [y] once");
        }
        assertThat(bench().run("ps").out()).contains("first turn 1");
        assertThat(bench().run("pending").out()).contains("approval", "first", "write_file");
        assertThat(directory.resolve("ropes.txt")).doesNotExist();

        Run resumed = bench().terminals(0, 2).input("y\n").run("resume", "first", "--script", "task.jsonl");
        assertThat(resumed.out()).isEqualTo("The list is in ropes.txt.\n");
        assertThat(directory.resolve("ropes.txt")).hasContent("two ropes, 60 m\n");
        assertThat(bench().run("sessions", "show", "first").out()).contains("write_file");
        assertThat(bench().run("audit").out()).contains("ask", "approve");
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
