package dev.belay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
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
    void everyBodyRanOnceInThreeProcesses() {
        Run run = new CommandBench(directory).run("demo", "--yes", "--directory", "shop");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(stable(run.out())).isEqualTo(
                """
                        A scripted model answers; tools, processes and the database are real.
                        Database: DIR/shop/belay.db

                        You: We need two ropes for Saturday. Order them.

                        1. Three reads in one message run side by side.
                          stock {"item":"chalk"}  -> 40  (TIME)
                          stock {"item":"harness"}  -> 2  (TIME)
                          stock {"item":"rope"}  -> 7  (TIME)

                        2. An invalid call: no body runs, and the model reads what is wrong.
                          reserve {"item":"rope","quantity":"two"}  -> Error (invalid_arguments): the arguments of reserve do not fit its schema: /quantity: expected a whole number, found "tw…

                        3. The model repairs it. Two writes of one item: the second waits for the first.
                          reserve {"item":"rope","quantity":1}  -> reserved 1 rope  (TIME)
                          reserve {"item":"rope","quantity":1}  -> reserved 1 rope  (TIME)

                        4. A call that needs a person parks. It may wait for days.
                          ask_person {"question":"May I pay 378.00 for two ropes?"}  waits for an answer; it holds no thread

                        5. kill -9 PID: the process that asked is gone. The question is in the database.
                          pending: ask_person {"question":"May I pay 378.00 for two ropes?"}, key id ID
                          You answer yes. No process runs now: the answer is kept.

                        6. Process PID goes on with the turn. Nothing that was recorded runs again.
                          ask_person {"question":"May I pay 378.00 for two ropes?"}  -> yes

                        7. kill -9 PID: this time the bank had booked, and the answer was not recorded.
                          Process PID takes over. A payment must not happen twice, so it does not pay again:
                          pay {"to":"Ropes Ltd","cents":37800}  is in doubt
                          pay {"to":"Ropes Ltd","cents":37800}  -> Error (in_doubt): tool pay started and left no outcome, because its process died; its effect may have happened: find out…
                        Model: Two ropes are reserved. I asked the bank to pay, and cannot tell whether it did: look before you pay again.

                        8. A doubt is listed until a person settles it. You look into the bank's book, by the idempotency key:
                          doubt ID: pay {"to":"Ropes Ltd","cents":37800}
                          bank.txt: receipt R-1: 37800 cents to Ropes Ltd
                          settled: it happened

                        9. The model is told what turned out.
                        You: Did the payment go through?
                        Model: Yes: I was told meanwhile that it happened, with receipt R-1.

                        10. The ledger: what the model asked for, and how often bodies ran, in all processes together.
                        TOOL        ASKED  INVALID  RAN
                        stock       3      0        3
                        reserve     3      1        2
                        ask_person  1      0        1
                        pay         1      0        1

                        Look into it:
                          belay sessions show order-1 --store DIR/shop/belay.db
                          belay audit --store DIR/shop/belay.db
                        """);
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
                .doesNotContain("bank.txt");
    }

    @Test
    void endOfInputAtTheQuestionLeavesTheCallParked() {
        Run run = new CommandBench(directory).terminals(0, 1, 2)
                .set("COLUMNS", "200")
                .run("demo", "--directory", "shop");
        assertThat(run.status()).isEqualTo(5);
        assertThat(new CommandBench(directory).run("pending", "--store", "shop/belay.db").out())
                .contains("ask_person");
    }

    @Test
    void withoutATerminalTheAnswerMustBeGiven() {
        Run run = new CommandBench(directory).run("demo");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("--yes");
    }

    /** The text without what differs between runs; the reads end in any order. */
    private String stable(String out) {
        String same = out.replace(directory.toString(), "DIR")
                .replaceAll("kill -9 \\d+", "kill -9 PID")
                .replaceAll("Process \\d+", "Process PID")
                .replaceAll("key id \\S+", "key id ID")
                .replaceAll("doubt [0-9a-f]{24}", "doubt ID")
                .replaceAll("\\(\\d+\\.\\d s\\)", "(TIME)");
        String[] lines = same.split("\n", -1);
        int first = 6;
        Arrays.sort(lines, first, first + 3);
        return String.join("\n", lines);
    }
}
