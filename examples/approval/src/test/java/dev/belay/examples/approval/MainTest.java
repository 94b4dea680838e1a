package dev.belay.examples.approval;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MainTest {

    @Test
    @Timeout(180)
    void aChangedRefundIsPaidOnceAcrossTwoKills() throws Exception {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8).replaceAll(" at 20[^\\]]*Z", " at T"))
                .isEqualToNormalizingNewlines(
                        """
                                worker 1: the call asks, and the bank has paid nothing
                                worker 1: killed (SIGKILL)
                                anna sees:
                                  tool: refund (IDEMPOTENT)
                                  agent: default
                                  session: order-42, turn 1, call c1
                                  asked by: rule "over-100": refunds over 100.00 need a person
                                  the tool says:
                                    refunds 250.00 to the card of order 42
                                  arguments:
                                    /order = 42
                                    /cents = 25000
                                anna: changes the amount: Done[]
                                ben: denies too late: NotPossible[reason=it was approved with the arguments \
                                {"order":42,"cents":9000} by anna (desk) at T]
                                worker 2: the bank has paid, and has not answered yet
                                worker 2: killed (SIGKILL)
                                worker 3: Done: R-1 of 9000 cents for order 42
                                the model reads: Refund order 42.
                                the model reads: R-1 of 9000 cents for order 42
                                the model reads: Note (arguments_changed): a person has changed the arguments of refund \
                                (call c1) from {"order":42,"cents":25000} to {"order":42,"cents":9000}; the reply to the \
                                call is about those
                                audit: ask by policy through gate
                                audit: approve by anna through desk
                                bank: 2 requests with one idempotency key, 1 payment: R-1 of 9000 cents for order 42
                                """);
    }
}
