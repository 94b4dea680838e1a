package dev.belay.toolbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.context.Cancellation;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps R.8: no input, a scrubbed environment, a deadline, and the whole process tree ended. */
@Timeout(60)
class CommandsTest {

    private static final CommandRules ONE_SECOND = CommandRules.DEFAULT.times(Duration.ofSeconds(1),
            Duration.ofSeconds(20));

    @TempDir
    Path root;

    private String mark;
    private Calls commands;

    @BeforeEach
    void open() {
        mark = Marked.mark();
        commands = new Calls(CommandTools.in(root, CommandRules.DEFAULT));
    }

    @AfterEach
    void nobodyIsLeft() throws IOException {
        assertThat(Marked.running(mark)).isEmpty();
    }

    @Test
    void outputComesBackWithTheExitCode() {
        assertThat(commands.text("run_command", "command", "echo hello")).isEqualTo("hello\n");
        assertThat(commands.text("run_command", "command", "echo out; echo err >&2; exit 3"))
                .isEqualTo("out\n[stderr]\nerr\n[exit code 3]\n");
        assertThat(commands.text("run_command", "command", "printf x; exit 1"))
                .isEqualTo("x\n[exit code 1]\n");
        assertThat(commands.text("run_command", "command", "true")).isEqualTo("(no output)");
        assertThat(commands.text("run_command", "command", "kill -9 $$")).isEqualTo("[exit code 137]\n");
        assertThat(commands.text("run_command", "command", "no-such-program-here"))
                .contains("not found")
                .endsWith("[exit code 127]\n");
    }

    private String preview(CommandRules rules, String command) {
        return CommandTools.in(root, rules)
                .definitions()
                .getFirst()
                .preview()
                .orElseThrow()
                .of(Json.object(Map.of("command", Json.string(command))));
    }

    @Test
    void previewIsTheCommandLineExactlyAsItIsExecuted() {
        assertThat(preview(CommandRules.DEFAULT, "echo 'a b'; rm x"))
                .isEqualTo("runs /bin/sh -c 'echo '\\''a b'\\''; rm x'");
        assertThat(preview(CommandRules.DEFAULT.through("nice", "-n", "5 5"), "ls"))
                .isEqualTo("runs nice -n '5 5' /bin/sh -c ls");
        assertThat(preview(CommandRules.DEFAULT.only("git"), "git  commit -m \"it's  me\" ''"))
                .isEqualTo("runs git commit -m 'it'\\''s  me' ''");
        assertThat(preview(CommandRules.DEFAULT.only("git"), "rm x"))
                .startsWith("runs nothing: ");
    }

    @Test
    void previewGivenToAShellHasTheEffectOfTheCall() {
        String command = "printf '<%s>' \"a  b\" 'c' \\$d";
        String shown = preview(CommandRules.DEFAULT, command).substring("runs ".length());
        assertThat(commands.text("run_command", "command", shown)).isEqualTo("<a  b><c><$d>")
                .isEqualTo(commands.text("run_command", "command", command));
    }

    @Test
    void itRunsInTheWorkspace() throws IOException {
        assertThat(commands.text("run_command", "command", "pwd").strip())
                .isEqualTo(root.toRealPath().toString());
        assertThat(commands.code("run_command", "command", "pwd", "cwd", "/")).isEqualTo("invalid_arguments");
        assertThat(commands.code("run_command", "command", "pwd", "env", "A=b"))
                .isEqualTo("invalid_arguments");
    }

    @Test
    void thereIsNoInput() {
        assertThat(commands.text("run_command", "command", "cat; read line || echo nothing to read"))
                .isEqualTo("nothing to read\n");
    }

