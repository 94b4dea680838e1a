package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code belay resume --all}, and events that are followed while a file grows. */
@Timeout(180)
class ResumeVerbTest {

    @TempDir
    Path directory;

    @Test
    void allSessionsWithAnActiveTurnGoOnAndOneKeyboardAnswersThem() throws IOException {
        park("one");
        park("two");
        bench("{\"text\":\"Idle.\"}\n").run("run", "-s", "idle", "--script", "script.jsonl", "Hi");
        Run run = bench("{\"text\":\"Done.\"}\n{\"text\":\"Done.\"}\n").terminals(0, 2)
                .input("y\nno, thank you\n")
                .run("resume", "--all", "--script", "script.jsonl");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("Done.\nDone.\n");
        assertThat(run.err()).contains("Session one:", "Session two:").doesNotContain("Session idle:");
        assertThat(directory.resolve("one.txt")).hasContent("hello");
        assertThat(directory.resolve("two.txt")).doesNotExist();
        assertThat(bench("").run("resume", "--all").err()).isEqualTo("no session has an active turn\n");
    }

    @Test
    void aSessionThatCannotGoOnDoesNotKeepTheOthersFromIt() throws IOException {
        Files.writeString(directory.resolve("belay.toml"), "[agents.lawyer]\ninstructions = \"Be brief.\"\n");
        assertThat(bench("").run("trust").status()).isZero();
        park("a", "--agent", "lawyer");
        park("b");
        Files.delete(directory.resolve("belay.toml"));
        Run run = bench("{\"text\":\"Done.\"}\n").run("resume", "--all", "--approve", "all", "--script",
                "script.jsonl");
        assertThat(run.status()).isEqualTo(4);
        assertThat(run.err()).contains("there is no agent \"lawyer\"");
        assertThat(run.out()).isEqualTo("Done.\n");
        assertThat(directory.resolve("b.txt")).hasContent("hello");
        assertThat(bench("").run("pending").out()).contains("a.txt").doesNotContain("b.txt");
    }

    @Test
    void whatIsLeftIsSaidByTheExitCode() throws IOException {
        park("one");
        assertThat(bench("").run("resume", "--all", "--script", "script.jsonl").status()).isEqualTo(5);
        assertThat(bench("").run("resume").status()).isEqualTo(2);
        assertThat(bench("").run("resume", "--all", "one").status()).isEqualTo(2);
        assertThat(bench("").run("resume", "nobody").status()).isEqualTo(4);
        assertThat(
                new CommandBench(Files.createDirectories(directory.resolve("new/.belay"))).run("resume", "x")
                        .status())
                .isEqualTo(4);
    }

    @Test
    void aTurnThatHasEndedIsToldAgainWithItsExitCode() throws IOException {
        bench("{\"text\":\"Done.\"}\n").run("run", "-s", "one", "--script", "script.jsonl", "Hi");
        assertThat(bench("").run("resume", "one"))
                .isEqualTo(new Run(0, "Done.\n", "session one has no active turn\n"));
        assertThat(bench("").run("resume", "one", "--json").out())
                .startsWith("{\"event\":\"committed\"")
                .contains("Done.");
        bench("{\"error\":{\"kind\":\"authentication\",\"message\":\"wrong key\"}}\n").run("run", "-s", "one",
                "--script", "script.jsonl", "Hi");
        Run failed = bench("").run("resume", "one");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).contains("belay: the turn has no answer", "wrong key");
    }

    @Test
    void aTurnOfAProgramsOwnLoopIsLeftToIt() throws IOException {
        Files.createDirectories(directory.resolve("shop"));
        try (Belay program = Belay.builder()
                .store(JdbcStore.sqlite(directory.resolve("shop/belay.db")))
                .model(new ScriptedModel())
                .build()) {
            program.session("one").begin("Hi", "input-1").close();
        }
        Run run = bench("{\"text\":\"Done.\"}\n").run("resume", "one", "--store", "shop/belay.db", "--script",
                "script.jsonl");
        assertThat(run.status()).as(run.err()).isEqualTo(5);
        assertThat(run.err()).contains("belongs to the loop of a program");
    }

    @Test
    void theAgentOfASessionAnswersAlsoWithoutBeingNamed() throws IOException {
        Files.writeString(directory.resolve("belay.toml"),
                "[model]\nprovider = \"anthropic\"\n[agents.lawyer.policy]\notherwise = \"deny\"\n");
        assertThat(bench("").run("trust").status()).isZero();
        bench("{\"text\":\"Yes.\"}\n").run("run", "-s", "one", "--agent", "lawyer", "--script",
                "script.jsonl", "Hi");
        Run run = bench(write("one")).run("run", "-s", "one", "--approve", "all", "--script", "script.jsonl",
                "More");
        assertThat(run.err()).contains("rejected");
        Run other = bench("{\"text\":\"Yes.\"}\n").run("run", "-s", "one", "--agent", "default", "--script",
                "script.jsonl", "Hi");
        assertThat(other.status()).isEqualTo(3);
        assertThat(other.err()).contains("lawyer", "default");
    }

    @Test
    void eventsAreFollowedWhileTheFileGrowsUntilTheTurnHasEnded() throws Exception {
        Path log = directory.resolve(".belay/sessions/one/events.jsonl");
        Files.createDirectories(log.getParent());
        Files.writeString(log, "{\"at\":1,\"kind\":\"user_message\",\"content\":\"hi\"}\n{\"at\":2,\"ki");
        var told = new CountDownLatch(1);
        CommandBench following = bench("").watch("\"hi\"}\n", told::countDown);
        var ended = new AtomicReference<Run>();
        Thread follower = Thread.ofVirtual()
                .start(() -> ended.set(following.run("events", "one", "--follow")));
        told.await(); // the whole line is printed, the torn one is not
        append(log, "nd\":\"final_answer\",\"content\":\"ok\"}\n");
        append(log, "{\"at\":3,\"kind\":\"turn_ended\"}\n");
        follower.join();
        assertThat(ended.get()).isEqualTo(new Run(0, Files.readString(log), ""));
        assertThat(Files.readString(log).lines()).hasSize(3);
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private void park(String session, String... more) throws IOException {
        var command = new ArrayList<>(
                List.of("run", "-s", session, "--script", "script.jsonl", "Write"));
        command.addAll(1, List.of(more));
        Run run = bench(write(session)).run(command.toArray(String[]::new));
        assertThat(run.status()).as(run.err()).isEqualTo(5);
    }

    private static String write(String name) {
        return "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"" + name
                + ".txt\",\"content\":\"hello\"}}]}\n{\"text\":\"Done.\"}\n";
    }

    private CommandBench bench(String script) throws IOException {
        if (!script.isEmpty()) {
            Files.writeString(directory.resolve("script.jsonl"), script);
        }
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}
