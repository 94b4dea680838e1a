package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A {@code .belay} that was made here does not trust what a pull or another user puts into it, or in its place, later. */
@Timeout(180)
class PulledFilesTest {

    @TempDir
    Path directory;

    private Path work;
    private Path own;

    @BeforeEach
    void theUserHasASession() throws IOException {
        work = workspace("work");
        own = work.resolve(".belay");
        assertThat(run(work, "mine").status()).isZero();
    }

    private Path workspace(String name) throws IOException {
        Path made = Files.createDirectories(directory.resolve(name));
        Files.writeString(made.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        return made;
    }

    private CommandBench bench(Path in, String person) {
        return new CommandBench(in).set("HOME", directory.resolve("home-" + person).toString())
                .set("XDG_STATE_HOME", directory.resolve("state-" + person).toString());
    }

    private Run run(Path in, String session) {
        return bench(in, "user").run("run", "-s", session, "--script", "done.jsonl", "Hi");
    }

    private String sessions() {
        return bench(work, "user").run("sessions", "ls").out();
    }

    @Test
    void aLogThatCameWithAPullIsRefused() throws IOException {
        Path author = workspace("author");
        assertThat(
                bench(author, "author").run("run", "-s", "planted", "--script", "done.jsonl", "Hi").status())
                .isZero();
        Path log = own.resolve("belay.db-wal");
        try (BelayClient client = Belay.client(JdbcStore.existing(author.resolve(".belay/belay.db")))) {
            client.pause(Pause.Target.EVERYTHING, "planted");
            Files.copy(author.resolve(".belay/belay.db-wal"), log);
        }
        for (List<String> command : List.of(List.of("run", "-s", "mine", "--script", "done.jsonl", "Hi"),
                List.of("sessions", "ls"), List.of("pause", "--everything", "--reason", "why"))) {
            Run refused = bench(work, "user").run(command.toArray(String[]::new));
            assertThat(refused.status()).as("%s: %s", command, refused.err()).isEqualTo(3);
            assertThat(refused.out()).isEmpty();
        }
        assertThat(run(work, "mine").err()).contains("belay.db-wal was left by no program", "move it away",
                "(journal_foreign)");
        Files.delete(log);
        assertThat(run(work, "mine").status()).isZero();
        assertThat(sessions()).contains("mine").doesNotContain("planted");
    }

    @Test
    void withoutAHomeASessionIsLookedAt() {
        Run run = new CommandBench(work).run("sessions", "ls");
        assertThat(run.out()).as(run.err()).contains("mine");
    }

    @Test
    void aDatabaseThatCameWithAPullAsks() throws IOException {
        Path author = workspace("author");
        assertThat(
                bench(author, "author").run("run", "-s", "planted", "--script", "done.jsonl", "Hi").status())
                .isZero();
        Files.delete(own.resolve("belay.db"));
        Files.copy(author.resolve(".belay/belay.db"), own.resolve("belay.db"));
        Run refused = run(work, "planted");
        assertThat(refused.status()).as(refused.err()).isEqualTo(3);
        assertThat(refused.err()).contains(".belay was not made by your commands");
        assertThat(bench(work, "user").run("trust").status()).isZero();
        assertThat(run(work, "planted").status()).isZero();
    }

    /** A workspace whose settings name a store beside them, used by the person. */
    private Path named(String name, String person) throws IOException {
        Path made = workspace(name);
        Files.writeString(made.resolve("belay.toml"), "[store]\nurl = \"kept.db\"\n");
        assertThat(bench(made, person).run("trust").status()).isZero();
        for (String session : List.of("of-" + person, "again")) {
            assertThat(bench(made, person).run("run", "-s", session, "--script", "done.jsonl", "Hi").status())
                    .isZero();
        }
        return made;
    }

    @Test
    void aNamedStoreThatCameWithAPullAsks() throws IOException {
        Path clone = named("named", "user");
        Path mine = Files.move(clone.resolve("kept.db"), directory.resolve("mine.db"));
        Path kept = Files.copy(named("theirs", "author").resolve("kept.db"), clone.resolve("kept.db"));
        for (List<String> command : List.of(List.of("run", "-s", "of-author", "--script", "done.jsonl", "Hi"),
                List.of("sessions", "ls"), List.of("pause", "--everything", "--reason", "why"))) {
            Run refused = bench(clone, "user").run(command.toArray(String[]::new));
            assertThat(refused.status()).as("%s: %s", command, refused.err()).isEqualTo(3);
            assertThat(refused.err()).contains("kept.db was not made by your commands");
            assertThat(refused.out()).isEmpty();
        }
        assertThat(bench(clone, "user").run("trust").status()).isZero();
        assertThat(bench(clone, "user").run("sessions", "ls").out()).contains("of-author");
        Files.copy(mine, kept, StandardCopyOption.REPLACE_EXISTING);
        assertThat(bench(clone, "user").run("sessions", "ls").out()).as("known from before")
                .contains("of-user");
        Files.delete(kept);
        Files.createSymbolicLink(kept, mine);
        assertThat(bench(clone, "user").run("trust").status()).isZero();
        assertThat(bench(clone, "user").run("sessions", "ls").status()).as("a link is never known")
                .isEqualTo(3);
    }

    @Test
    void aLogBesideANamedStoreThatCameWithAPullIsRefused() throws IOException {
        Path clone = named("named", "user");
        Path author = named("theirs", "author");
        Path log = clone.resolve("kept.db-wal");
        try (BelayClient client = Belay.client(JdbcStore.existing(author.resolve("kept.db")))) {
            client.pause(Pause.Target.EVERYTHING, "planted");
            Files.copy(author.resolve("kept.db-wal"), log);
        }
        Run refused = bench(clone, "user").run("sessions", "ls");
        assertThat(refused.status()).as(refused.err()).isEqualTo(3);
        assertThat(refused.err()).contains("kept.db-wal was left by no program", "(journal_foreign)");
        Files.delete(log);
        assertThat(bench(clone, "user").run("sessions", "ls").out()).contains("of-user");
    }

    @Test
    void theDatabaseOfAnotherWorkspaceBehindALinkAsks() throws IOException {
        Path other = workspace("other");
        assertThat(run(other, "theirs").status()).isZero();
        Files.delete(own.resolve("belay.db"));
        Files.createSymbolicLink(own.resolve("belay.db"), other.resolve(".belay/belay.db"));
        assertThat(run(work, "mine").status()).isEqualTo(3);
        assertThat(bench(work, "user").run("trust").status()).isZero();
        assertThat(run(work, "mine").status()).as("a link is never known").isEqualTo(3);
        assertThat(run(other, "theirs").status()).isZero();
    }

    @Test
    void aDirectoryBehindALinkIsAlwaysForeign() throws IOException {
        Path clone = workspace("clone");
        Files.createSymbolicLink(clone.resolve(".belay"), own);
        for (int i = 0; i < 2; i++) {
            Run refused = run(clone, "mine");
            assertThat(refused.status()).as(refused.err()).isEqualTo(3);
            assertThat(refused.err()).contains(".belay was not made by your commands");
            assertThat(bench(clone, "user").run("trust").status()).isZero();
        }
        assertThat(run(work, "mine").status()).as("the workspace that it leads to").isZero();
    }

    @Test
    void aDirectoryOfAnotherUserAsksAlsoIfItIsNamed() throws IOException {
        onlyAsRoot();
        Path clone = workspace("clone");
        give(Files.createDirectories(clone.resolve(".belay/tools")).resolveSibling(""));
        Run refused = bench(clone, "user").run("run", "-C", ".", "--script", "done.jsonl", "Hi");
        assertThat(refused.status()).as(refused.err()).isEqualTo(3);
        assertThat(refused.err()).contains(".belay was not made by your commands");
    }

    @Test
    void settingsOfAnotherUserAboveAreNotUsed() throws IOException {
        onlyAsRoot();
        Path shared = workspace("shared");
        Path victim = workspace("shared/victim");
        Path settings = give(
                Files.writeString(shared.resolve("belay.toml"), "[agent]\nmax_rounds = 5\n"));
        Run refused = run(victim, "one");
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).contains(settings + " belongs to the user 4242", "unless it is named: -C "
                + shared + " uses it");
        assertThat(shared.resolve(".belay")).doesNotExist();
        assertThat(victim.resolve(".belay")).doesNotExist();
        for (String named : List.of(".", "..")) {
            Run used = bench(victim, "user").run("run", "-C", named, "--script", "done.jsonl", "Hi");
            assertThat(used.status()).as(used.err()).isZero();
        }
        Files.delete(settings);
        Files.createSymbolicLink(settings, give(Files.createFile(directory.resolve("theirs.toml"))));
        assertThat(run(shared, "one").err()).as("behind a link").contains("belongs to the user 4242");
    }

