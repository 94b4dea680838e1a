package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A payment by a tool of the project, cut by {@code kill -9}: its reconciler finds out whether it happened. */
@Timeout(180)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
class ReconciledTest {

    @TempDir
    Path directory;

    private RealCommand real;

    @BeforeEach
    void prepare() throws IOException {
        real = new RealCommand(directory);
        Path tools = Files.createDirectories(directory.resolve(".belay/tools"));
        Files.setPosixFilePermissions(tools, PosixFilePermissions.fromString("rwxr-xr-x"));
        script(tools.resolve("pay"), """
                test -e late || echo "$BELAY_IDEMPOTENCY_KEY $(cat)" >>bank.txt
                touch began
                test -e quick || sleep 100
                echo 'receipt R-1'
                """);
        script(tools.resolve("paid"), """
                test ! -e down || { echo 'the bank does not answer' >&2; exit 1; }
                grep -qF "$BELAY_IDEMPOTENCY_KEY" bank.txt || exit 10
                echo 'receipt R-1'
                """);
        permitted(Files.writeString(tools.resolve("pay.json"),
                """
                        {"name": "pay", "description": "Pays.", "command": ["pay"], "reconcile": ["paid"],
                         "input": {"type": "object", "properties": {"cents": {"type": "integer"}}, "required": ["cents"]}}
                        """),
                "rw-r--r--");
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"project\"]\n");
        Files.writeString(directory.resolve("pay.jsonl"), """
                {"when":{"has_reply_for":"pay"},"text":"Done."}
                {"calls":[{"name":"pay","arguments":{"cents":5}}]}
                """);
        Files.writeString(directory.resolve("bank.txt"), "");
    }

    private static void script(Path file, String body) throws IOException {
        permitted(Files.writeString(file, "#!/bin/sh\n" + body), "rwxr-xr-x");
    }

    private static void permitted(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static final String CUT = """
            belay trust >/dev/null 2>&1
            belay run -s one --approve all --script pay.jsonl Pay >/dev/null 2>&1 &
            while [ ! -e began ]; do sleep 0.05; done
            kill -9 $!
            """;

    @Test
    void aReconcilerThatCanTellLeavesNoDoubtAndTheEffectIsNotRepeated() throws Exception {
        Run run = real.shell(CUT + "belay resume one --approve all --script pay.jsonl\nbelay doubts");
        assertThat(run.out()).isEqualTo("Done.\n");
        assertThat(run.err()).contains("pay {\"cents\":5}  ok, 12 characters", "nothing is in doubt");
        assertThat(directory.resolve("bank.txt")).content().hasLineCount(1);
    }

    @Test
    void aDoubtIsSettledByAskingOnceTheServiceCanTell() throws Exception {
        Run left = real.shell(CUT + """
                touch down
                belay resume one --approve all --script pay.jsonl
                belay doubts --json | sed 's/.*"doubt":"\\([^"]*\\)".*/\\1/' >doubt
                belay settle $(cat doubt) --ask; echo "asked $?"
                """);
        assertThat(left.out()).isEqualTo("Done.\nasked 3\n");
        assertThat(left.err()).contains("pay {\"cents\":5}  in_doubt",
                "the reconciler of pay ended with exit code 1: the bank does not answer");
        Run settled = real
                .shell("rm down; belay settle $(cat doubt) --ask; echo $?; belay doubts; belay audit");
        String doubt = Files.readString(directory.resolve("doubt")).strip();
        assertThat(settled.out()).startsWith("settled " + doubt + "\n0\n").contains("settle", doubt);
        assertThat(settled.err()).contains("nothing is in doubt");
        assertThat(directory.resolve("bank.txt")).content().hasLineCount(1);
        real.shell("echo '{\"text\":\"Yes.\"}' >yes.jsonl; belay run -s one --script yes.jsonl 'And?'");
        assertThat(real.shell("belay sessions show one --messages").out()).contains("receipt R-1");
    }

    @Test
    void aPaymentThatDidNotHappenIsMadeOnce() throws Exception {
        Files.writeString(directory.resolve("late"), "");
        Run run = real.shell(CUT + """
                rm late; touch quick
                belay resume one --approve all --script pay.jsonl
                belay doubts
                """);
        assertThat(run.out()).isEqualTo("Done.\n");
        assertThat(run.err()).contains("ok, 12 characters", "nothing is in doubt");
        assertThat(directory.resolve("bank.txt")).content().hasLineCount(1);
    }
}
