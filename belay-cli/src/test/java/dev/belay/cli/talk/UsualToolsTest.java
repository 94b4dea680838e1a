package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tools that an agent of the command has if the settings say nothing. */
@Timeout(120)
class UsualToolsTest {

    @TempDir
    Path directory;

    @Test
    void commandsAskAlsoInATrustedWorkspace() throws IOException {
        Run run = run("--approve", "ask");
        assertThat(run.status()).as(run.err()).isEqualTo(5);
        assertThat(bench().run("turns", "abandon", "one", "--reason", "x").status()).isZero();
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\", \"http\"]\n");
        assertThat(bench().run("trust").status()).isZero();
        run = run("--approve", "ask");
        assertThat(run.status()).as(run.err()).isEqualTo(5);
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    void approveAllSaysThatCommandsRun() throws IOException {
        Run run = run("--approve", "all");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).containsOnlyOnce("--approve all: commands run unasked too");
        assertThat(directory.resolve("made")).exists();
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        assertThat(run("--approve", "all").err()).doesNotContain("commands run unasked");
    }

    @Test
    void teachingToolsComeWithTheirGroup() throws IOException {
        assertThat(bench().run("tools", "ls").out())
                .contains("run_command", "edit_file", "session_note_append")
                .doesNotContain("echo", "add_numbers");
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        assertThat(bench().run("tools", "ls").out()).contains("echo", "add_numbers")
                .doesNotContain("run_command");
    }

    @Test
    void commandsThatAPullGivesBackAreAskedAbout() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), CommandBench.BASICS);
        assertThat(run("--approve", "all").status()).isZero();
        Files.writeString(directory.resolve("belay.toml"), "");
        Run run = run("--approve", "all");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("its settings no longer:\n  run no commands\n");
        Files.writeString(directory.resolve("belay.toml"), "[tools]\nonly_commands = [\"ls\"]\n");
        assertThat(bench().run("trust").status()).isZero();
        Files.writeString(directory.resolve("belay.toml"), "[tools]\nonly_commands = [\"ls\", \"touch\"]\n");
        assertThat(run("--approve", "all").err()).contains("run only the commands ls\n");
        assertThat(directory.resolve("made")).doesNotExist();
    }

    private Run run(String option, String value) throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), """
                {"calls":[{"name":"run_command","arguments":{"command":"touch made"}}]}
                {"text":"Done."}
                """);
        return bench().run("run", "-s", "one", option, value, "--script", "script.jsonl", "Go");
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