    @Test
    void aDirectoryOfAnotherUserIsNoWorkspace() throws IOException {
        onlyAsRoot();
        Path theirs = give(workspace("theirs"));
        for (Path path : List.of(theirs, Files.createDirectory(theirs.resolve(".belay")))) {
            assertThat(run(theirs, "one").err()).as("%s", path)
                    .contains(theirs + " belongs to the user 4242");
        }
        Files.setAttribute(theirs, "unix:uid", 0);
        give(theirs.resolve(".belay"));
        assertThat(run(theirs, "one").err()).contains(".belay belongs to the user 4242");
    }

    @Test
    void theHomeDirectoryIsTheLastThatIsLookedAt() throws IOException {
        Path home = Files.createDirectories(directory.resolve("above/home"));
        Path project = workspace("above/home/project");
        Files.createDirectory(directory.resolve("above/.belay"));
        CommandBench inProject = new CommandBench(project).set("HOME", home.toString());
        assertThat(inProject.run("run", "--script", "done.jsonl", "Hi").status()).isZero();
        assertThat(project.resolve(".belay/belay.db")).exists();
        Path other = workspace("above/home/other");
        Files.createDirectory(home.resolve(".belay"));
        assertThat(new CommandBench(other).set("HOME", home.toString())
                .run("run", "--script", "done.jsonl", "Hi")
                .status()).isZero();
        assertThat(home.resolve(".belay/belay.db")).exists();
    }

    private static Path give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", 4242, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private static void onlyAsRoot() {
        assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"),
                "only root can give files away");
    }
}
