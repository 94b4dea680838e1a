package dev.belay.examples.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MainTest {

    @Test
    @Timeout(180)
    void aToolAmongHundredsIsFoundAndAPaymentWhoseServerDiesIsNotRepeated() throws Exception {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8).replaceAll("doubt [0-9a-f]{24}", "doubt ID"))
                .isEqualToNormalizingNewlines(
                        """
                                1 of 502 tools offered; the model reads: the task
                                2 of 502 tools offered; the model reads: These tools can be called from the next message on:
                                2 of 502 tools offered; the model reads: book_courier is done
                                3 of 502 tools offered; the model reads: These tools can be called from the next message on:
                                3 of 502 tools offered; the model reads: Error (mcp_connection_lost): the call was sent, \
                                and then the program of server bank ended with exit code 137; its effect may have \
                                happened: find out before you try again
                                3 of 502 tools offered; the model reads: Error (doubt_unsettled): the same call, or one of \
                                the same resource, may have happened before, and that is not settled (doubt ID); do not \
                                call it again: look whether it happened, or ask a person to settle it
                                4 of 502 tools offered; the model reads: These tools can be called from the next message on:
                                4 of 502 tools offered; the model reads: 90 euros to Ann
                                answer: The courier is ordered, and the money was transferred once.
                                doubt: mcp__bank__transfer_money {"to":"Ann"}
                                operator: it is in the books, so it happened: Done[]
                                """);
    }
}
