package dev.belay.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.Main;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command with a store on a server. */
@Timeout(180)
class CommandOnServerTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String run(Map<String, String> environment, String... arguments) {
        var out = new ByteArrayOutputStream();
        var shell = new Shell(new ByteArrayInputStream(new byte[0]), Output.answer(out), Output.remarks(err),
                environment, directory, Set.of(), (same, cancel) -> Person.NONE);
        int status = Main.run(shell, arguments);
        return status + " " + out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void turnsRunAndAreCheckedOnAServer() throws Exception {
        try (var server = TestServer.start()) {
            String url = server.url().replaceFirst("[?].*", "");
            Map<String, String> user = Map.of("USER", "anna", "HOME", directory.resolve("home").toString(),
                    "DB_USER",
                    "postgres", "BELAY_STORE_USER", "postgres");
            Files.writeString(directory.resolve("script.jsonl"), "{\"text\":\"Good day.\"}\n");
            Files.writeString(directory.resolve("belay.toml"),
                    "[store]\nurl = \"" + url + "?currentSchema=agents\"\nuser_env = \"DB_USER\"\n");

            assertThat(run(user, "store", "migrate")).as("not trusted").startsWith("3 ");
            assertThat(run(user, "trust")).startsWith("0 ");
            assertThat(run(user, "store", "migrate"))
                    .isEqualTo("0 the tables of " + url + " are there\n");
            assertThat(run(user, "run", "--script", "script.jsonl", "-s", "s", "Hello.")).as("%s", err)
                    .isEqualTo("0 Good day.\n");
            assertThat(run(user, "sessions", "ls", "--store", url + "?currentSchema=agents"))
                    .contains("\ns ");
            assertThat(run(user, "store", "check")).isEqualTo("0 no inconsistencies in " + url + "\n");
            assertThat(run(user, "doctor"))
                    .contains("\ndatabase: " + url + ", 0 turns stuck, 0 calls in doubt\n");
            assertThat(directory.resolve(".belay/belay.db")).doesNotExist();
        }
    }
}