    @Test
    void environmentIsMadeFromNothing() {
        Map<String, String> host = Map.of("PATH", System.getenv("PATH"), "OPENAI_API_KEY", "secret", "HOME",
                "/home/x",
                "LD_PRELOAD", "evil.so", "FEATURE", "on");
        Calls own = new Calls(CommandTools.of(root,
                CommandRules.DEFAULT.inherit("FEATURE").variable("MODE", "test"), host));
        List<String> names = own.text("run_command", "command", "env")
                .lines()
                .map(line -> line.substring(0, line.indexOf('=')))
                .toList();
        // PWD and the like are the shell's own
        assertThat(names).contains("PATH", "HOME", "FEATURE", "MODE", "TERM", ProgramRun.MARK)
                .doesNotContain("OPENAI_API_KEY", "LD_PRELOAD")
                .isSubsetOf("PATH", "HOME", "FEATURE", "MODE", "TERM", "PAGER", "GIT_PAGER",
                        "GIT_TERMINAL_PROMPT",
                        "NO_COLOR", ProgramRun.MARK, "PWD", "OLDPWD", "SHLVL", "_");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep MARK",
        "trap '' TERM; sleep MARK; sleep MARK",
        "sleep MARK & sleep MARK & wait",
        "(trap '' TERM; sleep MARK; sleep MARK) & (trap '' TERM HUP INT; sleep MARK) & wait",
        "sh -c 'sh -c \"sleep MARK; true\"; true'; true",
        "setsid sleep MARK & sleep MARK",
        "setsid sh -c 'trap \"\" TERM; sleep MARK; sleep MARK' & sleep MARK",
        "nohup sleep MARK >/dev/null 2>&1 & sleep MARK",
        "(setsid sh -c '(sleep MARK &) ; sleep MARK' &) ; sleep MARK",
        "env -i /bin/sleep MARK & sleep MARK",
        "env -i /bin/bash -c 'set -m; /bin/sleep MARK &'; sleep MARK"})
    void commandThatNeverEndsIsEndedWithAllItStarted(String command) throws IOException {
        Calls hurried = new Calls(CommandTools.in(root, ONE_SECOND));
        assertThat(hurried.text("run_command", "command", "echo begun; " + command.replace("MARK", mark)))
                .startsWith(
                        "Error (command_timed_out): the command was ended after 1 s with everything it had started")
                .contains("begun");
        assertThat(Marked.running(mark)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep MARK &", "(sleep MARK &)", "setsid sleep MARK &",
        "nohup sleep MARK >/dev/null 2>&1 &",
        "(trap '' TERM; sleep MARK; sleep MARK) &", "sh -c 'setsid sleep MARK </dev/null >/dev/null 2>&1 &'"})
    void whatACommandLeavesBehindIsEnded(String command) throws IOException {
        String text = commands.text("run_command", "command", command.replace("MARK", mark) + "\necho done");
        assertThat(text).startsWith("done\n").contains("still running and were ended]");
        assertThat(Marked.running(mark)).isEmpty();
    }

    @Test
    void timeThatIsAskedForIsBounded() {
        CommandRules rules = CommandRules.DEFAULT.times(Duration.ofSeconds(1), Duration.ofSeconds(2));
        Calls bounded = new Calls(CommandTools.in(root, rules));
        assertThat(bounded.text("run_command", "command", "sleep " + mark, "seconds", 1))
                .contains("after 1 s");
        assertThat(bounded.text("run_command", "command", "sleep " + mark, "seconds", 86_400))
                .contains("after 2 s");
        assertThat(bounded.text("run_command", "command", "sleep 1.2; echo made it", "seconds", 2))
                .isEqualTo("made it\n");
    }

    @Test
    void floodKeepsHeadAndTail() {
        String text = commands.text("run_command", "command", "seq 1 3000000");
        assertThat(text).startsWith("1\n2\n3\n").endsWith("2999999\n3000000\n").hasSizeLessThan(30_000);
        long left = Long.parseLong(text.replaceAll("(?s).*\\[(\\d+) bytes left out\\].*", "$1"));
        int kept = text.length() - ("\n[" + left + " bytes left out]\n").length();
        assertThat(left + kept).isEqualTo(22_888_896L); // seq 1 3000000 | wc -c
    }

    @Test
    void endlessFloodTakesNoMemory() {
        Calls hurried = new Calls(CommandTools.in(root, ONE_SECOND));
        Runtime runtime = Runtime.getRuntime();
        long before = runtime.totalMemory() - runtime.freeMemory();
        assertThat(hurried.code("run_command", "command", "yes " + mark)).isEqualTo("command_timed_out");
        assertThat(hurried.code("run_command", "command", "yes " + mark + " >&2"))
                .isEqualTo("command_timed_out");
        assertThat(hurried.text("run_command", "command", "(trap '' TERM; yes " + mark + ") & echo done"))
                .contains("done");
        assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(200L << 20);
    }

    @Test
    void interruptionEndsTheCommand() throws Exception {
        AtomicReference<String> text = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        Path sign = root.resolve("begun");
        Thread caller = Thread.ofPlatform()
                .start(() -> text.set(commands.text("run_command", "command",
                        "(trap '' TERM; sleep " + mark + "; sleep " + mark + ") & touch begun; sleep "
                                + mark)));
        while (!Files.exists(sign)) {
            Thread.onSpinWait();
        }
        begun.countDown();
        caller.interrupt();
        caller.join();
        assertThat(Marked.running(mark)).isEmpty();
        assertThat(text.get()).startsWith("Error (");
    }

    @Test
    void cancellationEndsTheCommand() throws Exception {
        AtomicReference<Optional<String>> reason = new AtomicReference<>(Optional.empty());
        Cancellation cancellation = reason::get;
        var program = new ProgramRun.Program("call", List.of("/bin/sh", "-c", "touch begun; sleep " + mark),
                root,
                Map.of(), "",
                Duration.ofMinutes(1));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                ProgramRun.run(program, Thread.ofVirtual().factory(), cancellation);
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        while (!Files.exists(root.resolve("begun"))) {
            Thread.onSpinWait();
        }
        reason.set(Optional.of("the user said stop"));
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class).hasMessage("the user said stop");
        assertThat(Marked.running(mark)).isEmpty();
    }

    @Test
    void allowedProgramsRunWithoutAShell() {
        Calls only = new Calls(CommandTools.in(root, CommandRules.DEFAULT.only("echo", "cat")));
        assertThat(only.text("run_command", "command", "echo 'a  b' \"c d\" e\\ f '' x'y'z"))
                .isEqualTo("a  b c d e f  xyz\n");
        assertThat(only.text("run_command", "command", "ls -l"))
                .isEqualTo("Error (command_not_allowed): \"ls\" is not allowed here; allowed are echo, cat");
        assertThat(only.code("run_command", "command", "/bin/echo x")).isEqualTo("command_not_allowed");
        for (String shell : List.of("echo x; ls", "echo $(ls)", "echo `ls`", "echo x | cat", "echo x > f",
                "echo $HOME",
                "echo \"$HOME\"", "echo *", "echo x\nls", "echo x &", "(echo)", "echo ~", "echo 'open",
                "echo \\", "  ")) {
            assertThat(only.code("run_command", "command", shell)).as(shell).isEqualTo("bad_command");
        }
    }

    @Test
    void launcherGetsTheCommand() {
        Calls wrapped = new Calls(
                CommandTools.in(root, CommandRules.DEFAULT.through("/usr/bin/env", "WRAPPED=yes")));
        assertThat(wrapped.text("run_command", "command", "echo $WRAPPED")).isEqualTo("yes\n");
    }

    @Test
    void whatCannotBeStartedIsASentence() throws IOException {
        Path gone = Files.createDirectory(root.resolve("gone"));
        Calls broken = new Calls(CommandTools.in(gone, CommandRules.DEFAULT));
        Files.delete(gone);
        assertThat(broken.code("run_command", "command", "true")).isEqualTo("command_not_started");
        assertThat(commands.code("run_command", "command", "echo a\0b")).isEqualTo("bad_command");
    }

    @Test
    void workspaceThatIsNoDirectoryIsRefusedAtOnce() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "x");
        for (Path bad : List.of(root.resolve("missing"), file)) {
            assertThatThrownBy(() -> CommandTools.in(bad, CommandRules.DEFAULT))
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("bad_workspace"))
                    .hasMessageContaining(bad.toString())
                    .hasMessageEndingWith("it must be a directory that exists");
        }
    }

    @Test
    void headAndTailMeetWithoutAGap() {
        HeadTail kept = new HeadTail(4, 4);
        kept.add("abcdefgh".getBytes(java.nio.charset.StandardCharsets.UTF_8), 8);
        assertThat(kept.text()).isEqualTo("abcdefgh");
        kept.add("i".getBytes(java.nio.charset.StandardCharsets.UTF_8), 1);
        assertThat(kept.text()).isEqualTo("abcd\n[1 bytes left out]\nfghi");
    }
}
