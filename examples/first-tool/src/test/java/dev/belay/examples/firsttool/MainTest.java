package dev.belay.examples.firsttool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void printsWhatTheModelAsksAndReads() {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(
                """
                        == Tools from records
                        model asks:  find_orders {"customer": "ada@example.com", "limit": 1}
                        model reads: ["order 42: rope"]
                        model asks:  find_orders {"custommer": "ada@example.com", "limit": 99}
                        model reads: Error (invalid_arguments): the arguments of find_orders do not fit its schema:
                                     (root): required field "customer" is missing
                                     /custommer: is not a known field; did you mean "customer"? Known fields are "customer", "limit"
                                     /limit: expected a number of at most 50, found 99
                        model asks:  find_order {}
                        model reads: Error (unknown_tool): there is no tool "find_order"; did you mean find_orders?
                        model asks:  cancel_order {"order": 99, "reason": "wrong size"}
                        model reads: Error (tool_failed): there is no order 99
                        model says:  There is no order 99.
                        == Tools from methods
                        model asks:  add_tax {"cents": 8950, "percent": 19}
                        model reads: 10650
                        model says:  That is 106.50 with tax.
                        """);
    }
}
