package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench.Run;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {

    @TempDir
    Path directory;

    @Test
    void versionIsOneLine() {
        assertThat(bench().run("--version").out()).matches("belay \\S.*\n");
        assertThat(bench().run("-V")).isEqualTo(bench().run("--version"));
    }

    @Test
    void withoutArgumentsItPrintsTheHelp() {
        Run run = bench().run();
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("Usage: belay", "demo", "ps", "settle", "Exit codes:", "141");
        assertThat(bench().run("--help")).isEqualTo(run);
        assertThat(bench().run("help")).isEqualTo(run);
    }

    @Test
    void helpOfACommandIsFoundInBothWays() {
        assertThat(bench().run("help", "resolve")).isEqualTo(bench().run("resolve", "--help"));
        assertThat(bench().run("resolve", "--help").out()).contains("--value", "The first answer wins.");
    }

    @TestFactory
    List<DynamicTest> everyCommandAndOptionIsDescribed() {
        List<DynamicTest> tests = new ArrayList<>();
        collect(Main.commands(shell(OutputStream.nullOutputStream())), tests);
        assertThat(tests).hasSizeGreaterThan(20);
        return tests;
    }

    private static void collect(CommandLine command, List<DynamicTest> tests) {
        tests.add(DynamicTest.dynamicTest(command.getCommandSpec().qualifiedName(), () -> {
            assertThat(command.getCommandSpec().usageMessage().header()).isNotEmpty();
            command.getCommandSpec()
                    .args()
                    .forEach(argument -> assertThat(argument.description()).as(argument.toString())
                            .isNotEmpty());
        }));
        command.getSubcommands().values().forEach(below -> collect(below, tests));
    }

    @Test
    void unknownCommandNamesTheNearest() {
        Run run = bench().run("pendign");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("pendign", "pending", "belay --help");
        assertThat(bench().run("rn").err()).contains("Did you mean: run");
        assertThat(bench().run("ps", "--jsn").err()).contains("--json");
        assertThat(bench().run("--store", "x", "pendign").err()).contains("Did you mean: pending");
    }

    @Test
    void wordsOfOtherToolsNameOurCommand() {
        assertThat(bench().run("kill", "one").err()).contains("Here that is: belay turns abandon SESSION");
        assertThat(bench().run("reset").err()).contains("belay sessions fork SESSION NAME --turn N");
        assertThat(bench().run("terminate").status()).isEqualTo(2);
    }

    @Test
    void unknownOptionIsAUsageError() {
        assertThat(bench().run("ps", "--jsn").status()).isEqualTo(2);
        assertThat(bench().run("sessions").status()).isEqualTo(2);
    }

    @Test
    void closedStandardOutputIs141() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        assertThat(Main.run(shell(closed), "--help")).isEqualTo(141);
        assertThat(Main.run(shell(closed), "--version")).isEqualTo(141);
    }

    @Test
    void aTerminalOfTwentyColumnsIsServed() {
        Run run = bench().terminals(1).set("COLUMNS", "20").run("--help");
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("Usage:");
    }

    @Test
    void coloursNeedATerminalAndNoObjection() {
        assertThat(bench().run("--help").out()).doesNotContain("\u001b");
        assertThat(bench().terminals(1).set("TERM", "xterm").set("COLUMNS", "80").run("--help").out())
                .contains("\u001b");
        assertThat(bench().terminals(1)
                .set("TERM", "xterm")
                .set("COLUMNS", "80")
                .set("NO_COLOR", "1")
                .run("--help")
                .out())
                .doesNotContain("\u001b");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
    void completionIsAScriptThatBashReads() throws Exception {
        Run run = bench().run("completion");
        assertThat(run.out()).contains("sessions", "--did-not-happen");
        Process bash = new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        try (OutputStream script = bash.getOutputStream()) {
            script.write(run.out().getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
    void bashCompletesCommandsAndOptions() throws Exception {
        Path script = Files.writeString(directory.resolve("completion"), bench().run("completion").out());
        Process bash = new ProcessBuilder("bash", "--norc", "-c", """
                source %s
                complete -p belay | sed 's/.*-F \\([^ ]*\\) .*/\\1/' >function
                COMP_WORDS=(belay sessio); COMP_CWORD=1; $(cat function); echo "${COMPREPLY[@]}"
                COMP_WORDS=(belay settle --di); COMP_CWORD=2; $(cat function); echo "${COMPREPLY[@]}"
                """.formatted(script)).directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("sessions\n--did-not-happen\n");
    }

    private CommandBench bench() {
        return new CommandBench(directory);
    }

    private Shell shell(OutputStream out) {
        return new Shell(InputStream.nullInputStream(), Output.answer(out),
                Output.remarks(OutputStream.nullOutputStream()), Map.of(), directory, Set.of(),
                (same, cancel) -> Person.NONE);
    }
}
