package dev.belay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo with real processes that are killed. */
@Timeout(180)
class DemoTest {

    @TempDir
    Path directory;

    @Test
    void itTellsWhatTheQuickstartShows() throws IOException {
        System.setProperty("belay.command", "./belay"); // as the launcher says; the page calls it so
        Run run;
        try {
            run = new CommandBench(directory).run("demo", "--yes", "--directory", "shop");
        } finally {
            System.clearProperty("belay.command");
        }
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        String page = Files.readString(Path.of("..", "docs", "start", "quickstart.md"));
        int begin = page.indexOf("A scripted model answers;");
        assertThat(stable(run.out()))
                .isEqualTo(stable(page.substring(begin, page.indexOf("```", begin))));
        // each body ran once, in three processes together
        assertThat(run.out()).containsPattern("\nstock +3 +0 +3\n")
                .containsPattern("\nreserve +3 +1 +2\n")
                .containsPattern("\npay +1 +0 +1\n");
        assertThat(new CommandBench(directory).run("sessions", "show", "order-1", "--store", "shop/belay.db")
                .out()).contains("reserved 1 rope");
    }

    @Test
    void aNoIsAnAnswerAndNothingIsPaid() {
        Run run = new CommandBench(directory).terminals(0, 1, 2)
                .set("COLUMNS", "200")
                .set("NO_COLOR", "1")
                .input("maybe\nno\n")
                .run("demo", "--directory", "shop");
        assertThat(run.status()).isZero();
        assertThat(run.err()).contains("[y/n]", "Type y or n");
        assertThat(run.out()).contains("Model: Two ropes are reserved. I did not pay: you said no.")
                .doesNotContain("bank.txt")
                .contains("Rejected: ", "too expensive");
    }

    @Test
    void endOfInputAtTheQuestionLeavesTheCallParked() {
        Run run = new CommandBench(directory).terminals(0, 1, 2)
                .set("COLUMNS", "200")
                .run("demo", "--directory", "shop");
        assertThat(run.status()).isEqualTo(5);
        assertThat(new CommandBench(directory).run("pending", "--store", "shop/belay.db").out())
                .contains("approval", "pay");
    }

    @Test
    void withoutATerminalTheAnswerMustBeGiven() {
        Run run = new CommandBench(directory).run("demo");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("--yes");
    }

    /** The text without what differs between runs; the reads end in any order. */
    private String stable(String out) {
        String same = out.replaceAll("/\\S+/belay.db", "DB")
                .replaceAll("kill -9 \\d+", "kill -9 PID")
                .replaceAll("Process \\d+", "Process PID")
                .replaceAll("doubt [0-9a-f]{24}", "doubt ID")
                .replaceAll("\\(\\d+\\.\\d s\\)", "(TIME)");
        String[] lines = same.split("\n", -1);
        int first = 6;
        Arrays.sort(lines, first, first + 3);
        return String.join("\n", lines);
    }
}
