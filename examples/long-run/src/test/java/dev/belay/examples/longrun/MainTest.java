package dev.belay.examples.longrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void everyTurnIsAnsweredAndNoRequestExceedsTheContext() throws Exception {
        var printed = new ByteArrayOutputStream();
        Main.Report report = Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(report.finished()).isEqualTo(Main.TURNS);
        assertThat(report.largest()).isLessThanOrEqualTo(Main.CONTEXT);
        assertThat(report.steps()).hasSizeGreaterThan(10)
                .allSatisfy(step -> assertThat(step.tokensAfter()).isLessThanOrEqualTo(Main.CONTEXT / 2));
        assertThat(report.summaries()).isPositive();
        assertThat(report.cut()).isGreaterThan(6);
        assertThat(report.pages()).as("each of them is searched").isEqualTo((int) report.cut());
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("300 of 300 turns were answered")
                .contains("kept:")
                .contains("cut:")
                .contains("summarised:")
                .contains("paged:")
                .contains("In the last turn the model was sent ");
    }
}
