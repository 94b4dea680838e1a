package dev.belay.toolbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks R.8 for a program that floods its output, and for processes that still write after it has ended. */
@Timeout(60)
class FloodsTest {

    private static final CommandRules ONE_SECOND = CommandRules.DEFAULT.times(Duration.ofSeconds(1),
            Duration.ofSeconds(20));

    @TempDir
    Path root;

    private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
    private String mark;

    @BeforeEach
    void choose() {
        mark = Marked.mark();
    }

    @AfterEach
    void nobodyIsLeft() throws IOException {
        assertThat(Marked.running(mark)).isEmpty();
        assertThat(readers).noneMatch(Thread::isAlive);
    }

    private Calls commands(CommandRules rules) {
        return new Calls(CommandTools.of(root, rules, System.getenv(), remembering(ProgramRun.THREADS)));
    }

    private ThreadFactory remembering(ThreadFactory threads) {
        return task -> {
            Thread thread = threads.newThread(task);
            readers.add(thread);
            return thread;
        };
    }

    /** Threads that cannot read: what an interrupted thread reads from is closed under it. */
    private static Thread interrupted(Runnable task) {
        return Thread.ofPlatform().daemon().unstarted(() -> {
            Thread.currentThread().interrupt();
            task.run();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"for i in 1 2 3 4; do yes MARK & done; sleep 1",
        "for i in 1 2 3 4; do yes MARK >&2 & done; sleep 1",
        "(setsid env -i /usr/bin/yes MARK &); sleep 1",
        "for i in 1 2 3 4; do (setsid env -i /usr/bin/yes MARK &); done; exit 0"})
    void floodThatOutlivesItsProgramEndsWithIt(String command) throws IOException {
        String text = commands(CommandRules.DEFAULT).text("run_command", "command",
                command.replace("MARK", mark));
        assertThat(text).endsWith(" processes were still running and were ended]\n").hasSizeLessThan(30_000);
        assertThat(Marked.running(mark)).isEmpty();
        assertThat(readers).hasSize(2).noneMatch(Thread::isAlive);
    }

    @Test
    void floodThatOutlivesItsProgramIsCutAndCounted() {
        String text = commands(CommandRules.DEFAULT).text("run_command", "command",
                "(setsid env -i /usr/bin/yes " + mark + " &); sleep 1");
        assertThat(text).startsWith(mark + "\n" + mark + "\n")
                .containsPattern("\\[\\d{6,} bytes left out\\]\n");
    }

    @Test
    void noPipeIsLeftToJavaToEmpty() {
        String links = commands(CommandRules.DEFAULT).text("run_command", "command",
                "readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2");
        assertThat(links.lines()).hasSize(3).noneMatch(link -> link.startsWith("pipe:"));
    }

    @Test
    void nothingIsLeftInTheDirectoryForTemporaryFiles() {
        String link = commands(CommandRules.DEFAULT).text("run_command", "command", "readlink /proc/$$/fd/1")
                .strip();
        // whether it is removed before or after the command looks is a matter of luck
        assertThat(link).matches("/.*/belay-run-[^/]+/out( \\(deleted\\))?");
        assertThat(Path.of(link.substring(0, link.lastIndexOf('/')))).doesNotExist();
    }

    @Test
    void whatCouldNotBeStartedLeavesNothingEither() throws Exception {
        HeadTail out = new HeadTail(10, 10);
        ProgramStreams streams = ProgramStreams.open("input", out, new HeadTail(10, 10),
                remembering(ProgramRun.THREADS));
        assertThat(streams.directory()).isDirectory();
        assertThatThrownBy(() -> streams.start(new ProcessBuilder(root.resolve("missing").toString())))
                .isInstanceOf(IOException.class);
        streams.close();
        assertThat(streams.directory()).doesNotExist();
        for (Thread reader : readers) {
            reader.join();
        }
    }

    @Test
    void floodThatNobodyCanEndLosesItsReader() throws Exception {
        HeadTail out = new HeadTail(10, 10);
        try (var streams = ProgramStreams.open("", out, new HeadTail(10, 10),
                remembering(ProgramRun.THREADS))) {
            Process flood = streams.start(new ProcessBuilder("/usr/bin/yes", mark));
            while (out.seen() == 0) {
                Thread.onSpinWait();
            }
            streams.finish();
            // no signal ended it: it wrote to a pipe without a reader
            assertThat(flood.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(flood.exitValue()).isEqualTo(128 + 13);
        }
        assertThat(readers).hasSize(2).noneMatch(Thread::isAlive);
    }

    @Test
    void whoTakesOutputAwayHoldsUpNobody() {
        assertThat(commands(ONE_SECOND).code("run_command", "command",
                "for i in 1 2 3; do cat /dev/stdout " + mark + " >/dev/null 2>&1 & done; "
                        + "while true; do echo x; done; sleep " + mark))
                .isEqualTo("command_timed_out");
    }

    @Test
    void outputIsWholeAndInOrder() {
        String text = commands(CommandRules.DEFAULT).text("run_command", "command",
                "seq 1 2000; seq 1 1000 >&2; seq 2001 4000");
        StringBuilder expected = new StringBuilder();
        for (int at = 1; at <= 4000; at++) {
            expected.append(at).append('\n');
        }
        expected.append("[stderr]\n");
        for (int at = 1; at <= 1000; at++) {
            expected.append(at).append('\n');
        }
        assertThat(text).isEqualTo(expected.toString());
    }

    @Test
    void outputThatIsLostMayHaveHappened() throws IOException {
        Calls deaf = new Calls(
                CommandTools.of(root, CommandRules.DEFAULT, System.getenv(), FloodsTest::interrupted));
        assertThat(deaf.outcome("run_command", "command", "touch happened; sleep " + mark))
                .isInstanceOfSatisfying(ToolOutcome.Failure.class, outcome -> {
                    ToolFailure failure = outcome.failure();
                    assertThat(failure.code()).isEqualTo("command_output_lost");
                    assertThat(failure.mayHaveHappened()).isTrue();
                    assertThat(failure.message()).contains("was started").contains("may have happened");
                });
        assertThat(Marked.running(mark)).isEmpty();
    }

    @Test
    void lostOutputOfAProjectsToolMayHaveHappened() throws IOException {
        Path tools = Files.createDirectory(root.resolve("tools"));
        Path script = Files.writeString(tools.resolve("run"), "#!/bin/sh\nsleep " + mark + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.writeString(tools.resolve("slow.json"), """
                {"name": "slow", "description": "Is slow.", "command": ["run"], "input": {"type": "object"}}
                """);
        for (Path path : List.of(tools, script, tools.resolve("slow.json"))) {
            assertThat(path.toFile().setWritable(true, true)).isTrue();
        }
        Calls deaf = new Calls(
                ProjectTools.load(tools, root, Map.of("PATH", "/usr/bin:/bin"), FloodsTest::interrupted));
        assertThat(deaf.code("slow")).isEqualTo("command_output_lost");
        assertThat(Marked.running(mark)).isEmpty();
    }
}
