package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands keep of conversations is for its owner alone, and is not written through links that a pull brings. */
@Timeout(180)
class PrivateWorkspaceTest {

    @TempDir
    Path directory;

    @BeforeEach
    void gitMakesTheDirectory() throws IOException {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"),
                "this file system has no users");
        Files.createDirectories(directory.resolve(".belay/tools"), PosixFilePermissions
                .asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
    }

    @Test
    void logsRecordingsAndTrustAreForTheirOwnerAlone() throws IOException {
        assertThat(run("--record", "recorded.jsonl").status()).isZero();
        assertThat(mode(".belay/sessions")).isEqualTo("rwx------");
        assertThat(mode(".belay/sessions/one/events.jsonl")).isEqualTo("rw-------");
        assertThat(mode("recorded.jsonl")).isEqualTo("rw-------");
        assertThat(mode("state/belay/trusted")).isEqualTo("rw-------");
        assertThat(mode(".belay/mark")).isEqualTo("rw-------");
    }

    @Test
    void aDirectoryThatGitMadeIsClosedWhenItIsClaimed() throws IOException {
        assertThat(mode(".belay")).isEqualTo("rwxr-xr-x");
        assertThat(run().status()).isZero();
        assertThat(mode(".belay")).isEqualTo("rwx------");
    }

    @Test
    void theHistoryOfAChatIsForItsOwnerAlone() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        chat().close();
        assertThat(mode(".belay/chat-history")).isEqualTo("rw-------");
        assertThat(directory.resolve(".belay/chat-history")).content().contains("hello");
    }

    @Test
    void theHistoryOfAChatIsNeitherReadNorWrittenThroughALink() throws Exception {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        assertThat(run().status()).isZero();
        Path profile = Files.writeString(directory.resolve("profile"), "mine\n");
        Files.createSymbolicLink(directory.resolve(".belay/chat-history"), profile);
        try (Pty chat = chat()) {
            assertThat(chat.screen()).contains("chat-history is not used: it is a link");
        }
        assertThat(profile).hasContent("mine\n");
    }

    @Test
    void logsAreNeitherReadNorWrittenThroughLinks() throws IOException {
        assertThat(run().status()).isZero();
        Path outside = Files.createDirectories(directory.resolve("outside/two")).resolve("events.jsonl");
        Files.writeString(outside, "{\"kind\":\"mine\"}\n");
        Path sessions = directory.resolve(".belay/sessions");
        Files.createSymbolicLink(sessions.resolve("two"), outside.resolveSibling(""));
        Files.createSymbolicLink(Files.createDirectory(sessions.resolve("three")).resolve("events.jsonl"),
                outside);
        for (String session : new String[]{"two", "three"}) {
            Run written = bench().run("run", "-s", session, "--script", "done.jsonl", "Hi");
            assertThat(written.status()).as(session).isEqualTo(3);
            assertThat(written.err()).contains("is a link, which no command has made; remove it");
            Run read = bench().run("events", session);
            assertThat(read.status()).as(session).isEqualTo(3);
            assertThat(read.out()).isEmpty();
        }
        Files.move(sessions, directory.resolve("elsewhere"));
        Files.createSymbolicLink(sessions, directory.resolve("elsewhere"));
        assertThat(run().status()).as("all logs behind a link").isEqualTo(3);
        assertThat(outside).hasContent("{\"kind\":\"mine\"}\n");
    }

    private Pty chat() throws Exception {
        Pty chat = new Pty(directory, 200,
                Map.of("XDG_STATE_HOME", directory.resolve("state").toString()), "chat", "--script",
                "done.jsonl", "-s", "talk");
        chat.await("> ").type("hello\r").await("Done.").await("1 round").await("> ").type("/exit\r");
        assertThat(chat.exit()).isZero();
        return chat;
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    private Run run(String... more) {
        String[] words = new String[6 + more.length];
        System.arraycopy(new String[]{"run", "-s", "one", "--script", "done.jsonl", "Hi"}, 0, words, 0, 6);
        System.arraycopy(more, 0, words, 6, more.length);
        return bench().run(words);
    }

    private String mode(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(path)));
    }
}
