package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arguments that are padded so that a terminal of 60 columns would begin lines with parts of them. */
@Timeout(180)
class ForgedLinesTest {

    private static final int COLUMNS = 60;
    /** At every column of a line one of them begins a line of the screen, if nothing breaks the text before. */
    private static final String FORGED = "FORGED".repeat(20);
    private static final String PADDED = "x" + " ".repeat(300) + "FORGED" + " ".repeat(300) + "\u4e2d"
            + FORGED;

    @TempDir
    Path directory;

    @BeforeEach
    void park() throws IOException {
        Files.writeString(directory.resolve("script.jsonl"),
                """
                        {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"PADDED"}},{"name":"FORGED","arguments":{"a":"PADDED"}}]}
                        {"text":"Done."}
                        """
                        .replace("PADDED", PADDED)
                        .replace("\"FORGED\"", "\"" + FORGED.substring(0, 60) + "\""));
        assertThat(bench().run("run", "-s", "one", "--script", "script.jsonl", "Write").status())
                .isEqualTo(5);
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString())
                .set("TERM", "dumb")
                .set("COLUMNS", Integer.toString(COLUMNS));
    }

    private String key() {
        return Objects.requireNonNull(Json.of(bench().run("pending", "--json").out().strip())
                .peekText("key_id"));
    }

    /** The lines as a terminal shows them. */
    private static List<String> screen(String text) {
        return text.lines()
                .flatMap(line -> IntStream.rangeClosed(0, Math.max(0, line.length() - 1) / COLUMNS)
                        .mapToObj(at -> line.substring(at * COLUMNS,
                                Math.min(line.length(), (at + 1) * COLUMNS))))
                .toList();
    }

    private static void isUnforged(Run run) {
        assertThat(run.out() + run.err()).contains("FORGED");
        assertThat(screen(run.out() + "\n" + run.err())).as(run.out() + run.err())
                .noneMatch(line -> line.matches("(FORGED|ORGEDF|RGEDFO|GEDFOR|EDFORG|DFORGE).*"))
                .noneMatch(line -> line.matches(" {20,}.*"));
    }

    @Test
    void noLineOfAQuestionIsForged() {
        Run asked = bench().terminals(0, 1, 2)
                .input("v\nn\nv\nn\n")
                .run("resume", "one", "--script", "script.jsonl");
        assertThat(asked.err()).contains("    | tool: write_file (IDEMPOTENT)\n",
                "‹300 spaces›FORGED‹300 spaces›");
        isUnforged(asked);
    }

    @Test
    void noLineOfARequestThatIsPrintedIsForged() {
        Run shown = bench().terminals(1, 2).run("pending", key());
        assertThat(shown.out()).contains("    | tool: write_file (IDEMPOTENT)\n", "\ndigest: ");
        isUnforged(shown);
        assertThat(bench().run("pending", key()).out()).as("without a terminal")
                .contains("    | tool: write_file (IDEMPOTENT)\n")
                .doesNotContainPattern("(?m)^.{81}");
    }

    @Test
    void noLineBeforeAnAnswerIsForged() {
        isUnforged(bench().terminals(0, 1, 2).input("n\n").run("approve", key()));
    }

    @Test
    void noLineOfAListOrASessionIsForged() {
        isUnforged(bench().terminals(1, 2).run("sessions", "show", "one"));
        Run listed = bench().terminals(1, 2).run("pending");
        assertThat(screen(listed.out())).noneMatch(line -> line.startsWith("FORGED"));
    }
}
