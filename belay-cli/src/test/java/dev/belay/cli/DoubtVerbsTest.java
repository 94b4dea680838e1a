package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A call in doubt whose tool is asked once more: {@code belay settle DOUBT --ask}. */
@Timeout(180)
class DoubtVerbsTest {

    @TempDir
    Path directory;

    private CommandBench bench;
    private String doubt = "";

    /** A command of the workspace is cancelled while it runs: what it did until then is not known. */
    @BeforeEach
    void leaveADoubt() throws Exception {
        bench = new CommandBench(directory).set("HOME", directory.resolve("home").toString());
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\"]\n");
        Files.writeString(directory.resolve("slow.jsonl"),
                """
                        {"calls":[{"name":"run_command","arguments":{"command":"touch began; test -e quick || sleep 100"}}]}
                        {"text":"Done."}
                        """);
        assertThat(bench.run("trust").status()).isZero();
        Thread cancelling = Thread.ofVirtual().start(() -> {
            while (!Files.exists(directory.resolve("began"))) {
                Thread.onSpinWait();
            }
            bench.run("turns", "cancel", "one");
        });
        assertThat(bench.run("run", "-s", "one", "--approve", "all", "--script", "slow.jsonl", "Go").status())
                .isEqualTo(130);
        cancelling.join();
        doubt = Json.of(bench.run("doubts", "--json").out().strip()).get("doubt").orElseThrow().asString();
    }

    @Test
    void aToolThatCannotTellLeavesTheDoubtOpenWithItsWords() {
        Run run = bench.run("settle", doubt, "--ask");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("belay: not possible: the command was running when");
        assertThat(bench.run("doubts").out()).contains(doubt);
    }

    @Test
    void aDoubtThatIsSettledIsNotAskedAbout() {
        assertThat(bench.run("settle", doubt, "--did-not-happen", "--reason", "looked").status()).isZero();
        assertThat(bench.run("settle", doubt, "--ask"))
                .isEqualTo(new Run(0, "settled " + doubt + " (it was so before)\n", ""));
    }

    @Test
    void aWorkspaceWithoutTheToolSaysSo() throws Exception {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"basics\"]\n");
        Run run = bench.run("settle", doubt, "--ask");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("has no tool tool:run_command of agent default");
    }

    @Test
    void settingsThatAreNotTrustedAskNothing() throws Exception {
        Files.writeString(directory.resolve("belay.toml"), "[tools]\ngroups = [\"commands\", \"http\"]\n");
        Run run = bench.run("settle", doubt, "--ask");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("this workspace is not trusted");
    }

    @Test
    void theSameCallIsRefusedUntilTheDoubtIsSettled() throws Exception {
        Files.writeString(directory.resolve("quick"), "");
        assertThat(again().err()).contains("doubt_unsettled");
        assertThat(bench.run("settle", doubt, "--did-not-happen", "--reason", "looked").status()).isZero();
        assertThat(again().err()).doesNotContain("doubt_unsettled").contains("ok, ");
    }

    private Run again() {
        return bench.run("run", "-s", "one", "--approve", "all", "--script", "slow.jsonl", "Again");
    }

    @Test
    void askingBeginsNoTurnThatIsReady() {
        assertThat(bench.run("turns", "again", "one").status()).isZero();
        assertThat(bench.run("settle", doubt, "--ask").status()).isEqualTo(3);
        assertThat(bench.run("ps").out()).containsPattern("one turn 2 +ready ");
    }

    @Test
    void aReasonIsGivenByAPersonAndNotBesideAQuestion() {
        assertThat(bench.run("settle", doubt, "--ask", "--reason", "x").status()).isEqualTo(2);
        assertThat(bench.run("settle", doubt, "--did-not-happen").status()).isEqualTo(2);
        assertThat(bench.run("settle", doubt, "--did-not-happen", "--ask").status()).isEqualTo(2);
        assertThat(bench.run("settle", "none", "--ask").status()).isEqualTo(4);
        assertThat(bench.run("settle", doubt, "--ask", "--store", "none.db").status()).isEqualTo(4);
        assertThat(directory.resolve("none.db")).doesNotExist();
    }
}
