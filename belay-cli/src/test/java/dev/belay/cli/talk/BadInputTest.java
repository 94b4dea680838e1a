package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong ends in a sentence and an exit code, never in a stack trace. */
@Timeout(180)
class BadInputTest {

    @TempDir
    Path directory;

    @Test
    void aDamagedDatabaseIsNamed() throws IOException {
        Files.createDirectories(directory.resolve(".belay"));
        Files.writeString(directory.resolve(".belay/belay.db"),
                "this is no database, but long enough to be read as one\n".repeat(99));
        assertThat(bench().run("trust").status()).isZero();
        for (List<String> command : List.of(List.of("ps"), run())) {
            Run run = bench().run(command.toArray(String[]::new));
            assertThat(run.status()).as(run.err()).isBetween(1, 3);
            assertThat(run.err()).startsWith("belay: ").contains("belay.db").doesNotContain("    at ");
        }
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsNamed() throws IOException {
        Files.writeString(directory.resolve(".belay"), "");
        Run run = bench().run(run().toArray(String[]::new));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("belay: ", ".belay").doesNotContain("    at ");
    }

    @Test
    void settingsThatCannotBeReadAreNamed() throws IOException {
        Files.createDirectories(directory.resolve("belay.toml"));
        Run run = bench().run(run().toArray(String[]::new));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("belay.toml cannot be read");
    }

    @Test
    void aHomeThatCannotBeWrittenIsNamed() throws IOException {
        Files.writeString(directory.resolve("file"), "");
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\"]\n");
        Run run = new CommandBench(directory).set("HOME", directory.resolve("file").toString()).run("trust");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("cannot be made", "check its permissions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "file"})
    void aHomeThatRemembersNothingLetsTheNextCommandAsk(String home) throws IOException {
        Files.writeString(directory.resolve("file"), "");
        CommandBench homeless = new CommandBench(directory);
        if (!home.isEmpty()) {
            homeless.set("HOME", directory.resolve(home).toString());
        }
        Run first = homeless.run(run().toArray(String[]::new));
        assertThat(first.out()).as(first.err()).isEqualTo("ok\n");
        assertThat(first.err())
                .containsOnlyOnce("the next command will ask about " + directory.resolve(".belay"));
        Run second = homeless.run(run().toArray(String[]::new));
        assertThat(second.status()).isEqualTo(3);
        assertThat(second.err()).contains("was not made by your commands", "'belay trust'");
        Run trust = homeless.run("trust");
        assertThat(trust.status()).isEqualTo(home.isEmpty() ? 3 : 1);
        assertThat(trust.err()).contains(home.isEmpty() ? "HOME is not set" : "check its permissions");
        assertThat(homeless.run("sessions", "ls", "--json").out().lines()).as("the session is kept")
                .hasSize(1);

        assertThat(bench().run("trust").status()).isZero();
        assertThat(bench().run(run().toArray(String[]::new)).out()).isEqualTo("ok\n");
    }

    @Test
    void aWorkspaceThatIsNotThereIsNamed() {
        assertThat(bench().run("ps", "-C", "nowhere").status()).isEqualTo(4);
    }

    private List<String> run() throws IOException {
        Files.writeString(directory.resolve("script.jsonl"), "{\"text\":\"ok\"}\n");
        return List.of("run", "--script", "script.jsonl", "Hi");
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
