package dev.belay.examples.refund;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MainTest {

    @Test
    @Timeout(180)
    void aRefundSurvivesTwoKillsAndPaysOnce() throws Exception {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                worker 1: asked the desk for an approval, and waits
                worker 1: killed (SIGKILL)
                worker 2: the approval came by its webhook (200)
                worker 2: the bank has paid, and has not answered yet
                worker 2: killed (SIGKILL)
                worker 3: refunded, receipt R-1
                bank: 2 requests with one idempotency key, 1 payment
                """);
    }
}
