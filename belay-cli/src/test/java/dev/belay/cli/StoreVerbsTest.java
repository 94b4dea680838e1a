package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.cli.CommandBench.Run;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands about the store, and stores that are not the file of the workspace. */
@Timeout(180)
class StoreVerbsTest {

    @TempDir
    Path directory;

    private CommandBench bench;
    private Path file;

    @BeforeEach
    void makeBench() {
        bench = new CommandBench(directory).set("HOME", directory.resolve("home").toString());
        file = directory.resolve("sessions.db");
    }

    private void say(String text) throws InterruptedException {
        try (Belay belay = Belay.builder()
                .model(new ScriptedModel().reply(text))
                .store(JdbcStore.sqlite(file))
                .build()) {
            belay.session("s").turn("Hello.").run();
        }
    }

    @Test
    void aGoodFileHasNoInconsistencies() throws Exception {
        say("Good day.");

        var run = bench.run("store", "check", "--store", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("no inconsistencies in " + file + "\n");
        assertThat(run.status()).isZero();
    }

    @Test
    void aChangedRowIsFound() throws Exception {
        say("Good day.");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("update message set value = '\"forged\"' where place = 0");
        }

        var run = bench.run("store", "check", "--store", file.toString());

        assertThat(run.out()).startsWith("message s 0: the row [s, 0] of the table message is damaged");
        assertThat(run.status()).isEqualTo(1);
        assertThat(bench.run("store", "check", "--json", "--store", file.toString()).out())
                .startsWith("{\"table\":\"message\",\"key\":\"s 0\",\"what\":");
    }

    @Test
    void aMissingFileIsNotMadeByACheck() {
        var run = bench.run("store", "check", "--store", "none.db");

        assertThat(run.status()).isEqualTo(4);
        assertThat(directory.resolve("none.db")).doesNotExist();
    }

    @Test
    void migrateMakesAFile() {
        assertThat(bench.run("store", "migrate", "--store", file.toString()).status()).isZero();
        assertThat(file).exists();
    }

    @Test
    void theSettingsNameAFile() throws Exception {
        say("Good day.");
        Files.writeString(directory.resolve("belay.toml"), "[store]\nurl = \"sessions.db\"\n");

        assertThat(bench.run("sessions", "ls").status()).as("not trusted").isEqualTo(3);
        assertThat(bench.run("trust").status()).isZero();
        assertThat(bench.run("sessions", "ls").out()).contains("s ");
    }

    @Test
    void doctorLooksAtTheStoreThatIsUsed() throws Exception {
        say("Good day.");
        Files.writeString(directory.resolve("belay.toml"), "[store]\nurl = \"sessions.db\"\n");
        assertThat(bench.run("doctor").out())
                .contains("database: not looked at, because the settings are not trusted");
        assertThat(bench.run("trust").status()).isZero();
        String looked = "database: " + file + ", 0 turns stuck, 0 calls in doubt\n";
        assertThat(bench.run("doctor").out()).contains(looked);
        Files.delete(directory.resolve("belay.toml"));
        assertThat(bench.run("doctor").out()).contains("database: none yet; the first run makes");
        assertThat(bench.run("doctor", "--store", "sessions.db").out()).contains(looked);
    }

    @Test
    void doctorNamesAServerThatDoesNotAnswer() throws IOException {
        int port;
        try (var closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        Run run = bench.set("ANTHROPIC_API_KEY", "k")
                .run("doctor", "--store", "jdbc:postgresql://localhost:" + port + "/agents");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).containsPattern("(?m)^database: .*localhost:" + port);
        assertThat(run.err()).doesNotContain("    at ");
    }

    @Test
    void aServerOfAWorkspaceThatIsNotTrustedIsNotCalled() throws IOException {
        try (var server = new ServerSocket(0)) {
            Files.writeString(directory.resolve("belay.toml"), "[store]\nurl = \"jdbc:postgresql://localhost:"
                    + server.getLocalPort() + "/agents\"\npassword_env = \"SECRET\"\n");
            bench.set("SECRET", "hunter2");

            var run = bench.run("sessions", "ls");

            assertThat(run.status()).isEqualTo(3);
            assertThat(run.err())
                    .contains("keep sessions in jdbc:postgresql://localhost", "the password in SECRET")
                    .doesNotContain("hunter2");
            server.setSoTimeout(1);
            assertThat(catchThrowable(server::accept))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aPasswordInTheSettingsIsRefused() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[store]\nurl = \"jdbc:postgresql://localhost/agents?user=a&password=b\"\n");

        var run = bench.run("sessions", "ls");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("password_env");
    }
}
