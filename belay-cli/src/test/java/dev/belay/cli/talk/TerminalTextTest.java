package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Text of models, tools and files on its way to a terminal. */
class TerminalTextTest {

    /** Writes the clipboard, clears the screen in two ways, turns the direction of writing. */
    private static final String EVIL = "\u001b]52;c;eA==\u0007\u001b[2J\u009b2J\u202e";
    private static final String ESCAPED = "\\u001b]52;c;eA==\\u0007\\u001b[2J\\u009b2J\\u202e";

    @TempDir
    Path directory;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(directory.resolve("script.jsonl"),
                """
                        {"calls":[{"name":"EVIL","arguments":{"path":"EVIL"}},{"name":"read_file","arguments":{"path":"evil.txt"}}]}
                        {"text":"Done. EVIL"}
                        """
                        .replace("EVIL", ESCAPED));
        Files.writeString(directory.resolve("evil.txt"), EVIL);
        assertThat(bench().run("run", "-s", "one", "--script", "script.jsonl", "Go " + EVIL).status())
                .isZero();
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("TERM", "dumb");
    }

    static final List<String> COMMANDS = List.of("resume one", "resume one --json", "sessions show one",
            "sessions show one --messages",
            "sessions show one --json", "sessions ls", "replay .belay/sessions/one/events.jsonl",
            "replay .belay/sessions/one/events.jsonl --summary", "events one", "audit", "ps",
            "run -s two --script script.jsonl Go", "run -s three --json --script script.jsonl Go",
            "tools call read_file {\"path\":\"evil.txt\"}");

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void noVerbLetsForeignTextControlATerminal(String command) {
        Run run = bench().terminals(1, 2).run(command.split(" ", -1));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out() + run.err())
                .doesNotContainPattern("[\\p{Cntrl}\\u0080-\\u009f\\u202e&&[^\n\t]]");
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void onlyStylesOfTheCommandReachATerminalWithColours(String command) {
        Run run = bench().set("TERM", "xterm").terminals(1, 2).run(command.split(" ", -1));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat((run.out() + run.err()).replaceAll("\u001b\\[[0-9;]*m|\r[^\n]{0,20}\u001b\\[K", ""))
                .doesNotContainPattern("[\\p{Cntrl}\\u0080-\\u009f\\u202e&&[^\n\t]]");
    }

    @Test
    void aPipeHasTheAnswerAsItIs() {
        assertThat(bench().run("resume", "one").out()).isEqualTo("Done. " + EVIL + "\n");
    }

    @Test
    void theLogIsMarkedAndWhatIsShownIsNotMarkedAgain() {
        var bytes = new ByteArrayOutputStream();
        var shell = new Shell(InputStream.nullInputStream(), Output.answer(new ByteArrayOutputStream()),
                Output.remarks(bytes), Map.of(), directory, Set.of(2), (same, cancel) -> Person.NONE);
        shell.err().stream().println("WARN Tool \u001b[2J threw <U+001B> \ud83d\udc69\u200d\ud83d\udd27");
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo("WARN Tool <U+001B>[2J threw <U+001B> \ud83d\udc69\u200d\ud83d\udd27"
                        + System.lineSeparator());
    }
}
