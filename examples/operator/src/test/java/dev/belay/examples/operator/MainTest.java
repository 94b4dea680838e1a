package dev.belay.examples.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MainTest {

    @Test
    @Timeout(180)
    void aDoubtALostKeyAndAnOutageAreSettledFromASecondProcess() throws Exception {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(
                """
                        worker 1: killed while the bank booked a payment (SIGKILL)
                        order-1: Result: Error (in_doubt): tool pay started and left no outcome, because its process died; \
                        its effect may have happened: find out before you try again
                        doubt: pay {"to":"ann","cents":8950} of session order-1
                        operator: it is in the books, so it happened: Done[]
                        order-1: I heard: Note (tool_late): pay (call c1) was given up in turn 1 and has ended after all: \
                        R-1 of 8950 cents to ann

                        pending: ask_manager of session order-2, and its key was lost
                        operator: a number is no answer: Refused
                        operator: answers for the manager: Accepted
                        order-2: Result: yes

                        sessions: order-3 is WAITING, because the provider is down
                        operator: the provider is back
                        order-3: I heard: Hello.

                        audit: settle by on-call through example
                        audit: reissue by on-call through example
                        """);
    }
}
